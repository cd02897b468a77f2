"""arXiv's API: Atom, by the number of the first result; its refusals are Atom too."""

import re
from collections.abc import Sequence
from html import escape

from research.search.search_protocol import SearchType
from tests.fetching.site import Said
from tests.search.apis.server import Call, World
from tests.search.apis.works import MadeWork, preprint

KIND = "application/atom+xml; charset=utf-8"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
    '<title type="html">ArXiv Query</title><id>http://arxiv.org/api/cHxb</id><updated>2024-06-01T00:00:00-04:00</updated>'
    '<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">{total}</opensearch:totalResults>'
)
QUERY = re.compile(r"\(?(?:all:\S+( OR |\)|$))+( AND submittedDate:\[\d{12} TO \d{12}\])?")


def answer(call: Call, results: Sequence[object]) -> Said:
    if call.path != "/api/query":
        return Said("", 404)
    if not QUERY.fullmatch(call.word("search_query")) or call.number("max_results") > 2_000:
        return error("incorrect query")
    start = call.number("start")
    return feed(results[start : start + call.number("max_results", 10)], len(results))


def feed(entries: Sequence[object], total: int = 1) -> Said:
    return Said(f"{HEAD.format(total=total)}{''.join(map(str, entries))}</feed>", kind=KIND)


def error(words: str) -> Said:
    entry = (
        f"<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>{words}</summary></entry>"
    )
    return Said(f"{HEAD.format(total=1)}{entry}</feed>", 400, kind=KIND)


def raw(made: MadeWork, version: int = 2) -> str:
    page = made.landing.replace("https", "http")
    return (
        f"<entry><id>{page}v{version}</id><updated>2024-07-01T00:00:00Z</updated>"
        f"<published>{made.published}T17:59:59Z</published><title>{escape(made.title)}</title>"
        f"<summary>  {escape(made.text)}\n</summary><author><name>A. Author</name></author>"
        f'<link href="{page}v{version}" rel="alternate" type="text/html"/>'
        f'<link title="pdf" href="{page.replace("abs", "pdf")}v{version}" rel="related" type="application/pdf"/>'
        '<arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.SY"/></entry>'
    )


WORLD = World(
    "arxiv", answer, raw, 50, preprint, SearchType.ACADEMIC,
    odd=("<entry/>", "<entry><id>http://arxiv.org/abs/2405.00009v1</id></entry>",
         "<entry><id>urn:x</id><title>Heat</title></entry>"),
    limited=Said("Rate exceeded.", 429), nonsense=("<html>oops</html>", "", "{}", "<feed>", "<feed/>"),
)  # fmt: skip
