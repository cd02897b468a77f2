"""Whatever a claim, a quote and a title say, each file says the same and cites the same."""

import json
import re

import rispy
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from citations.bibliography.csl_references import clean
from exports.document.document_tree import Document
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.formats.export_spreadsheet_cells import unescape_formula
from tests.exports.drafting import Draft, make_list, prose
from tests.exports.reading import reader_of
from tests.exports.reading.from_csv import rows_of

SPECIAL = "\\`*_{}[]()<>#+-.!|~^$:&=@%;,\"'/1a \n"
ANY = st.text(
    alphabet=st.one_of(st.sampled_from(SPECIAL), st.characters(exclude_categories=["Cs", "Cc"])),
    min_size=1,
    max_size=40,
)
BLANKS = re.compile(r"\s+")


def make_document(claim: str, quote: str, title: str) -> Document:
    draft = Draft("any")
    source, other = draft.source(title), draft.source(title)
    draft.section(
        title, prose(draft.claim(claim, source, quote=quote)), make_list(draft.claim(claim, other, source))
    )
    return draft.document(title, summary=(claim,))


def write_document(form: Format, document: Document) -> bytes:
    return WRITERS[form].write(document, ExportOptions(include_sources=False), lambda _share: None)


@given(ANY, ANY, ANY)
@settings(max_examples=30)
def test_files_that_programs_read_say_the_same(claim, quote, title):
    document = make_document(claim, quote, title)
    report = json.loads(write_document(Format.JSON, document))
    assert report["claims"][0]["text"] == claim
    assert report["claims"][0]["citations"][0]["target"]["selector"][0]["exact"] == quote
    row = rows_of(write_document(Format.CSV, document))[0]
    assert [unescape_formula(row[name]) for name in ("text", "quote", "title")] == [claim, quote, title]
    [record, _other] = rispy.loads(write_document(Format.RIS, document).decode())
    assert record.get("title", "") == clean(title).strip()


@given(ANY, ANY, ANY)
@settings(max_examples=15)
def test_the_page_says_the_same(claim, quote, title):
    page = html.document_fromstring(write_document(Format.HTML, make_document(claim, quote, title)).decode())
    shown = page.get_element_by_id("claim-1").text_content(), page.xpath("//mark")[0].text_content()
    assert [BLANKS.sub("", one) for one in shown] == [BLANKS.sub("", one) for one in (claim, quote)]
    assert page.xpath("//script | //img | //@onerror") == []


@given(ANY, ANY, ANY)
@settings(max_examples=10)
def test_every_file_cites_the_same(claim, quote, title):
    document = make_document(claim, quote, title)
    cited = {(1, 1), (2, 2), (2, 1)}
    for form in (
        Format.JSON,
        Format.CSV,
        Format.RIS,
        Format.BIBTEX,
        Format.CSL_JSON,
        Format.HTML,
        Format.MARKDOWN,
    ):
        assert reader_of(form)(write_document(form, document)) == cited, form
