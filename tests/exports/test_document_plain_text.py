"""Sentences of Markdown sources as they are told: without marks, while text and quotes stay as they stand."""

import pytest
from django.utils.translation import override

from exports.document.document_plain_text import MARKDOWN, RST, TEXT, as_read, plain
from exports.formats.export_options import ExportOptions
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import BlockQuote, Heading, Paragraph, StyledText
from slides.outline import outline_deck
from tests.exports.drafting import Draft, prose

MARKED = "**Use** `ef_search` for [recall](https://faiss.example/a_b), _not_ speed."
TOLD = "Use ef_search for recall, not speed."


@pytest.mark.parametrize(
    ("markdown", "told"),
    [
        (MARKED, TOLD),
        ("**Note: it is slow.", "Note: it is slow."),
        ("It is slow.**", "It is slow."),
        ("one<br>two <b>big</b>", "one two big"),
        (r"a\_b &amp; c", "a_b & c"),
        ("!!! note `256` does not work for every dataset.", "256 does not work for every dataset."),
        ("see <https://faiss.example>", "see https://faiss.example"),
        ("![recall](curve.png) rises", "recall rises"),
    ],
)
def test_marks_that_only_change_the_look_are_not_told(markdown, told):
    assert plain(markdown) == told


@pytest.mark.parametrize(
    "text",
    [
        "Recall rose by 12 percent.",
        "The size is 2 * 3 * 4 and a*b*c bytes.",
        "Call __init__ with snake_case names.",
        "Vec<T> holds 10<sup>6</sup> vectors.",
        "hnsw | 0.95 | 12 ms",
        "2 < 3 and 5 > 4",
        "*",
    ],
)
def test_marks_that_may_be_a_part_of_what_is_said_stay(text):
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The default ``parallelism`` is 5.", "The default parallelism is 5."),
        (
            "Sessions end with :setting:`SESSION_EXPIRE_AT_BROWSER_CLOSE`.",
            "Sessions end with SESSION_EXPIRE_AT_BROWSER_CLOSE.",
        ),
        (
            "Use :class:`~django.db.Model`, and :ref:`that page <there>`.",
            "Use django.db.Model, and that page.",
        ),
        ("One `recommendation <https://one.example/a_b/>`_ is 0.5 ms.", "One recommendation is 0.5 ms."),
    ],
)
@pytest.mark.parametrize("kind", [RST, TEXT])
def test_marks_of_restructuredtext_are_not_told_whatever_its_file_is_called(kind, text, told):
    assert as_read(text, [kind]) == told


def test_marks_that_plain_text_may_have_as_well_are_left_where_nothing_says_what_it_is():
    marked = "Press `q`, *then* **wait** for a*b*c and 2 * 3 * 4."
    assert as_read(marked, [TEXT]) == marked
    assert as_read(marked, [RST]) == "Press q, then wait for a*b*c and 2 * 3 * 4."
    assert as_read(marked, ["text/html"]) == marked


def document(media_type: str):
    draft = Draft("marks")
    claim = draft.claim(MARKED, draft.source(media_type=media_type))
    draft.section("Speed", prose(claim))
    return draft.document("What is fast?", summary=(MARKED,))


def test_only_sentences_of_markdown_are_told_without_marks():
    assert [document(kind).claims[0].plain_text for kind in (MARKDOWN, "text/html")] == [TOLD, MARKED]


def test_text_and_quote_of_the_claim_stay_as_they_stand_in_the_source():
    claim = document(MARKDOWN).claims[0]
    assert (claim.text, claim.citations[0].quote) == (MARKED, MARKED)


def test_the_answer_is_told_and_still_leads_to_its_claim():
    (sentence,) = document(MARKDOWN).answer
    assert (sentence.text, sentence.claim and sentence.claim.number) == (TOLD, 1)


def test_paper_tells_it_plainly_and_quotes_it_exactly():
    nodes = build_paper(document(MARKDOWN), ExportOptions()).nodes
    evidence = next(n for n, one in enumerate(nodes) if isinstance(one, Heading) and one.anchor == "evidence")
    said = [
        line.text
        for node in nodes
        if isinstance(node, Paragraph)
        for line in node.content
        if isinstance(line, StyledText)
    ]
    assert TOLD in said
    assert MARKED not in said
    quotes = [one for one in nodes[evidence:] if isinstance(one, BlockQuote)]
    assert any(
        isinstance(line, StyledText) and line.text == MARKED for quote in quotes for line in quote.content
    )


def test_slides_tell_it_plainly():
    deck = outline_deck(document(MARKDOWN))
    assert TOLD in {passage.text for slide in deck.slides for passage in slide.passages}
    assert deck.claims[0].text == TOLD
    assert deck.claims[0].quotes == ((1, MARKED),)


def test_what_was_counted_from_a_table_is_told_in_the_readers_language_and_quotes_are_not():
    draft = Draft("studies")
    counted, quoted = "On Schlaf, 2 studies agree: they report harm.", "On sleep, two studies agree."
    claims = [draft.claim(text, draft.source()) for text in (counted, quoted)]
    draft.section("Agreement", prose(*claims))
    made = draft.document("What do they find?")
    with override("de"):
        assert [claim.plain_text for claim in made.claims] == [
            "Bei „Schlaf“ stimmen 2 Studien überein: Sie berichten Schaden.",
            quoted,
        ]
    assert [claim.plain_text for claim in made.claims] == [counted, quoted]
