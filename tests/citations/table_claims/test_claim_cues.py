import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.table_claims.claim_cues import CueKind, find_cues
from citations.table_claims.claim_tokens import tokens


def kinds(claim):
    return [cue.kind for cue in find_cues(tokens(claim))]


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("the highest fee", CueKind.EXTREME),
        ("most visitors", CueKind.EXTREME),
        ("most of the visitors", CueKind.MOST),
        ("the majority", CueKind.MOST),
        ("larger than that", CueKind.COMPARATIVE),
        ("before noon", CueKind.COMPARATIVE),
        ("as many as the others", CueKind.EQUAL),
        ("the same fee", CueKind.EQUAL),
        ("won twice", CueKind.TIMES),
        ("the only one", CueKind.ONLY),
        ("every lido", CueKind.ALL),
        ("none of them", CueKind.NONE),
        ("it is not open", CueKind.NOT),
        ("it isn't open", CueKind.NOT),
        ("a total of 5", CueKind.TOTAL),
        ("on average", CueKind.MEAN),
        ("the commonest and most common", CueKind.FREQUENT),
        ("three different ones", CueKind.DISTINCT),
    ],
)
def test_a_word_that_asks_for_work_is_a_cue(claim, kind):
    assert kind in kinds(claim)


@pytest.mark.parametrize("claim", ["", "Sandhithe opened in 1949", "they won t-shirts of wool"])
def test_other_words_are_none(claim):
    assert CueKind.EXTREME not in kinds(claim)
    assert CueKind.ONLY not in kinds(claim)


@pytest.mark.parametrize(
    ("greater", "less"),
    [("highest", "lowest"), ("most", "fewest"), ("latest", "earliest"), ("more", "fewer")],
)
def test_opposites_have_opposite_signs(greater, less):
    (up,), (down,) = find_cues(tokens(greater)), find_cues(tokens(less))
    assert (up.kind, up.sign) == (down.kind, -down.sign)


def test_times_have_a_value():
    assert [cue.value for cue in find_cues(tokens("once or twice"))][0::2] == [1, 2]


@given(st.lists(st.sampled_from("most of the as many not highest isn t only".split()), max_size=12))
def test_cues_are_in_order_and_inside_the_claim(words):
    found = tokens(" ".join(words))
    cues = find_cues(found)
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)
    assert all(0 <= cue.start < cue.end <= len(found) for cue in cues)
