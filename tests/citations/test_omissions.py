"""Quotes with an ellipsis: whole where their parts stand in order and near, never where the sense is turned."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.anchoring import MAX_LEFT_OUT, AnchorMatchType, QuotableText, anchor, leaves_out_sense
from citations.text.quote_normalizing import normalize

TEXT = (
    "At minus 15 degrees the Lumen 9 delivered 6.1 kilowatts of heat. Parking in the inner yard is not permitted on "
    "Sundays.\n\nThe Orca 4 is a non-compliant pump; it is quite loud at night, “even” in sum-\nmer. In 2019 it cost "
    "2.3 million francs."
)
WORDS = (
    "amber basin cedar delta ember fjord glade harbour inlet juniper kettle lantern meadow nectar orchard pebble "
    "quarry ridge summit tundra upland valley willow yonder zephyr bramble copper dapple esker fennel"
).split()
MARKS = (" … ", " ... ", " [...] ", " […] ", "… ", " (...) ", " . . . ")
TURNING = (
    "not", "never", "except in winter", "unless asked", "only if", "no", "without", "cannot", "nicht", "kein",
    "keine", "ausser", "außer", "nur", "ohne", "rarely", "if", "doesn’t", "NOT", "jamais",
)  # fmt: skip


def words_of(quote: str, text: str = TEXT) -> str | None:
    found = anchor(quote, text)
    return found.span.cut(text) if found else None


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("At minus 15 degrees … 6.1 kilowatts of heat.", TEXT[:64]),
        ("“at minus 15 degrees [...] kilowatts of heat”", TEXT[:63]),
        (
            "At minus 15, … kilowatts of heat,",
            "At minus 15 degrees the Lumen 9 delivered 6.1 kilowatts of heat",
        ),
        ("The Orca 4 is ... loud at night", "The Orca 4 is a non-compliant pump; it is quite loud at night"),
        ("quite loud at night … in summer", "quite loud at night, “even” in sum-\nmer"),
        ("minus 15 … Lumen 9 … of heat", "minus 15 degrees the Lumen 9 delivered 6.1 kilowatts of heat"),
    ],
)
def test_parts_in_order_anchor_to_the_whole_stretch(quote, words):
    found = anchor(quote, TEXT)
    assert found is not None
    assert (found.span.cut(TEXT), found.match_type) == (words, AnchorMatchType.ELIDED)
    assert found.label == "whole passage of a quote with omissions"


def test_an_ellipsis_at_an_end_leaves_nothing_out_between():
    found = anchor("… the Lumen 9 delivered 6.1 …", TEXT)
    assert found is not None
    assert (found.span.cut(TEXT), found.match_type) == (
        "the Lumen 9 delivered 6.1",
        AnchorMatchType.NORMALIZED,
    )


def test_with_an_ellipsis_at_an_end_the_rest_may_be_close():
    found = anchor("… at minus 15 degree the Lumen 9 delivered 6.1 kilowatts …", TEXT)
    assert found is not None
    assert found.match_type is AnchorMatchType.CLOSE
    assert found.span.cut(TEXT) == "At minus 15 degrees the Lumen 9 delivered 6.1 kilowatts"


def test_an_ellipsis_of_the_source_is_its_own():
    text = "He said: well... perhaps we shall see, and left."
    found = anchor("well... perhaps we shall see", text)
    assert found is not None
    assert found.match_type is AnchorMatchType.EXACT
    found = anchor("well... perhaps we shell see, and left", text)
    assert found is not None
    assert found.match_type is AnchorMatchType.CLOSE


@pytest.mark.parametrize(
    "quote",
    [
        "Parking in the inner yard is … permitted on Sundays",  # not
        "kilowatts of heat … At minus 15 degrees",  # swapped
        "The Orca 4 is a … compliant pump",  # half of a word
        "delivered 6.1 kilowatts … loud at night",  # of two paragraphs
        "In 2019 it cost 2 … million francs",  # half of a figure
        "At minus 15 degrees … 7.4 kilowatts of heat",  # another figure
        "In 2019 it cost … -2.3 million francs",  # another sign
        "is … it",  # words that stand everywhere
        "… … …",
        "…",
    ],
)
def test_what_the_text_does_not_say_so_is_refused(quote):
    assert anchor(quote, TEXT) is None


@pytest.mark.parametrize("text", ["The day reached -31 °C in Kiruna.", "It delivered 10–31 °C in all."])
def test_a_sign_or_a_range_is_not_cut(text):
    first = text.split()[:2]
    assert anchor(f"{' '.join(first)} … 31 °C in", text) is None


def test_a_quote_with_an_ellipsis_is_never_taken_for_a_close_one():
    """Within a tenth of edits of the words that it turns round."""
    text = (
        "In all of the eleven towns of the canton that were looked at, parking is not permitted on a Sunday."
    )
    quote = (
        "In all of the eleven towns of the canton that were looked at, parking is ... permitted on a Sunday."
    )
    assert anchor(quote, text) is None
    assert leaves_out_sense(quote, text)
    assert not leaves_out_sense("delivered … kilowatts of cold", TEXT)


def test_the_place_next_to_the_hint_is_taken():
    text = f"{TEXT[:64]} {TEXT[:64]}"
    found = anchor("At minus 15 degrees … kilowatts of heat.", text, hint=65)
    assert found is not None
    assert (found.span.start, found.span.end) == (65, len(text))


def test_other_parts_are_tried_where_the_first_lead_nowhere():
    text = (
        "The pump is good. Later, much later and after many words, the pump is heard at night by neighbours."
    )
    assert words_of("the pump is heard … by neighbours", text) == "the pump is heard at night by neighbours"


@pytest.mark.parametrize("unit", ["a", "ab ", "the same words. ", "- "])
def test_a_million_characters_of_one_kind_are_answered(unit):
    text = QuotableText(unit * (1_000_000 // len(unit)))
    anchor(f"{(unit * 12).strip()} … {(unit * 12).strip()} … words that are not there", text)


sequences = st.lists(st.sampled_from(WORDS), min_size=12, max_size=24, unique=True)
marks = st.sampled_from(MARKS)


@given(sequences, marks, st.data())
def test_any_two_parts_in_their_order_anchor_from_the_first_to_the_last(words, mark, data):
    first_end = data.draw(st.integers(2, len(words) - 5))
    second = data.draw(st.integers(first_end + 1, len(words) - 3))
    text = f"Before it. {' '.join(words)}. After it."
    quote = f"{' '.join(words[:first_end])}{mark}{' '.join(words[second:])}"
    found = anchor(quote, text)
    assert found is not None
    assert (found.span.cut(text), found.match_type) == (" ".join(words), AnchorMatchType.ELIDED)


@given(sequences, marks, st.integers(3, 8))
def test_swapped_parts_do_not_anchor(words, mark, cut):
    text = f"Before it. {' '.join(words)}. After it."
    assert anchor(f"{' '.join(words[cut:])}{mark}{' '.join(words[:cut])}", text) is None


@given(sequences, marks, st.integers(1, 400))
def test_parts_that_stand_far_apart_do_not_anchor(words, mark, further):
    cut = len(words) // 2
    between = "x" * (MAX_LEFT_OUT + further)
    text = f"{' '.join(words[:cut])} {between} {' '.join(words[cut:])}"
    assert anchor(f"{' '.join(words[:cut])}{mark}{' '.join(words[cut:])}", text) is None


@given(sequences, marks, st.sampled_from(TURNING), st.data())
def test_what_turns_the_sense_may_not_be_left_out(words, mark, turning, data):
    """Wherever it stands among what is left out, and whatever stands beside it."""
    cut = data.draw(st.integers(3, len(words) - 6))
    gap = data.draw(st.integers(0, 3))
    left_out = [*words[cut : cut + gap]]
    left_out.insert(data.draw(st.integers(0, gap)), turning)
    head, tail = words[:cut], words[cut + gap :]
    text = f"Before it. {' '.join([*head, *left_out, *tail])}. After it."
    quote = f"{' '.join(head)}{mark}{' '.join(tail)}"
    assert anchor(quote, text) is None
    assert leaves_out_sense(quote, text)


@given(sequences, marks, st.integers(3, 8), st.sampled_from(["otter", "14.7", "heron marsh"]))
def test_parts_with_another_word_do_not_anchor(words, mark, cut, other):
    text = " ".join(words)
    changed = [*words[cut + 1 :]]
    changed[1] = other
    assert anchor(f"{' '.join(words[:cut])}{mark}{' '.join(changed)}", text) is None


@given(st.lists(sequences, min_size=2, max_size=4), marks, st.randoms(use_true_random=False))
def test_whatever_anchors_has_all_parts_in_their_order(passages, mark, rng: random.Random):
    """Parts drawn anywhere: an anchor stands on one passage, and its words have the parts one after the other."""
    text = "\n\n".join(" ".join(words) for words in passages)
    parts = []
    for _ in range(rng.randint(2, 3)):
        words = rng.choice(passages)
        start = rng.randrange(len(words) - 2)
        parts.append(" ".join(words[start : start + rng.randint(2, 4)]))
    found = anchor(mark.join(parts), text)
    if found is None:
        return
    said, position = normalize(found.span.cut(text)), 0
    for part in map(normalize, parts):
        position = said.find(part, position)
        assert position >= 0
        position += len(part)
    assert "\n\n" not in found.span.cut(text)
