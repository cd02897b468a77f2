import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.claim_statement_changes import REPLACING, TURNING, ChangeKind
from citations.contradiction.compare_claim_statements import compare_terms


def kinds(a: str, b: str) -> set[ChangeKind]:
    return {change.kind for change in compare_terms(a, b).changes}


@pytest.mark.parametrize(
    ("a", "b", "changes", "covered", "in_order", "shared"),
    [
        (
            "The mill ground 40 sacks a day.",
            "The mill ground 55 sacks a day.",
            [(ChangeKind.FIGURE, "40", "55")],
            (0.6667, 0.6667),
            0.8571,
            4,
        ),
        (
            "The painter was born in 1869 in Rome.",
            "The painter was born in 1867 in Rome.",
            [(ChangeKind.TIME, "1869", "1867")],
            (0.6667, 0.6667),
            0.875,
            3,
        ),
        (
            "The ship sailed from Lima to Oslo.",
            "The ship sailed from Lima to Quito.",
            [(ChangeKind.NAME, "Oslo", "Quito")],
            (0.6667, 0.6667),
            0.8571,
            3,
        ),
        (
            "Their exports rose last spring.",
            "Their exports fell last spring.",
            [(ChangeKind.OPPOSITE, "rose", "fell")],
            (0.8, 0.8),
            0.8,
            3,
        ),
        (
            "She finished second in the race.",
            "She finished third in the race.",
            [(ChangeKind.ORDER, "second", "third")],
            (0.5, 0.5),
            0.8333,
            2,
        ),
        (
            "Most pupils passed the test.",
            "Some pupils passed the test.",
            [(ChangeKind.SCOPE, "Most", "Some")],
            (0.6, 0.6),
            0.8,
            3,
        ),
        (
            "It runs on wind and water.",
            "It runs on wind or water.",
            [(ChangeKind.LOGIC, "and", "or")],
            (1.0, 1.0),
            0.8333,
            3,
        ),
        (
            "Guests may leave early.",
            "Guests should leave early.",
            [(ChangeKind.MODAL, "may", "should")],
            (0.8889, 0.8889),
            0.75,
            3,
        ),
        (
            "The hall is lit by lamps.",
            "The hall is lit by torches.",
            [(ChangeKind.WORD, "lamps", "torches")],
            (0.6667, 0.6667),
            0.8333,
            2,
        ),
        (
            "The bridge is open.",
            "The bridge is not open.",
            [(ChangeKind.NEGATION, "", "not")],
            (1.0, 0.5),
            0.8889,
            2,
        ),
        (
            "The foxes chased the hens.",
            "The hens chased the foxes.",
            [(ChangeKind.SWAP, "foxes", "hens")],
            (1.0, 1.0),
            0.6,
            1,
        ),
        (
            "The mill burned.",
            "The mill burned in 1802.",
            [(ChangeKind.MORE_TIMES, "", "1802")],
            (1.0, 0.5),
            0.75,
            2,
        ),
        (
            "The mill burned.",
            "The old mill burned.",
            [(ChangeKind.MORE_WORDS, "", "old")],
            (1.0, 0.6667),
            0.8571,
            2,
        ),
        (
            "It cost 40 pounds.",
            "It cost more than 40 pounds.",
            [(ChangeKind.MORE_ORDER, "", "more")],
            (1.0, 0.6),
            0.75,
            2,
        ),
        (
            "Dogs enter.",
            "Only dogs may enter Oslo 3 times.",
            [
                (ChangeKind.MORE_SCOPE, "", "Only"),
                (ChangeKind.MORE_MODALS, "", "may"),
                (ChangeKind.MORE_FIGURES, "", "3"),
                (ChangeKind.MORE_NAMES, "", "Oslo"),
                (ChangeKind.MORE_WORDS, "", "times"),
            ],
            (1.0, 0.2105),
            0.4444,
            2,
        ),
        (
            "Salts are unique.",
            "Each salt is unique.",
            [(ChangeKind.MORE_WORDS, "", "Each")],
            (1.0, 0.5),
            0.8571,
            2,
        ),
        (
            "He likes pop corn.",
            "He likes popcorn.",
            [(ChangeKind.FORM, "pop corn", "popcorn")],
            (0.3333, 0.5),
            0.5714,
            1,
        ),
        (
            "The World Food Board met.",
            "The WFB met.",
            [(ChangeKind.FORM, "World Food Board", "WFB")],
            (0.1429, 0.3333),
            0.5,
            1,
        ),
        (
            "The U.S.S.R. met.",
            "The USSR met.",
            [(ChangeKind.FORM, "U.S.S.R", "USSR")],
            (0.5, 0.3333),
            0.6667,
            1,
        ),
        (
            "The mill ground barley wheat rye oats.",
            "The mill spun cotton wool silk linen.",
            [
                (ChangeKind.REWRITTEN, "ground barley wheat rye oats", "spun cotton wool silk linen"),
                (ChangeKind.MORE_WORDS, "ground barley wheat rye oats", ""),
                (ChangeKind.MORE_WORDS, "", "spun cotton wool silk linen"),
            ],
            (0.1667, 0.1667),
            0.2857,
            1,
        ),
        (
            "The mill ground barley wheat rye oats maize there.",
            "The mill spun cotton wool silk linen hemp there.",
            [
                (
                    ChangeKind.REWRITTEN,
                    "ground barley wheat rye oats maize",
                    "spun cotton wool silk linen hemp",
                ),
                (ChangeKind.MORE_WORDS, "ground barley wheat rye oats maize", ""),
                (ChangeKind.MORE_WORDS, "", "spun cotton wool silk linen hemp"),
            ],
            (0.1429, 0.1429),
            0.3333,
            1,
        ),
        (
            "The team of Oslo won in 1802.",
            "The team of Bergen lost in 1803.",
            [
                (ChangeKind.OPPOSITE, "won", "lost"),
                (ChangeKind.NAME, "Oslo", "Bergen"),
                (ChangeKind.TIME, "1802", "1803"),
            ],
            (0.1667, 0.1667),
            0.5714,
            1,
        ),
        (
            "The hall holds 40 men in Oslo.",
            "The hall holds 55 women in Lima.",
            [
                (ChangeKind.FIGURE, "40", "55"),
                (ChangeKind.WORD, "men", "women"),
                (ChangeKind.NAME, "Oslo", "Lima"),
            ],
            (0.2857, 0.2857),
            0.5714,
            2,
        ),
        (
            "The hall holds most men.",
            "The hall holds fewer men.",
            [(ChangeKind.ORDER, "most", "fewer")],
            (0.6, 0.6),
            0.8,
            3,
        ),
        (
            "The hall opened 40.",
            "The hall opened in 1802.",
            [(ChangeKind.FIGURE, "40", "1802")],
            (0.5, 0.5),
            0.6667,
            2,
        ),
        (
            "The hall is for Norway alone.",
            "The hall is for children alone.",
            [(ChangeKind.WORD, "Norway", "children")],
            (0.6, 0.75),
            0.8333,
            2,
        ),
        ("In May the mill burned.", "The mill burned in May.", [], (1.0, 1.0), 0.6, 2),
        (
            "The mill may grind wheat.",
            "The mill grinds wheat or rye.",
            [(ChangeKind.MORE_MODALS, "may", ""), (ChangeKind.MORE_WORDS, "", "rye")],
            (0.8571, 0.75),
            0.7273,
            3,
        ),
        ("", "The mill.", [(ChangeKind.MORE_WORDS, "", "mill")], (1.0, 0.0), 0.0, 0),
        ("", "", [], (1.0, 1.0), 1.0, 0),
        ("the of", "a an", [], (1.0, 1.0), 0.0, 0),
    ],
)
def test_a_comparison_tells_every_change_and_how_much_meets(a, b, changes, covered, in_order, shared):
    found = compare_terms(a, b)
    assert [(change.kind, *change.sides) for change in found.changes] == changes
    assert found.covered == pytest.approx(covered, abs=1e-4)
    assert found.in_order == pytest.approx(in_order, abs=1e-4)
    assert found.shared == shared


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
    assert kinds("Salts are unique.", "Each salt is unique.") <= {ChangeKind.MORE_WORDS}


def test_a_long_stretch_is_rewritten_and_not_replaced():
    a = "The mill ground barley wheat rye oats maize there."
    b = "The mill spun cotton wool silk linen hemp there."
    assert ChangeKind.REWRITTEN in kinds(a, b)
    assert ChangeKind.WORD not in kinds(a, b)


def test_a_contained_statement_is_carried_whole():
    found = compare_terms("The mill burned.", "The mill burned in 1802 when the miller was away in Oslo.")
    assert found.carried_share == 1.0
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
    assert all(0 <= share <= 1 for share in (*found.covered, found.in_order, found.carried_share))
