"""References as CSL and RIS, word for word, and pandoc's documents out and in."""

import pytest

from citations.bibliography.bibliography_by_pandoc import document_of, markup, pandoc_path, plain, run_pandoc
from citations.bibliography.csl_references import (
    Name,
    PartialDate,
    Reference,
    WorkType,
    clean,
    csl_item,
    csl_json,
    ris,
)

FULL = Reference(
    "full",
    WorkType.JOURNAL_ARTICLE,
    "Cold\nwalls",
    (Name("Lind", "Anna"), Name(literal="City Works"), Name("Lee")),
    PartialDate(2021, 9, 4),
    PartialDate(2026, 11),
    container_title="Annals",
    publisher="Harbour",
    publisher_place="Leeds",
    url="https://a.example/b",
    doi="10.1/2",
    pages="7-9",
    volume="4",
    issue="2",
    isbn="978",
    language="de",
)
FULL_RIS = """
TY  - JOUR
ID  - full
AU  - Lind, Anna
AU  - City Works
AU  - Lee
TI  - Cold walls
T2  - Annals
PB  - Harbour
CY  - Leeds
VL  - 4
IS  - 2
SP  - 7
EP  - 9
SN  - 978
DO  - 10.1/2
UR  - https://a.example/b
LA  - de
PY  - 2021
DA  - 2021/09/04/
Y2  - 2026/11//
""".strip().splitlines()


def test_a_reference_with_everything_is_a_whole_csl_item():
    assert csl_item(FULL) == {
        "id": "full",
        "type": "article-journal",
        "title": "Cold walls",
        "container-title": "Annals",
        "publisher": "Harbour",
        "publisher-place": "Leeds",
        "URL": "https://a.example/b",
        "DOI": "10.1/2",
        "page": "7-9",
        "volume": "4",
        "issue": "2",
        "ISBN": "978",
        "language": "de",
        "author": [{"family": "Lind", "given": "Anna"}, {"literal": "City Works"}, {"family": "Lee"}],
        "issued": {"date-parts": [[2021, 9, 4]]},
        "accessed": {"date-parts": [[2026, 11]]},
    }


def test_a_reference_with_everything_is_a_whole_ris_record():
    assert ris([FULL]).split("\r\n") == [*FULL_RIS, "ER  - ", ""]


def test_a_reference_of_which_nothing_is_known_is_a_short_one():
    nothing = Reference("x", WorkType.DATASET, url="ftp://a.example")
    assert csl_item(nothing) == {"id": "x", "type": "dataset"}
    assert ris([nothing]) == "TY  - DATA\r\nID  - x\r\nER  - \r\n"
    assert csl_json([nothing]) == '[\n  {\n    "id": "x",\n    "type": "dataset"\n  }\n]\n'
    assert csl_json([Reference("ä")]) == '[\n  {\n    "id": "ä",\n    "type": "webpage"\n  }\n]\n'


@pytest.mark.parametrize(
    ("kind", "tag"),
    list(zip(WorkType, "GEN BOOK DATA GEN JOUR NEWS BLOG RPRT COMP ELEC".split(), strict=True)),
)
def test_each_type_of_work_has_its_tag(kind, tag):
    assert ris([Reference("x", kind)]).startswith(f"TY  - {tag}\r\n")


@pytest.mark.parametrize(
    ("day", "csl", "written"),
    [
        (PartialDate(1), [1], "0001///"),
        (PartialDate(9999, 12, 31), [9999, 12, 31], "9999/12/31/"),
        (PartialDate(2024, 1, 1), [2024, 1, 1], "2024/01/01/"),
        (PartialDate(2024, 10), [2024, 10], "2024/10//"),
    ],
)
def test_a_date_is_as_precise_as_it_is_known(day, csl, written):
    reference = Reference("x", issued=day)
    assert csl_item(reference)["issued"] == {"date-parts": [csl]}
    assert f"\r\nPY  - {day.year:04}\r\nDA  - {written}\r\n" in ris([reference])


@pytest.mark.parametrize("parts", [(0,), (10_000,), (2024, 0), (2024, 13), (2024, 1, 0), (2024, 1, 32)])
def test_a_date_beyond_the_calendar_is_refused(parts):
    with pytest.raises(ValueError, match="not a date"):
        PartialDate(*parts)


@pytest.mark.parametrize(
    ("length", "kept"), [(1_999, "x" * 1_999), (2_000, "x" * 2_000), (2_001, "x" * 1_999 + "…")]
)
def test_a_field_is_cut_where_it_is_none_any_more(length, kept):
    assert clean("x" * length) == kept


def test_a_document_for_pandoc_cites_each_item_in_a_paragraph_of_its_own():
    [first, second] = document_of([{"id": "a", "n": 1, "l": ["b", {"c": "d"}]}, {"id": "b"}], "de")["blocks"]
    assert [block["t"] for block in (first, second)] == ["Para", "Para"]
    assert first["c"] == [
        {
            "t": "Cite",
            "c": [
                [
                    {
                        "citationId": "a",
                        "citationPrefix": [],
                        "citationSuffix": [],
                        "citationMode": {"t": "NormalCitation"},
                        "citationNoteNum": 0,
                        "citationHash": 0,
                    }
                ],
                [],
            ],
        }
    ]
    assert second["c"][0]["c"][0][0]["citationId"] == "b"


def test_what_pandoc_is_told_of_the_items_is_plain_strings():
    document = document_of([{"id": "a", "n": 1, "l": ["b", {"c": "d"}]}], "de")
    text = {"id": {"t": "MetaString", "c": "a"}, "n": {"t": "MetaString", "c": "1"}}
    listed = {
        "t": "MetaList",
        "c": [{"t": "MetaString", "c": "b"}, {"t": "MetaMap", "c": {"c": {"t": "MetaString", "c": "d"}}}],
    }
    assert document["pandoc-api-version"] == [1, 23, 1]
    assert document["meta"] == {
        "references": {"t": "MetaList", "c": [{"t": "MetaMap", "c": {**text, "l": listed}}]},
        "lang": {"t": "MetaString", "c": "de"},
    }


WORD = {"t": "Str", "c": "a<b"}
SPACE = {"t": "Space"}


@pytest.mark.parametrize(
    ("node", "text", "html"),
    [
        (WORD, "a<b", "a&lt;b"),
        (SPACE, " ", " "),
        ({"t": "SoftBreak"}, " ", " "),
        ({"t": "LineBreak"}, " ", " "),
        ({"t": "Quoted", "c": [{"t": "DoubleQuote"}, [WORD]]}, "“a<b”", "“a&lt;b”"),
        ({"t": "Quoted", "c": [{"t": "SingleQuote"}, [WORD, SPACE]]}, "‘a<b ’", "‘a&lt;b ’"),
        ({"t": "Emph", "c": [WORD]}, "a<b", "<em>a&lt;b</em>"),
        ({"t": "Strong", "c": [WORD]}, "a<b", "<strong>a&lt;b</strong>"),
        ({"t": "Superscript", "c": [WORD]}, "a<b", "<sup>a&lt;b</sup>"),
        ({"t": "Subscript", "c": [WORD]}, "a<b", "<sub>a&lt;b</sub>"),
        ({"t": "SmallCaps", "c": [WORD]}, "a<b", "a&lt;b"),
        ({"t": "Span", "c": [["", [], []], [WORD]]}, "a<b", "a&lt;b"),
        ({"t": "Cite", "c": [[], [WORD]]}, "a<b", "a&lt;b"),
        (
            {"t": "Link", "c": [["", [], []], [WORD], ["https://a.example/?b&c", ""]]},
            "a<b",
            '<a href="https://a.example/?b&amp;c" rel="noopener noreferrer">a&lt;b</a>',
        ),
        (
            {"t": "Link", "c": [["", [], []], [WORD], ["http://a.example", ""]]},
            "a<b",
            '<a href="http://a.example" rel="noopener noreferrer">a&lt;b</a>',
        ),
        ({"t": "Link", "c": [["", [], []], [WORD], ["javascript:a", ""]]}, "a<b", "a&lt;b"),
        ({"t": "RawInline", "c": "x"}, "", ""),
        ("x", "", ""),
    ],
)
def test_each_kind_of_node_is_text_and_html(node, text, html):
    assert (plain([node, WORD]), markup([node, WORD])) == (text + "a<b", html + "a&lt;b")


def test_pandoc_answers_a_document():
    document = {"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": [{"t": "Para", "c": [WORD]}]}
    assert run_pandoc(document, "-t", "plain", limit_s=60.0) == "a<b\n"
    assert pandoc_path.__wrapped__().endswith("pandoc")
