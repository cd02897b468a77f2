import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.anchoring import AnchorMatchType, QuotableText, Span
from citations.quotes.locate_quotes import AttributedQuote, FabricatedQuote, MisattributedQuote, locate
from citations.quotes.quote_selectors import (
    ChangedQuote,
    MissingQuote,
    StillThere,
    TextQuoteSelector,
    reanchor,
    selector,
)

TEXT = (
    "Passwords are kept hashed. The work factor is 310,000 iterations or more. "
    "Salts are unique. In the older edition the work factor was lower, as servers were slower."
)
QUOTE = "The work factor is 310,000 iterations or more."
START = TEXT.index(QUOTE)
KEPT = selector(TEXT, Span(START, START + len(QUOTE)))


def test_a_selector_keeps_32_characters_on_either_side():
    assert KEPT.exact == QUOTE
    assert KEPT.prefix == TEXT[:START][-32:]
    assert KEPT.suffix == TEXT[START + len(QUOTE) :][:32]


def test_a_selector_at_the_edges_of_a_text_has_no_surroundings():
    assert selector("whole text", Span(0, 10)) == TextQuoteSelector("whole text")


def test_a_quote_in_an_unchanged_text_is_still_there():
    assert reanchor(KEPT, TEXT) == StillThere(Span(START, START + len(QUOTE)))


def test_a_quote_that_moved_is_still_there():
    moved = "A new introduction was added here. " + TEXT
    assert reanchor(KEPT, moved) == StillThere(Span(START + 35, START + 35 + len(QUOTE)))


def test_other_typography_is_still_there():
    copy = TEXT.replace("work factor is", "WORK  FACTOR\nis")
    found = reanchor(KEPT, copy)
    assert isinstance(found, StillThere)
    assert found.span.cut(copy).startswith("The WORK")


def test_of_repeated_words_the_one_with_the_old_surroundings_is_taken():
    text = "Alpha says it is so. Beta says it is so. Gamma says it is so."
    middle = text.index("says it is so", 10)
    kept = selector(text, Span(middle, middle + 13))
    assert reanchor(kept, "New. " + text) == StillThere(Span(middle + 5, middle + 18))


def test_short_words_need_their_surroundings():
    kept = TextQuoteSelector("8 characters", "a minimum of ", " in length")
    assert (
        reanchor(TextQuoteSelector("8 chars", "a minimum of ", " in length"), "has 8 chars only")
        == MissingQuote()
    )
    assert isinstance(reanchor(kept, "has a minimum of 8 characters in length"), StillThere)


def test_an_edited_figure_is_changed():
    copy = TEXT.replace("310,000", "600,000")
    found = reanchor(KEPT, copy)
    assert isinstance(found, ChangedQuote)
    assert found.span.cut(copy) == QUOTE.replace("310,000", "600,000")
    assert found.similarity < 1


def test_a_rewritten_sentence_between_the_old_surroundings_is_changed():
    copy = TEXT.replace(QUOTE, "Use Argon2id with 19 MiB of memory.")
    found = reanchor(KEPT, copy)
    assert isinstance(found, ChangedQuote)
    assert found.span.cut(copy) == "Use Argon2id with 19 MiB of memory."


def test_a_deleted_passage_is_gone():
    assert reanchor(KEPT, "Another page altogether, about something else.") == MissingQuote()


def test_a_quote_cut_out_of_its_surroundings_is_gone():
    assert reanchor(KEPT, TEXT.replace(QUOTE + " ", "")) == MissingQuote()


SOURCES = {
    "a": "The salt shall be at least 32 bits in length.",
    "b": "Use a work factor of 600,000 or more. The SALT shall be at least 32 bits in length.",
    "c": "A work factor of 600,000 or more is used.",
}


def test_a_quote_in_the_named_source_is_named():
    found = locate("shall be at least 32 bits", SOURCES, "a")
    assert isinstance(found, AttributedQuote)
    assert found.source == "a"


def test_a_quote_in_another_source_is_misattributed():
    found = locate("Use a work factor of 600,000", SOURCES, "a")
    assert isinstance(found, MisattributedQuote)
    assert found.source == "b"


def test_an_exact_match_goes_before_a_normalized_one_in_an_earlier_source():
    found = locate(
        "a work factor of 600,000 or more", {"x": "", "n": "A work factor of 600,000 or more."} | SOURCES, "x"
    )
    assert isinstance(found, MisattributedQuote)
    assert (found.source, found.anchor.match_type) == ("b", AnchorMatchType.EXACT)


def test_a_quote_found_nowhere_is_fabricated():
    assert locate("Passwords must be rotated monthly", SOURCES, "a") == FabricatedQuote()


def test_a_named_source_outside_the_evidence_is_an_error():
    with pytest.raises(KeyError):
        locate("shall be at least 32 bits", SOURCES, "z")


@given(st.text(min_size=12, max_size=300), st.data())
def test_any_span_is_still_there_in_the_same_text(text, data):
    start = data.draw(st.integers(0, len(text) - 12))
    end = data.draw(st.integers(start + 12, len(text)))
    found = reanchor(selector(text, Span(start, end)), text)
    assert isinstance(found, StillThere)
    assert found.span.cut(text) == text[start:end]


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_changed_text_gets_an_answer(exact, text):
    assert isinstance(reanchor(TextQuoteSelector(exact), text), StillThere | ChangedQuote | MissingQuote)


def test_a_number_that_grew_a_digit_is_not_still_there():
    text = "A minimum of 5 characters is required by the policy. Longer ones are better by far."
    start = text.index("5 characters")
    kept = selector(text, Span(start, start + len("5 characters is required by the policy.")))
    copy = text.replace("5 characters", "15 characters")
    found = reanchor(kept, copy)
    assert isinstance(found, ChangedQuote)


def test_a_quote_that_always_began_within_a_word_is_still_there():
    text = "The unsafe passwords of the older edition are listed here."
    kept = selector(text, Span(text.index("safe"), text.index(" are")))
    assert isinstance(reanchor(kept, "New. " + text), StillThere)


def test_surroundings_in_other_typography_still_tell_the_place():
    copy = TEXT.replace(QUOTE, "Use Argon2id with 19 MiB.").replace("are kept hashed", "ARE  kept\nhashed")
    found = reanchor(KEPT, copy)
    assert isinstance(found, ChangedQuote)
    assert found.span.cut(copy) == "Use Argon2id with 19 MiB."


def test_an_edit_that_reached_into_the_surroundings_leaves_the_nearer_part():
    copy = TEXT.replace(QUOTE, "Use Argon2id with 19 MiB.").replace("Passwords are", "Secrets will be")
    found = reanchor(KEPT, copy)
    assert isinstance(found, ChangedQuote)
    assert found.span.cut(copy) == "Use Argon2id with 19 MiB."


def test_short_words_in_other_typography_between_their_surroundings_are_still_there():
    kept = TextQuoteSelector("8 “chars”", "it has a minimum of ", " in length at all times")
    copy = 'it has a minimum of 8 "chars" in length at all times'
    found = reanchor(kept, copy)
    assert isinstance(found, StillThere)
    assert found.span.cut(copy) == '8 "chars"'


def test_a_sentence_that_was_moved_and_edited_is_changed_where_it_is_now():
    copy = "Another beginning. " + QUOTE.replace("more", "less") + " Another end of it all."
    found = reanchor(KEPT, copy)
    assert isinstance(found, ChangedQuote)
    assert found.span.cut(copy) == QUOTE.replace("more", "less")
    assert 0.9 < found.similarity < 1


def test_a_heading_in_the_other_source_does_not_make_a_quote_misattributed():
    title = "Storage of passwords in databases"
    barred = QuotableText(title + "\n\nSalted.", [Span(0, len(title))])
    assert locate(title, {"a": "Nothing here.", "b": barred}, "a") == FabricatedQuote()


def test_what_is_close_elsewhere_goes_behind_what_is_exact_elsewhere():
    quote = "a work factor of 600,000 or more is advised"
    sources = {"n": "", "close": quote.replace("advised", "advisep"), "exact": f"We say: {quote}."}
    found = locate(quote, sources, "n")
    assert isinstance(found, MisattributedQuote)
    assert found.source == "exact"


@pytest.mark.parametrize("text", ["", TEXT])
def test_a_selector_without_words_and_surroundings_is_gone(text):
    assert reanchor(TextQuoteSelector(""), text) == MissingQuote()
