"""Anchoring over generated documents, 2 000 or (PLUMBLINE_TEST_FULL) 10 000: what is found is what was meant."""

import random
from collections.abc import Iterator

import pytest

from citations.anchoring import Anchor, AnchorMatchType, QuotableText, Span, anchor
from citations.quotes.quote_selectors import ChangedQuote, MissingQuote, StillThere, reanchor, selector
from citations.text.approximate_quotes import MAX_PATTERN, edit_distance
from citations.text.quote_normalizing import NormalizedText, normalize
from tests.citations.quoting import FOREIGN, document, edit_words, retypeset, slice_of
from tests.often import IS_FULL

BATCHES = range(10)
DOCUMENTS = 1_000 if IS_FULL else 200  # a batch


def documents(seed: int, count: int = DOCUMENTS) -> Iterator[tuple[random.Random, str]]:
    rng = random.Random(seed)
    for _ in range(count):
        yield rng, document(rng)


def form(words: str) -> str:
    return NormalizedText(words).normal.strip()


def normal_length(quote: str) -> int:
    return len(form(quote))


@pytest.mark.parametrize("seed", BATCHES)
def test_a_quote_in_any_typography_is_found_where_it_stands(seed):
    for rng, text in documents(seed):
        start, words = slice_of(rng, text, rng.randint(4, 14))
        quote = retypeset(rng, words)
        if min(len(" ".join(quote.split())), normal_length(quote.strip("\"'“”"))) < 12:
            continue
        found = anchor(quote, text, hint=start)
        assert found is not None, (quote, text)
        assert found.match_type is not AnchorMatchType.CLOSE, (quote, text)
        assert form(found.span.cut(text)) in (form(quote), form(quote.strip("\"'“”"))), (quote, text)
        assert found.match_type is not AnchorMatchType.EXACT or found.span.cut(text) == quote.strip()


def test_words_as_they_stand_are_exact_and_at_the_hint():
    for rng, text in documents(20, 1_000):
        start, words = slice_of(rng, text, rng.randint(5, 14))
        if normal_length(words) >= 12 and len(words) >= 12:
            assert anchor(words, text, hint=start) == Anchor(
                Span(start, start + len(words)), AnchorMatchType.EXACT, 1.0
            )


def test_up_to_a_tenth_of_edits_is_found_with_the_similarity_that_it_has():
    for rng, text in documents(30, 300):
        _, words = slice_of(rng, text, rng.randint(8, 16))
        if (length := normal_length(words)) < 40:
            continue
        quote = edit_words(rng, words, rng.randint(1, length // 12))
        found = anchor(quote, text)
        if edit_distance(form(quote), form(words)) <= normal_length(quote) // 10:
            assert found is not None, (quote, text)
        if found is not None and found.match_type is AnchorMatchType.CLOSE:
            distance = edit_distance(form(quote.strip("\"'“”")), form(found.span.cut(text)))
            assert found.similarity == pytest.approx(1 - distance / len(form(quote.strip("\"'“”"))))
            assert 0.9 <= found.similarity < 1


def test_a_quote_from_elsewhere_is_not_found():
    for rng, text in documents(40, 500):
        quote = " ".join(rng.choices(FOREIGN.split(), k=rng.randint(4, 30)))
        assert anchor(quote, text) is None


def test_a_quote_with_a_fifth_of_edits_is_not_found():
    for rng, text in documents(50, 400):
        _, words = slice_of(rng, text, rng.randint(8, 16))
        quote = "".join("ѫ" if index % 5 == 2 else each for index, each in enumerate(words))
        if "ѫ" in quote and len(words) > 30:
            assert anchor(quote, text) is None


def test_a_prepared_text_and_its_twin_give_one_answer():
    for rng, text in documents(60, 100):
        prepared = QuotableText(text)
        for _ in range(3):
            start, words = slice_of(rng, text, rng.randint(3, 14))
            quote = edit_words(rng, retypeset(rng, words), 2) if len(words) > 4 else words
            assert anchor(quote, prepared, hint=start) == anchor(quote, text, hint=start)


def test_the_short_way_to_the_normal_form_is_the_long_one():
    alphabet = "aB9 -'\"`.,\n\t\r\x00\x1f"
    rng = random.Random(70)
    for _ in range(3_000):
        text = "".join(rng.choices(alphabet, k=rng.randint(0, 24)))
        assert normalize(text) == NormalizedText(text).normal.strip(), repr(text)


def test_what_moved_is_still_there_and_what_was_cut_out_is_not():
    for rng, text in documents(80, 300):
        start, words = slice_of(rng, text, rng.randint(6, 14))
        if len(words) < 20 or text.count(words) > 1:
            continue
        kept = selector(text, Span(start, start + len(words)))
        before = document(rng, 2)
        moved = reanchor(kept, before + text)
        assert moved == StillThere(Span(len(before) + start, len(before) + start + len(words)))
        assert not isinstance(reanchor(kept, FOREIGN), StillThere | ChangedQuote)


def test_a_passage_rewritten_in_its_place_is_changed_there():
    for rng, text in documents(90, 300):
        start, words = slice_of(rng, text, rng.randint(6, 14))
        prefix, suffix = text[:start], text[start + len(words) :]
        if min(len(form(prefix[-32:])), len(form(suffix[:32]))) < 12 or len(words) < 20:
            continue
        now = reanchor(selector(text, Span(start, start + len(words))), prefix + FOREIGN + suffix)
        assert isinstance(
            now, ChangedQuote | StillThere
        )  # the same words may stand elsewhere in the document
        if isinstance(now, ChangedQuote):
            assert 0 <= now.similarity < 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ud800" * 300,
        "\u0301" * 300,
        "\x00\x07\x1b" * 200,
        "\u202eabc\u202c def ghi jkl mno" * 20,
        "-\n" * 500,
        "…ﬁß" * 200,
        "e\u0301" * 300,
        "\u00ad" * 300,
        " \u200b" * 300,
        "𝔘🙂" * 200,
    ],
    ids=[
        "empty",
        "lone surrogates",
        "marks only",
        "control characters",
        "direction marks",
        "hyphens and line ends",
        "characters of two and three",
        "characters of marks",
        "soft hyphens",
        "invisible spaces",
        "beyond the basic plane",
    ],
)
def test_any_text_gets_an_answer(text):
    for quote in (text, text[3:90], "words that stand in no text at all", text[::2]):
        found = anchor(quote, text, hint=7)
        assert found is None or 0 <= found.span.start < found.span.end <= len(text)
        changed = reanchor(selector(text, Span(0, min(60, len(text)))), text[10:])
        assert isinstance(changed, StillThere | ChangedQuote | MissingQuote)


@pytest.mark.parametrize("unit", ["a", "ab ", "-\n", "e\u0301", "the same words. ", "\u00ad ", "ж"])
def test_in_a_million_characters_of_one_kind_the_place_nearest_to_the_hint_is_found(unit):
    text = QuotableText(unit * (1_000_000 // len(unit)))
    same = anchor(unit * 100, text, hint=500_000)
    assert same is not None
    assert (same.match_type, same.span.cut(text.text)) == (AnchorMatchType.EXACT, (unit * 100).strip())
    assert abs(same.span.start - 500_000) < len(unit)
    for quote in (unit * 100 + "x", "b" + unit * 20, unit * 400 + "zz" + unit * 400):
        found = anchor(quote, text, hint=500_000)
        if found is not None:
            edits = edit_distance(form(quote), form(found.span.cut(text.text)))
            assert found.match_type is AnchorMatchType.CLOSE
            assert found.similarity == pytest.approx(1 - edits / normal_length(quote))
            assert abs(found.span.start - 500_000) < len(quote)


@pytest.mark.parametrize("unit", ["a", "-\n", "the same words. ", "ж"])
def test_a_long_quote_in_a_million_characters_of_one_kind_is_answered(unit):
    text = QuotableText(unit * (1_000_000 // len(unit)))
    found = anchor(unit * 2_000 + "zz" + unit * 2_000, text, hint=500_000)
    # Checking one window takes m² / 64 steps: patterns of more than 10,000 characters are refused.
    assert (found is None) is (4_000 * len(unit) > MAX_PATTERN)


def test_ten_megabytes_are_answered():
    text = "The pump stayed above two at nine of eleven sites — even in winter. " * 150_000
    wanted = "a sentence that stands only once in this long text"
    place = 9_000_000
    text = text[:place] + wanted.upper() + text[place:]
    found = anchor(wanted, text)
    assert found is not None
    assert found.span.start == place


def test_a_quote_as_long_as_the_text_is_answered():
    text = "".join(chr(97 + (index * index) % 23) for index in range(1_000_000))
    assert anchor(text[:-1] + "!", text) is None
    found = anchor(text.upper(), text)
    assert found is not None
    assert found.match_type is AnchorMatchType.NORMALIZED
