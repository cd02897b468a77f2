"""A verdict on two claims rests on gates, tested one by one."""

import pytest

from citations.contradiction.claim_comparison_measures import ComparedClaim, Gates, measure
from citations.dates.find_dates import parse_iso
from citations.quantities.compare_amounts import Match


def measure_pair(a: str, b: str, published: str | None = None, other: str | None = None) -> Gates:
    return measure(ComparedClaim(a, parse_iso(published)), ComparedClaim(b, parse_iso(other)), 0.9)


@pytest.mark.parametrize(
    ("a", "b", "published", "other", "gates", "is_of_one_thing", "numbers_match", "reasons"),
    [
        (
            "NIST requires at least 8 characters in 2017.",
            "NIST requires at least 12 characters in 2017.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, True, 0.8),
            True,
            False,
            ("“8” against “12”",),
        ),
        (
            "In 2010 the firm had 100 employees.",
            "In 2020 the firm had 900 employees.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, False, True, False, 0.3333),
            False,
            False,
            ("“100” against “900”", "“2010” against “2020”"),
        ),
        (
            "In 2010 the firm had 100 employees.",
            "The firm has 900 employees.",
            None,
            "2010",
            (1.0, Match.DIFFERENT, True, True, True, False, 0.5),
            True,
            False,
            ("“100” against “900”", "“2010”"),
        ),
        (
            "In 2010 the firm had 100 employees.",
            "The firm has 900 employees.",
            None,
            "2020",
            (1.0, Match.DIFFERENT, True, False, True, False, 0.5),
            False,
            False,
            ("“100” against “900”", "“2010”"),
        ),
        (
            "The firm has 100 employees.",
            "The firm has 900 employees.",
            "2010",
            "2020",
            (1.0, Match.DIFFERENT, True, True, True, False, 0.5),
            True,
            False,
            ("“100” against “900”",),
        ),
        (
            "In Zurich the firm has 100 shops.",
            "In Switzerland the firm has 900 shops.",
            None,
            None,
            (0.0, Match.DIFFERENT, True, True, True, False, 0.3333),
            False,
            False,
            ("“100” against “900”", "“Zurich” against “Switzerland”"),
        ),
        (
            "In Germany the firm has 100 shops.",
            "In France the firm has 100 shops.",
            None,
            None,
            (0.0, Match.SAME, True, True, False, False, 0.6667),
            False,
            True,
            ("“Germany” against “France”",),
        ),
        (
            "It handles 72 bytes.",
            "It handles 72 characters.",
            None,
            None,
            (1.0, Match.UNRELATED, False, True, True, False, 0.3333),
            True,
            False,
            ("“72 bytes” against “72”", "“characters”"),
        ),
        (
            "It has 5 doors.",
            "It weighs 300 kg.",
            None,
            None,
            (1.0, Match.UNRELATED, False, True, True, False, 0.0),
            False,
            False,
            ("“5” against “300 kg”", "“doors” against “weighs”"),
        ),
        (
            "It formerly had 5 doors.",
            "It has 6 doors.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, False, 0.3333),
            True,
            False,
            ("“5” against “6”", "“formerly”"),
        ),
        (
            "It has 6 doors.",
            "It formerly had 5 doors.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, False, 0.3333),
            True,
            False,
            ("“6” against “5”", "“formerly”"),
        ),
        (
            "It has 5 doors and 12 %.",
            "It has 5 doors and 13 %.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, False, 0.6),
            True,
            False,
            ("“12 %” against “13 %”",),
        ),
        (
            "Salts are unique.",
            "Each salt is unique.",
            None,
            None,
            (1.0, Match.UNRELATED, True, True, True, False, 1.0),
            True,
            True,
            ("“Each”",),
        ),
        (
            "The mill of Oslo was built in 1802.",
            "The mill of Oslo was built in 1805.",
            None,
            None,
            (1.0, Match.UNRELATED, True, False, True, True, 0.6667),
            True,
            True,
            ("“1802” against “1805”",),
        ),
        (
            "The mill of Oslo burned in 1802.",
            "The mill of Oslo burned in 1805.",
            None,
            None,
            (1.0, Match.UNRELATED, True, False, True, False, 0.6667),
            False,
            True,
            ("“1802” against “1805”",),
        ),
        (
            "In 1802 the mill of Oslo was built.",
            "In 1805 the mill of Oslo was built.",
            None,
            None,
            (1.0, Match.UNRELATED, True, False, True, False, 0.6667),
            False,
            True,
            ("“1802” against “1805”",),
        ),
        (
            "The old mill of Oslo ground wheat and barley for Norway.",
            "The old mill of Oslo ground wheat and barley for Sweden.",
            None,
            None,
            (0.3333, Match.UNRELATED, True, True, True, True, 0.7778),
            True,
            True,
            ("“Norway” against “Sweden”",),
        ),
        (
            "The old mill of Oslo ground 40 sacks and barley for Norway.",
            "The old mill of Oslo ground 55 sacks and barley for Sweden.",
            None,
            None,
            (0.3333, Match.DIFFERENT, True, True, True, True, 0.6364),
            False,
            False,
            ("“40” against “55”", "“Norway” against “Sweden”"),
        ),
        (
            "The old mill ground 40 sacks of barley for Norway.",
            "The old mill did not grind 40 sacks of barley for Sweden.",
            None,
            None,
            (0.0, Match.SAME, True, True, False, False, 0.6667),
            False,
            True,
            ("“Norway” against “Sweden”", "“ground” against “grind”", "“not”"),
        ),
        (
            "Bananas are yellow.",
            "The foxes chased the hens in 1802.",
            None,
            None,
            (1.0, Match.UNRELATED, True, True, True, False, 0.0),
            True,
            True,
            ("“Bananas yellow” against “foxes chased hens”", "“1802”"),
        ),
        (
            "Norway, Sweden and Chile met.",
            "Norway and Peru met.",
            None,
            None,
            (0.25, Match.UNRELATED, True, True, True, False, 0.6),
            False,
            True,
            ("“Chile” against “Peru”", "“Sweden”"),
        ),
        (
            "Sales rose from 5 boats to 6 boats.",
            "Sales were 7 boats.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, False, 0.5),
            True,
            False,
            ("“5 6” against “7”", "“rose boats”"),
        ),
        (
            "Sales were 7 boats.",
            "Sales rose from 5 boats to 6 boats.",
            None,
            None,
            (1.0, Match.DIFFERENT, True, True, True, False, 0.5),
            True,
            False,
            ("“7” against “5 6”", "“rose boats”"),
        ),
    ],
)
def test_the_gates_of_two_claims(a, b, published, other, gates, is_of_one_thing, numbers_match, reasons):
    found = measure_pair(a, b, published, other)
    figures = found.has_same_units, found.times_overlap, found.places_overlap, found.is_one_event
    assert found.semantic == 0.9
    assert (round(found.entities, 4), found.numbers, *figures, round(found.carried, 4)) == gates
    assert (found.is_of_one_thing, found.numbers_match) == (is_of_one_thing, numbers_match)
    assert found.reasons == reasons


@pytest.mark.parametrize(
    ("numbers", "has_same_units", "expected"),
    [
        (Match.SAME, True, True),
        (Match.SAME, False, True),
        (Match.UNRELATED, True, True),
        (Match.UNRELATED, False, False),
        (Match.DIFFERENT, True, False),
    ],
)
def test_figures_match_when_they_agree_or_neither_side_has_any(numbers, has_same_units, expected):
    found = Gates(1.0, 1.0, numbers, has_same_units, True, True, 0.0, 1.0, False)
    assert found.numbers_match is expected


@pytest.mark.parametrize(
    ("entities", "times", "places", "is_one_event", "expected"),
    [
        (0.5, True, True, False, True),
        (0.49, True, True, False, False),
        (0.49, True, True, True, True),
        (1.0, False, True, False, False),
        (1.0, True, False, False, False),
        (1.0, False, True, True, False),
    ],
)
def test_a_difference_is_of_one_thing_by_names_and_setting(entities, times, places, is_one_event, expected):
    found = Gates(1.0, entities, Match.SAME, True, times, places, 0.0, 1.0, is_one_event)
    assert found.is_of_one_thing is expected
