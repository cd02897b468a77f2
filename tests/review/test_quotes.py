"""The words that a reviewer reads around a quote."""

from citations.models import Citation
from research.review.review_evidence import CONTEXT, around


def make_citation(text: str, quote: str) -> Citation:
    start = text.index(quote)
    row = Citation(start_offset=start, end_offset=start + len(quote))
    vars(row)["around"] = text[max(0, start - CONTEXT) : start + len(quote) + CONTEXT]
    return row


def test_where_more_stands_around_a_quote_no_word_of_it_is_cut():
    before, after = around(make_citation("measured " * 90 + "QUOTE " + "winters " * 90, "QUOTE"))
    assert before.startswith("…measured ")
    assert after.endswith(" winters…")


def test_where_the_text_begins_and_ends_with_it_nothing_is_left_out():
    assert around(make_citation("One QUOTE more.", "QUOTE")) == ("One ", " more.")


def test_a_text_without_blanks_keeps_its_surroundings():
    before, after = around(
        make_citation("測定値は二を上回った。" * 60 + "QUOTE" + "冬は穏やかだった。" * 60, "QUOTE")
    )
    assert (len(before), len(after)) == (CONTEXT + 1, CONTEXT + 1)
    assert (before[0], after[-1]) == ("…", "…")
