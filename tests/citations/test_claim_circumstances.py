"""Circumstances in which two statements differ beside what they say."""

import pytest

from citations.contradiction.claim_circumstances import (
    CircumstanceKind,
    CircumstanceStanding,
    ComparedCircumstance,
    QuotedStatement,
    compare_circumstances,
)
from citations.dates.find_dates import parse_iso


def compare_by_kind(
    a: QuotedStatement | str, b: QuotedStatement | str
) -> dict[CircumstanceKind, ComparedCircumstance]:
    accounts = [QuotedStatement(one) if isinstance(one, str) else one for one in (a, b)]
    return {circumstance.circumstance: circumstance for circumstance in compare_circumstances(*accounts)}


def test_each_of_the_four_is_told_in_order():
    found = compare_circumstances(QuotedStatement("Sales rose."), QuotedStatement("Sales fell."))
    assert [one.circumstance.value for one in found] == ["date", "population", "unit", "place"]
    assert {one.standing for one in found} == {CircumstanceStanding.UNNAMED}


@pytest.mark.parametrize(
    ("a", "b", "which", "standing"),
    [
        ("In 2019 sales rose.", "In 2023 sales fell.", "date", "apart"),
        ("In 2023 sales rose.", "In May 2023 sales fell.", "date", "shared"),
        ("In 2023 sales rose.", "Sales fell.", "date", "one_sided"),
        ("Children slept well.", "Adults slept badly.", "population", "apart"),
        ("New homes saved money.", "The homes saved nothing.", "population", "shared"),
        ("New homes saved money.", "Existing homes saved nothing.", "population", "apart"),
        ("It cost 12 euros.", "It cost 14 dollars.", "unit", "apart"),
        ("It rose by 12 percent.", "It rose by 21 %.", "unit", "shared"),
        ("It took 12 weeks.", "It rose by 21 %.", "unit", "apart"),
        ("It rose in Sweden.", "It fell in Norway.", "place", "apart"),
        ("It rose in Zurich.", "It fell in Switzerland.", "place", "shared"),
        ("It rose in Zurich.", "It fell.", "place", "one_sided"),
    ],
)
def test_statements_are_laid_side_by_side(a, b, which, standing):
    assert compare_by_kind(a, b)[CircumstanceKind(which)].standing.value == standing
    assert compare_by_kind(b, a)[CircumstanceKind(which)].standing.value == standing


def test_the_words_of_either_side_are_told():
    found = compare_by_kind("In 2019 it rose in Sweden by 3 percent.", "It fell by 4 percent.")
    assert found[CircumstanceKind.DATE].mine == ("2019",)
    assert found[CircumstanceKind.DATE].theirs == ()
    assert (found[CircumstanceKind.UNIT].mine, found[CircumstanceKind.UNIT].theirs) == (
        ("3 percent",),
        ("4 percent",),
    )
    assert found[CircumstanceKind.PLACE].mine == ("Sweden",)


def test_what_a_claim_leaves_out_is_looked_up_in_the_words_it_stands_on():
    claim = QuotedStatement("Sales rose by 3 percent.", ("In Sweden, sales rose by 3 percent in 2019.",))
    found = compare_by_kind(claim, "Sales fell in 2023.")
    assert found[CircumstanceKind.DATE].mine == ("2019",)
    assert found[CircumstanceKind.DATE].standing is CircumstanceStanding.APART
    assert found[CircumstanceKind.PLACE].mine == ("Sweden",)


@pytest.mark.parametrize(
    ("other", "standing"), [("2012", CircumstanceStanding.APART), ("2024-05", CircumstanceStanding.UNNAMED)]
)
def test_statements_without_a_time_part_where_their_sources_are_years_apart(other, standing):
    a = QuotedStatement("Sales rose.", published=parse_iso("2024"))
    b = QuotedStatement("Sales fell.", published=parse_iso(other))
    assert compare_by_kind(a, b)[CircumstanceKind.DATE].standing is standing


def test_a_named_time_parts_from_the_year_of_the_other_source():
    a, b = QuotedStatement("In 2010 sales rose."), QuotedStatement("Sales fell.", published=parse_iso("2024"))
    assert compare_by_kind(a, b)[CircumstanceKind.DATE].standing is CircumstanceStanding.APART


def test_no_more_words_are_told_than_fit():
    found = compare_by_kind(
        "It cost 1, 2, 3, 4, 5 and 6 euros in 2001, 2002, 2003, 2004, 2005 and 2006.", "It rose."
    )
    assert len(found[CircumstanceKind.DATE].mine) <= 4
