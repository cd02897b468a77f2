"""Code of a technical answer in its files: as it stands in the source, whatever is in it."""

from io import BytesIO

import docx
import pytest
from lxml import html

from exports.building.build_document_code_examples import examples_of
from exports.document.document_plain_text import MARKDOWN
from exports.document.document_tree import ExampleEntry
from exports.formats import to_docx, to_html, to_markdown
from exports.formats.export_options import ExportOptions
from exports.formats.pdf.export_pdf_markup import markup
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import CodeBlock, Heading
from research.models import Kind, Run
from tests.exports.drafting import Draft, prose

CODE = "import hnswlib\n\nfor one in <rows>:\n    add(one)  # ``` & `x`\n"


def answer(kind: str = "technical"):
    draft = Draft("code")
    source = draft.source("Readme of hnswlib")
    draft.section("Findings", prose(draft.claim("It adds rows one by one.", source)))
    example = ExampleEntry(CODE, "python", "To add rows:", "passed", source)
    return draft.document("How are rows added?", kind=kind, examples=(example,))


def test_paper_has_the_code_behind_the_sections_with_where_it_stands():
    nodes = build_paper(answer(), ExportOptions()).nodes
    place = nodes.index(CodeBlock(CODE, "python"))
    assert nodes[place - 2] == Heading(1, "Code examples", "code")
    assert "".join(one.text for one in nodes[place + 1].content) == (
        "[1] Readme of hnswlib · python · its syntax was checked"
    )


def test_an_answer_without_code_says_nothing_of_it():
    draft = Draft("none")
    draft.section("Findings", prose(draft.claim("It adds rows.", draft.source())))
    headings = [heading.text for heading in build_paper(draft.document("?"), ExportOptions()).headings]
    assert "Code examples" not in headings


def test_pdf_sets_it_as_text():
    page = html.document_fromstring(markup(build_paper(answer(), ExportOptions())).html)
    assert [one.text for one in page.iter("pre")] == [CODE]


def test_word_has_it_in_a_style_of_its_own():
    word = docx.Document(BytesIO(to_docx.write(answer(), ExportOptions(), lambda share: None)))
    (found,) = [paragraph.text for paragraph in word.paragraphs if paragraph.style.name == "Source Code"]
    assert found.rstrip() == CODE.rstrip()


def test_markdown_fences_it_longer_than_what_is_in_it():
    written = to_markdown.write(answer(), ExportOptions(), lambda share: None).decode()
    assert f"````python\n{CODE.rstrip()}\n````" in written


@pytest.mark.django_db
def test_the_web_page_shows_it():
    page = html.document_fromstring(to_html.write(answer(), ExportOptions(), lambda share: None))
    assert [one.text_content() for one in page.iter("pre")] == [CODE]


STORED = {
    "code": CODE,
    "language": "python",
    "description": "**To add** rows:",
    "check": "passed",
    "start": 0,
    "end": 9,
}


def test_examples_come_from_what_the_run_keeps():
    source = Draft("run").source(media_type=MARKDOWN)
    kept = [STORED | {"source": str(source.id)}, STORED | {"source": "5b2f7a52-34a5-4a1c-9b7c-1a8f4f0c0c0c"}]
    run = Run(kind=Kind.TECHNICAL, result={"own": {"examples": kept}})
    (found,) = examples_of(run, [source])
    assert (found.code, found.description, found.source) == (CODE, "To add rows:", source)
    assert examples_of(Run(kind=Kind.REPORT, result={}), [source]) == ()
