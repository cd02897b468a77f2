"""The Markdown file as pandoc reads it back: the same headings, the same words, the same notes."""

import html
import json
import re
from functools import cache
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citations.bibliography.bibliography_by_pandoc import plain
from exports.document.document_tree import Document
from exports.formats.export_markdown_lines import Lines
from exports.formats.export_markdown_text import escape_inline, escape_line_start, line
from exports.formats.export_options import ExportOptions
from exports.formats.to_markdown import write
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import (
    BlockQuote,
    Bullets,
    Footnote,
    Grid,
    Inline,
    Paragraph,
    StyledText,
)
from tests.exports import hostile
from tests.exports.generated import LONG, NAMES, document
from tests.exports.reading.from_markdown import nodes_of, tree_of

SHORT = [name for name in NAMES if name not in LONG]
BLANKS = re.compile(r"\s+")


def write_markdown(name: str, **options: object) -> bytes:
    return write(document(name), ExportOptions(**options), lambda _share: None)


@cache
def read(name: str) -> dict[str, object]:
    return tree_of(write_markdown(name))


def bare(text: str) -> str:
    """Without blanks, for a line may be broken anywhere, and composed, as pandoc writes it."""
    return BLANKS.sub("", normalize("NFC", line(text)))


def texts_of(blocks: object) -> list[str]:
    """The words of every paragraph and item, without those of its footnotes."""
    found = [*nodes_of(blocks, "Para"), *nodes_of(blocks, "Plain")]
    return [bare(plain(_without_notes(inlines))) for inlines in found]


def _without_notes(node: object) -> object:
    if isinstance(node, list):
        return [_without_notes(one) for one in node if not (isinstance(one, dict) and one.get("t") == "Note")]
    if isinstance(node, dict):
        return {key: _without_notes(value) for key, value in node.items()}
    return node


def words_of(content: tuple[Inline, ...]) -> str:
    return bare("".join(inline.text for inline in content if isinstance(inline, StyledText)))


@pytest.mark.parametrize("name", SHORT)
def test_pandoc_reads_the_same_headings(name):
    paper = build_paper(document(name), ExportOptions())
    expected = [(1, document(name).title), *((heading.level + 1, heading.text) for heading in paper.headings)]
    found = [(level, bare(plain(inlines))) for level, _attr, inlines in nodes_of(read(name), "Header")]
    assert found == [(level, bare(text)) for level, text in expected if bare(text)]


@pytest.mark.parametrize("name", SHORT)
def test_pandoc_reads_the_same_words(name):
    found = set(texts_of(read(name)["blocks"]))
    assert [text for text in _lines_of(document(name)) if text not in found] == []


def _lines_of(tree: Document) -> list[str]:
    """The words of every line that has nothing but words and footnotes."""
    contents: list[tuple[Inline, ...]] = []
    for node in build_paper(tree, ExportOptions()).nodes:
        match node:
            case Paragraph(content) | BlockQuote(content):
                contents.append(content)
            case Bullets(items):
                contents += items
            case Grid():
                contents += [cell for row in node.rows for cell in row]
    plain_ones = [one for one in contents if all(isinstance(inline, StyledText | Footnote) for inline in one)]
    return [words for one in plain_ones if (words := words_of(one))]


@pytest.mark.parametrize("name", SHORT)
def test_every_claim_that_is_stated_has_its_note_with_the_words_of_its_sources(name):
    notes = [bare(plain(_paragraphs(note))) for note in nodes_of(read(name)["blocks"], "Note")]
    for claim in document(name).claims:
        [note, *_again] = [one for one in notes if one.startswith(f"Claim{claim.number}:")]
        assert [citation.quote for citation in claim.citations if bare(citation.quote) not in note][:-1] == []


def _paragraphs(note: object) -> list[object]:
    return [inline for block in note for inline in block["c"]]


def test_nothing_of_a_text_becomes_a_link_a_picture_or_markup():
    tree = read("hostile")["blocks"]
    addresses = [target for _attr, _text, [target, _title] in nodes_of(tree, "Link")]
    assert {address for address in addresses if not address.startswith("https://a.example/")} == set()
    assert [*nodes_of(tree, "Image"), *nodes_of(tree, "RawInline"), *nodes_of(tree, "RawBlock")] == []
    assert [*nodes_of(tree, "CodeBlock"), *nodes_of(tree, "Code"), *nodes_of(tree, "Emph")] == []


def test_the_front_matter_says_what_it_is():
    head = write_markdown("right_to_left").decode().split("---\n")[1]
    about = {name: json.loads(value) for name, value in (row.split(": ", 1) for row in head.splitlines())}
    assert about["title"] == document("right_to_left").title
    assert (about["kind"], about["claims"], about["date"]) == ("report", 3, "2026-11-20")


def test_a_hostile_title_is_text_in_the_front_matter_too():
    [title] = [
        row for row in write_markdown("hostile").decode().splitlines()[:5] if row.startswith("title: ")
    ]
    assert html.unescape(json.loads(title.removeprefix("title: "))) == document("hostile").title
    assert [*nodes_of(read("hostile")["meta"], "RawInline"), *nodes_of(read("hostile")["meta"], "Link")] == []


def test_it_speaks_the_readers_language():
    assert "## Quellen" in write_markdown("one_claim", language="de").decode()


@pytest.mark.parametrize("text", hostile.ALL)
def test_a_hostile_text_is_read_as_itself_wherever_it_begins(text):
    assert read_back(
        [
            escape_line_start(escape_inline(text)),
            f"- {escape_line_start(escape_inline(text))}",
            f"x {escape_inline(text)} y",
        ]
    ) == [
        bare(text),
        bare(f"x {text} y"),
        bare(text),
    ]


def read_back(blocks: list[str]) -> list[str]:
    return texts_of(tree_of("\n\n".join(blocks).encode())["blocks"])


MARKS = st.text(
    alphabet=st.one_of(
        st.sampled_from("\\`*_{}[]()<>#+-.!|~^$:&=\"'1a \n"), st.characters(exclude_categories=["Cs", "Cc"])
    ),
    min_size=1,
    max_size=30,
).filter(lambda text: bool(bare(text)))


@given(st.lists(MARKS, min_size=20, max_size=20))
@settings(max_examples=15)
def test_every_text_is_read_as_itself(texts):
    assert read_back([escape_line_start(escape_inline(text)) for text in texts]) == [
        bare(text) for text in texts
    ]


@given(st.lists(st.tuples(MARKS, st.sampled_from(["", "strong", "quiet", "quoted"])), min_size=1, max_size=6))
@settings(max_examples=25)
def test_words_that_are_set_off_change_no_word_beside_them(parts):
    content = tuple(StyledText(text, tone) for text, tone in parts)
    assert read_back([escape_line_start(Lines().render(content))]) == [words_of(content)]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((("[1] ", "strong"), ("Title", "")), "**\\[1\\]** Title"),
        ((("Claim 1", "strong"), (": so", "")), "**Claim 1**: so"),
        ((("so it is.", "quoted"), (" More", "quiet")), "**so it is.** More"),
        ((("so it is.", "quoted"), ("More", "quiet")), "**so it is.** More"),
        ((("2024\u00a0", "strong"), ("so", "")), "**2024**\u00a0so"),
        ((("Un", ""), ("“believ”", "quoted"), ("able", "")), "Un“believ”able"),
    ],
)
def test_what_is_set_off_is_set_off_where_it_can_be(parts, expected):
    assert Lines().render(StyledText(*part) for part in parts) == expected


def test_a_reference_leads_to_its_source():
    text = write_markdown("one_claim").decode()
    url = "nordhaus.example/reports/1"
    assert f"Nordhaus Energy. [https:\\//{url}](<https://{url}>)" in text
