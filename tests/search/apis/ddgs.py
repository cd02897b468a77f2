"""DuckDuckGo's page for browsers without scripts: ten results, a button for the next page, links that are wrapped."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from tests.fetching.site import Said
from tests.search.apis.server import Call, Made, World

SIZE = 10
HEAD = "<!DOCTYPE html><html><head><title>{title} at DuckDuckGo</title></head><body class='body--html'>"
NO_RESULTS = (
    '<div class="result results_links results_links_deep result--no-result"><div class="links_main">'
    '<h2 class="result__title"><div class="no-results">No results.</div></h2></div></div>'
)
AD = (
    '<div class="result results_links results_links_deep result--ad "><h2 class="result__title"><a class="result__a"'
    ' href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=bing">Buy heat pumps</a></h2></div>'
)
CHALLENGE = Said(
    '<html><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html"><div class="anomaly-modal__title">'
    "Unfortunately, bots use DuckDuckGo too.</div></form></html>",
    202,
)


def wrap_link(url: str) -> str:
    return f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut=0123456789abcdef"


def button(value: str, **fields: str) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(text)}" />' for name, text in fields.items()
    )
    submit = f'<input type="submit" class="btn btn--alt" value="{value}" />'
    return f'<div class="nav-link"><form action="/html/" method="post">{submit}{hidden}</form></div>'


def answer(call: Call, results: Sequence[object]) -> Said:
    if (call.method, call.path) != ("POST", "/html/"):
        return Said("", 404)
    query, start = call.word("q"), call.number("s")
    if not query or (start and call.word("vqd") != "4-123"):
        return Said("", 400)
    found = results[start : start + SIZE]
    same = {
        "q": query,
        "nextParams": "",
        "v": "l",
        "o": "json",
        "api": "d.js",
        "vqd": "4-123",
        "kl": call.word("kl"),
    }
    links = [button("Previous", s=str(start - SIZE), **same)] if start else []
    if start + SIZE < len(results):
        links.append(button("Next", s=str(start + SIZE), dc=str(start + SIZE + 1), **same))
    body = "".join(map(str, found)) or NO_RESULTS
    return Said(
        f"{HEAD.format(title=escape(query))}<div id='links' class='results'>{AD}{body}{''.join(links)}</div>"
    )


def raw(made: Made) -> object:
    link, day = wrap_link(made.url), f"{made.published}T00:00:00.0000000" if made.published else ""
    text = escape(made.text).replace("page", "<b>page</b>")
    return f"""
    <div class="result results_links results_links_deep web-result ">
      <div class="links_main links_deep result__body">
        <h2 class="result__title"><a rel="nofollow" class="result__a" href="{link}">{escape(made.title)}</a></h2>
        <div class="result__extras"><div class="result__extras__url">
          <span class="result__icon"><a rel="nofollow" href="{link}"><img src="//x.ico"></a></span>
          <a class="result__url" href="{link}"> {made.domain}/page </a><span>&nbsp; &nbsp; {day}</span>
        </div></div>
        <a class="result__snippet" href="{link}">{text}</a><div class="clear"></div>
      </div>
    </div>"""


WORLD = World(
    "ddgs",
    answer,
    raw,
    SIZE,
    odd=(
        '<div class="result web-result"><h2>No link</h2></div>',
        '<div class="result"><a class="result__a">No address</a></div>',
        '<div class="result"><a class="result__a" href="//[bad/?uddg=x">Odd</a></div>',
    ),
    limited=CHALLENGE,
    nonsense=("", "{}", "<html><p>Another page", "\x00"),
)
