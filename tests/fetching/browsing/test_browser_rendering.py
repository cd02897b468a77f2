"""A page in a browser: its text, the actions on it, and the limits of what it may do."""

from collections.abc import Iterator

import pytest

from research.fetching.browser.browser_document import NoBrowser
from research.fetching.browser.browser_rendering import Renderer
from research.fetching.denied_addresses import AddressRules
from research.fetching.fetched_page_content import FetchError
from research.models.schemas import RenderingWish
from tests.fetching.browsing.world import LIMITS, Reader, act, run_loop
from tests.fetching.site import Said, Site, serve_site
from tests.often import one_in

pytestmark = pytest.mark.browser
ROWS = """<select id=year><option value=y1>1990</option><option value=y2>2020</option></select><p id=row></p>
<script>document.getElementById('year').onchange = e => document.getElementById('row').textContent = 'Row of ' +
e.target.value</script>"""


def html(script: str = "", body: str = "<p>There from the start.</p>", head: str = "") -> Said:
    return Said(
        f"<!doctype html><html><head>{head}</head><body>{body}<script>{script}</script></body></html>"
    )


def show(text: str) -> str:
    return f"document.body.insertAdjacentHTML('beforeend', `<p>{text}</p>`);"


PAGES = {
    "/filled": html(show("Written by a script.")),
    "/asked": html("fetch('/data').then(r => r.text()).then(t => {" + show("Said: ${t}") + "})"),
    "/data": Said("answer of the site", kind="text/plain"),
    "/late": html("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p class=late>Late.</p>'), 900)"),
    "/long": html(
        "let n = 0; addEventListener('scroll', () => { if (n++ < 3) "
        + show("<div style=height:3000px>Part ${n}</div>") + " })", "<div style=height:3000px>Top</div>"
    ),
    "/more": html("document.querySelector('button').onclick = () => {" + show("Behind the button.") + "}",
                  "<p>Before.</p><button>Show more</button>"),
    "/details": html(body="<p>Before.</p><details><summary>Method</summary><p>Told inside.</p></details>"),
    "/rows": html(body=ROWS),
    "/search": html(
        "const f = document.querySelector('input'); f.oninput = () => fetch('/data?q=' + f.value).then(r => r.text())"
        ".then(t => {" + show("Found ${f.value}: ${t}") + "}).catch(() => {" + show("Nothing came.") + "})",
        "<input placeholder='Heat pumps or boilers'>"),
    "/writes": html(
        "fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0); navigator.sendBeacon('/beacon', 'x');"
        "const x = new XMLHttpRequest(); x.open('DELETE', '/delete'); x.send();"
        "setTimeout(() => document.forms[0].submit(), 100)", "<form method=post action=/form><input name=a></form>"),
    "/heavy": html(body="<p>Text.</p><img src=/picture.png><video src=/film.mp4 autoplay></video><iframe src=/frame>"
                   "</iframe><object data=/object></object>", head="<link rel=icon href=/icon.png><link rel=manifest "
                   "href=/manifest.json><link rel=prefetch href=/prefetched><style>@font-face {font-family: F; "
                   "src: url(/font.woff2)} p {font-family: F; background: url(/back.png)}</style>"),
    "/talks": html(
        "const say = () => {" + show("It was refused.") + "}; const s = new WebSocket('ws://' + location.host + '/ws');"
        "s.onclose = say; s.onopen = () => s.send('x'); new EventSource('/events');"
        "try { new Worker('/worker.js') } catch (e) {} navigator.serviceWorker?.register('/sw.js').catch(() => 0)"),
    "/remembers": html("const before = document.cookie + localStorage.getItem('a'); document.cookie = 'a=1';"
                       "localStorage.setItem('a', 'b');" + show("Before: ${before}.")),
    "/leaves": html("setTimeout(() => location.href = 'http://127.0.0.2:9/elsewhere', 50)", "<p>Stays.</p>"),
    "/leads": html(body="<p>First.</p><a href=/next>Go on</a>"),
    "/moves": html("location.href = '/next'"),
    "/next": html(body="<p>Second page.</p>"),
    "/restless": html("setInterval(() => {" + show("Again.") + "}, 100)"),
    "/stuck": html("while (true) {}"),
    "/greedy": html(
        "const all = []; try { for (;;) all.push(new Uint8Array(5e7).fill(1)) } catch (e) {"
        + show("<b class=full>no more after ${all.length}</b>") + "}"),
    "/loads": html("for (let n = 0; n < 20; n++) fetch('/large?' + n).then(r => r.text())"
                   ".then(t => document.title += t.length, () => 0)"),
    "/large": Said("x" * 1_000_000, kind="text/plain"),
    "/asks": html("alert('Hello'); confirm('Sure?'); prompt('Name?'); window.open('/window'); print();"
                  + show("After.")),
    "/hides": html(body="<p class=a>Seen.</p><p class=b>Hidden words.</p><p class=c>Unseen words.</p>",
                   head="<style>.b {display: none} .c {visibility: hidden}</style>"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with run_loop() as loop:
        reader = Reader(loop)
        yield reader
        reader.close()


@pytest.fixture(scope="module")
def whole_site() -> Iterator[Site]:
    with serve_site(PAGES) as site:
        yield site


@pytest.fixture
def site(whole_site: Site) -> Site:
    whole_site.asked.clear()
    return whole_site


def text(reader: Reader, site: Site, path: str, *actions: object, **wish: object) -> str:
    return reader.render(site, path, *actions, **wish).data.decode()


def log(reader: Reader, site: Site, path: str, *actions: object, **wish: object) -> str:
    rendering = reader.render(site, path, *actions, **wish).rendering
    return "\n".join(rendering.log)


# --- reading ---


def test_what_scripts_write_is_text(reader, site):
    assert "Written by a script." in text(reader, site, "/filled")


def test_what_scripts_ask_their_site_for_comes(reader, site):
    assert "Said: answer of the site" in text(reader, site, "/asked")
    assert site.asked == ["/data"]


@pytest.mark.full
def test_the_source_says_which_browser_made_it_and_what_was_wished_for(reader, site):
    page = reader.render(site, "/filled", wait_for="p")
    assert page.rendering.browser.startswith("Chromium ")
    assert page.rendering.wish == RenderingWish(wait_for="p")
    assert (page.url, page.media_type, page.name) == (f"{site.base}/filled", "text/html", "page.html")


def test_what_is_waited_for_is_there(reader, site):
    page = reader.render(site, "/late", wait_for=".late")
    assert b"Late." in page.data
    assert page.rendering.log == ["Waited for “.late”."]


@pytest.mark.full
def test_what_never_comes_is_said(reader, site):
    assert "“.never” did not appear" in log(reader, site, "/filled", wait_for=".never")


@pytest.mark.full
def test_scrolling_goes_on_as_long_as_more_is_loaded(reader, site):
    page = reader.render(site, "/long", scroll=True)
    assert [f"Part {n}".encode() in page.data for n in (1, 2, 3)] == [True] * 3


def test_what_style_sheets_hide_is_marked_for_the_reader(reader, site):
    shown = text(reader, site, "/hides")
    assert '<p class="a">Seen.' in shown
    assert shown.count(' hidden=""') == 2


@pytest.mark.full
def test_text_that_only_waits_to_be_opened_is_not_hidden(reader, site):
    assert "<p>Told inside." in text(reader, site, "/details")


# --- actions ---


@pytest.mark.parametrize("meant", one_in(2, [{"text": "Show more"}, {"selector": "button"}]))
def test_a_click_brings_what_is_behind_a_button(reader, site, meant):
    page = reader.render(site, "/more", act("click", **meant))
    assert b"Behind the button." in page.data
    assert page.rendering.log[0].startswith("Did click")


@pytest.mark.parametrize("choice", one_in(2, ["2020", "y2"]))
def test_a_choice_is_made_by_its_words_or_its_value(reader, site, choice):
    assert "Row of y2" in text(reader, site, "/rows", act("select", "#year", choice))


def test_words_of_the_page_may_be_filled_in_and_asked_for(reader, site):
    assert "Found boilers: answer" in text(reader, site, "/search", act("fill", "input", "boilers"))
    assert site.asked == ["/data?q=boilers"]


def test_other_words_are_filled_in_but_nothing_leaves_any_more(reader, site):
    page = reader.render(site, "/search", act("fill", "input", "my secret plan"))
    assert b"Nothing came." in page.data
    assert site.asked == []
    assert "a value that does not stand on the page was filled in" in page.rendering.log[-1]


@pytest.mark.full
def test_what_is_looked_for_is_counted(reader, site):
    assert log(reader, site, "/more", act("find", text="before")) == "Found “before” 1 time."
    assert log(reader, site, "/more", act("find", text="nowhere")) == "Found “nowhere” 0 times."


@pytest.mark.full
def test_an_action_that_cannot_be_done_is_said_and_the_next_is_tried(reader, site):
    page = reader.render(site, "/more", act("click", "#nothing"), act("click", "button"))
    assert page.rendering.log[0].startswith("Could not click #nothing")
    assert b"Behind the button." in page.data


@pytest.mark.full
def test_a_selector_that_is_none_is_said(reader, site):
    assert "Could not click [[" in log(reader, site, "/more", act("click", "[["))


def test_a_link_of_the_site_is_followed_by_our_http_client(reader, site):
    page = reader.render(site, "/leads", act("click", text="Go on"))
    assert b"Second page." in page.data
    assert (page.url, reader.opened, site.asked) == (f"{site.base}/next", [f"{site.base}/next"], [])


# --- what it may not do ---


def test_nothing_that_could_change_anything_goes_out(reader, site):
    said = log(reader, site, "/writes")
    assert site.asked == []
    assert [word in said for word in ("POST 127.0.0.1/post", "DELETE", "POST 127.0.0.1/form")] == [True] * 3


def test_pictures_films_fonts_frames_and_guesses_are_not_loaded(reader, site):
    assert b"Text." in reader.render(site, "/heavy").data
    assert site.asked == []


def test_no_other_connection_is_opened(reader, site):
    assert "It was refused." in text(reader, site, "/talks")
    assert site.asked == []


def test_nothing_is_remembered_from_one_page_to_the_next(reader, site):
    for _ in range(2):
        assert "Before: null." in text(reader, site, "/remembers")


def test_a_page_does_not_lead_away_from_its_site(reader, site):
    page = reader.render(site, "/leaves")
    assert b"Stays." in page.data
    assert (page.url, reader.opened) == (f"{site.base}/leaves", [])
    assert "It leads away from the site." in page.rendering.log[-1]


@pytest.mark.full
def test_a_page_that_goes_on_by_itself_is_the_page_where_it_ends(reader, site):
    page = reader.render(site, "/moves")
    assert (page.url, b"Second page." in page.data) == (f"{site.base}/next", True)


@pytest.mark.full
def test_questions_and_windows_do_not_hold_a_page_up(reader, site):
    assert "After." in text(reader, site, "/asks")
    assert reader.opened == []


@pytest.mark.full
def test_a_page_that_never_rests_is_read_as_it_is(reader, site):
    page = reader.render(site, "/restless")
    assert b"Again." in page.data
    assert "still changing" in page.rendering.log[0]


@pytest.mark.full
def test_a_page_loads_no_more_than_it_may(reader, site):
    page = reader.render(site, "/loads")
    assert page.data.count(b"1000000") < 4
    assert len(site.asked) < 20 or LIMITS.bytes_over < 20_000_000


def test_a_page_that_never_ends_is_given_up_and_costs_only_itself(reader, site):
    with pytest.raises(FetchError) as failure:
        reader.render(site, "/stuck", total_s=3)
    assert (failure.value.code, failure.value.is_retryable) == ("BROWSER_TIMEOUT", True)
    assert "Written by a script." in text(reader, site, "/filled")


@pytest.mark.full
def test_a_page_gets_no_more_memory_than_one_may_have(reader, site):
    assert "no more after" in text(reader, site, "/greedy", wait_for=".full")


def test_without_a_browser_that_is_said():
    with run_loop() as loop:
        renderer = Renderer("", AddressRules())
        with pytest.raises(NoBrowser, match="none is installed"):
            loop.do(renderer.render(None, RenderingWish(), None))


def test_a_program_that_is_no_browser_is_said():
    with run_loop() as loop:
        renderer = Renderer("/bin/false", AddressRules())
        with pytest.raises(NoBrowser, match="/bin/false does not start"):
            loop.do(renderer.render(None, RenderingWish(), None))
