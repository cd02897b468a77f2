import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.comparing.changes import REPLACING, TURNING, Kind
from citations.comparing.comparison import compare_terms


def kinds(a: str, b: str) -> set[Kind]:
    return {change.kind for change in compare_terms(a, b).changes}


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("The mill ground 40 sacks a day.", "The mill ground 55 sacks a day.", Kind.FIGURE),
        ("The painter was born in 1869 in Rome.", "The painter was born in 1867 in Rome.", Kind.TIME),
        ("The ship sailed from Lima to Oslo.", "The ship sailed from Lima to Quito.", Kind.NAME),
        ("Their exports rose last spring.", "Their exports fell last spring.", Kind.OPPOSITE),
        ("She finished second in the race.", "She finished third in the race.", Kind.ORDER),
        ("Most pupils passed the test.", "Some pupils passed the test.", Kind.SCOPE),
        ("It runs on wind and water.", "It runs on wind or water.", Kind.LOGIC),
        ("Guests may leave early.", "Guests should leave early.", Kind.MODAL),
        ("The hall is lit by lamps.", "The hall is lit by torches.", Kind.WORD),
        ("The bridge is open.", "The bridge is not open.", Kind.NEGATION),
        ("The foxes chased the hens.", "The hens chased the foxes.", Kind.SWAP),
        ("The mill burned.", "The mill burned in 1802.", Kind.MORE_TIMES),
        ("The mill burned.", "The old mill burned.", Kind.MORE_WORDS),
        ("It cost 40 pounds.", "It cost more than 40 pounds.", Kind.MORE_ORDER),
        ("Dogs may enter.", "Only dogs may enter.", Kind.MORE_SCOPE),
        ("He likes pop corn.", "He likes popcorn.", Kind.FORM),
    ],
)
def test_what_a_change_does(a, b, kind):
    assert kind in kinds(a, b)
    assert kind in kinds(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("In May the mill burned.", "The mill burned in May."),
        ("The mill sold 12,000 sacks.", "The mill sold 12000 sacks."),
        ("The mill sold twelve sacks.", "A mill sells 12 sacks!"),
        ("It opened on 3 May 1987.", "It opened on May 3, 1987."),
        ("It opened in 1987.", "It opened in March 1987."),
        ("About 12 % left.", "About 12 percent left."),
        ("The World Food Board met in Oslo.", "The WFB met in Oslo."),
    ],
)
def test_order_format_and_inflection_change_nothing(a, b):
    assert not kinds(a, b) & (REPLACING | TURNING)


def test_both_sides_of_a_change_are_named():
    (change,) = compare_terms("The mill ground 40 sacks.", "The mill ground 55 sacks.").changes
    assert change.text in ("“40” against “55”", "“40 sacks” against “55 sacks”")


def test_an_addition_names_its_one_side():
    (change,) = compare_terms("The mill burned.", "The old mill burned.").changes
    assert change.sides == ("", "old")
    assert change.text == "“old”"


def test_all_and_each_limit_nothing():
    assert kinds("Salts are unique.", "Each salt is unique.") <= {Kind.MORE_WORDS}


def test_a_long_stretch_is_rewritten_and_not_replaced():
    a = "The mill ground barley wheat rye oats maize there."
    b = "The mill spun cotton wool silk linen hemp there."
    assert Kind.REWRITTEN in kinds(a, b)
    assert Kind.WORD not in kinds(a, b)


def test_a_contained_statement_is_carried_whole():
    found = compare_terms("The mill burned.", "The mill burned in 1802 when the miller was away in Oslo.")
    assert found.carried == 1.0
    assert min(found.covered) < 0.6


def test_names_and_figures_weigh_twice_in_what_is_covered():
    found = compare_terms("The old mill burned.", "The old mill burned in 1802.")
    assert min(found.covered) == pytest.approx(3 / 5)


TEXTS = st.lists(
    st.sampled_from(
        "the old mill did not burn in 1802 1803 Oslo Lima 40 55 sacks more less only or and".split()
    ),
    max_size=12,
).map(" ".join)


@given(TEXTS, TEXTS)
def test_exchanging_the_statements_exchanges_the_sides(a, b):
    one, other = compare_terms(a, b), compare_terms(b, a)
    assert one.covered == other.covered[::-1]
    assert (one.in_order, one.shared) == (other.in_order, other.shared)
    assert sorted(change.kind for change in one.changes) == sorted(change.kind for change in other.changes)


@given(st.text(max_size=80))
def test_a_text_does_not_differ_from_itself(text):
    found = compare_terms(text, text)
    assert (found.changes, found.covered, found.in_order) == ((), (1.0, 1.0), 1.0)


@given(st.text(max_size=80), st.text(max_size=80))
def test_shares_are_shares(a, b):
    found = compare_terms(a, b)
    assert all(0 <= share <= 1 for share in (*found.covered, found.in_order, found.carried))
