from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.credibility import (
    AuthorKind,
    Credibility,
    author_kind,
    count_references,
    credibility,
)
from citations.credibility.source_authority_rules import SourceType
from citations.dates.find_dates import parse_iso

TODAY = date(2026, 7, 1)
BEST = {
    "tier": 1,
    "published": parse_iso("2026-06"),
    "today": TODAY,
    "author": AuthorKind.QUALIFIED,
    "references": 50,
    "words": 1000,
    "corroborating": 4,
}


def test_the_best_source_scores_ten():
    assert credibility(**BEST).score == 10


def test_a_source_of_which_nothing_is_known_scores_three():
    found = credibility(
        tier=5, published=None, today=TODAY, author=AuthorKind.UNKNOWN, references=0, words=0, corroborating=0
    )
    assert found.score == 3


def test_what_is_social_has_nobody_behind_it():
    assert credibility(**BEST | {"tier": 5, "source_type": SourceType.SOCIAL}).domain == 0


def test_what_is_not_known_of_a_standard_takes_one_point_of_each_two():
    found = credibility(
        tier=1,
        published=None,
        today=TODAY,
        author=AuthorKind.UNKNOWN,
        references=0,
        words=900,
        corroborating=0,
    )
    assert found.score == 8


@pytest.mark.parametrize(("tier", "points"), [(1, 6.0), (2, 4.5), (3, 3.25), (4, 2.0), (5, 1.0)])
def test_points_for_the_domain(tier, points):
    assert credibility(**BEST | {"tier": tier}).domain == points


@pytest.mark.parametrize(
    ("published", "points"),
    [
        ("2026", 1.0),
        ("2024", 0.75),
        ("2022", 0.5),
        ("2001", 0.0),
        (None, 0.5),
        ("2025-07-01", 1.0),
        ("2025-06-30", 0.75),
        ("2023-07-02", 0.75),
        ("2023-07-01", 0.5),
        ("2021-07-01", 0.5),
        ("2021-06-30", 0.25),
        ("2016-07-02", 0.25),
        ("2016-06-30", 0.0),
    ],
)
def test_points_for_recency(published, points):
    assert credibility(**BEST | {"published": parse_iso(published)}).recency == points


@pytest.mark.parametrize(
    ("references", "words", "points"),
    [
        (5, 1000, 1.0),
        (4, 1000, 0.75),
        (1, 1000, 0.75),
        (1, 1001, 0.5),
        (5, 1001, 0.75),
        (0, 1000, 0.5),
        (1, 1, 1.0),
        (9, 0, 0.5),
    ],
)
def test_points_for_citation_density(references, words, points):
    assert credibility(**BEST | {"references": references, "words": words}).citation_density == points


@pytest.mark.parametrize(("corroborating", "points"), [(-1, 0.5), (0, 0.5), (1, 0.75), (2, 1.0), (3, 1.0)])
def test_points_for_corroboration(corroborating, points):
    assert credibility(**BEST | {"corroborating": corroborating}).corroboration == points


@pytest.mark.parametrize(
    ("author", "points"),
    [
        (AuthorKind.UNKNOWN, 0.5),
        (AuthorKind.ORGANIZATION, 0.75),
        (AuthorKind.NAMED, 0.75),
        (AuthorKind.QUALIFIED, 1.0),
    ],
)
def test_points_for_the_author(author, points):
    assert credibility(**BEST | {"author": author}).author == points


@pytest.mark.parametrize(
    ("parts", "score"),
    [
        ((6, 1, 1, 1, 1), 10),
        ((0, 0, 0, 0, 0), 1),
        ((1, 0.5, 0, 0, 0), 2),
        ((1, 0.4, 0, 0, 0), 1),
        ((0, 0, 2, 1.5, 2), 6),
    ],
)
def test_the_score_is_the_sum_rounded_half_up(parts, score):
    assert Credibility(*parts).score == score


def test_a_source_under_six_may_not_stand_alone():
    assert Credibility(2, 2, 1.4, 0, 0).may_stand_alone is False
    assert Credibility(2, 2, 2, 0, 0).may_stand_alone is True


@given(st.integers(0, 9), st.sampled_from(AuthorKind), st.integers(0, 99), st.integers(0, 9999))
def test_the_score_lies_between_one_and_ten(corroborating, author, references, words):
    found = credibility(
        **BEST | {"corroborating": corroborating, "author": author, "references": references, "words": words}
    )
    assert 1 <= found.score <= 10


@pytest.mark.parametrize(
    ("line", "publisher", "kind"),
    [
        ("", "", AuthorKind.UNKNOWN),
        ("  ", "Prüfamt", AuthorKind.ORGANIZATION),
        ("World Health Organization", "", AuthorKind.ORGANIZATION),
        ("OWASP", "", AuthorKind.ORGANIZATION),
        ("Django Software Foundation and contributors", "", AuthorKind.ORGANIZATION),
        ("Anna Smith", "", AuthorKind.NAMED),
        ("Smith, Anna; Lee, Bo", "", AuthorKind.NAMED),
        ("A. Miller", "", AuthorKind.NAMED),
        ("Smith,Anna", "", AuthorKind.NAMED),
        ("Anna(NIST)Smith", "", AuthorKind.QUALIFIED),
        ("Anna Smith ()", "", AuthorKind.NAMED),
        ("Anna  \n Smith", "Prüfamt", AuthorKind.NAMED),
        ("x" * 300 + " Anna Smith", "", AuthorKind.ORGANIZATION),
        ("Dr. Anna Smith", "", AuthorKind.QUALIFIED),
        ("Anna Smith, PhD", "", AuthorKind.QUALIFIED),
        ("P. Grassi; J. Fenton (NIST)", "", AuthorKind.QUALIFIED),
    ],
)
def test_what_an_author_line_says(line, publisher, kind):
    assert author_kind(line, publisher) is kind


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("See https://example.org/a and https://example.org/b.", 2),
        ("As shown in [3] and [4, 5], salts help.", 2),
        ("It helps (Smith, 2020; not shown) or not (Smith et al., 2021).", 1),
        ("doi 10.1000/182 is a handbook", 1),
        ("A list [a], a year (2020) and a figure 10.5.", 0),
        ("", 0),
    ],
)
def test_references_of_a_text_are_counted(text, count):
    assert count_references(text) == count


@given(st.text(max_size=300), st.text(max_size=50))
def test_any_author_line_is_of_some_kind(line, publisher):
    assert author_kind(line, publisher) in AuthorKind


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_longer_text_has_no_fewer_references(a, b):
    assert count_references(f"{a}\n\n{b}") >= count_references(a)


PARTS = st.fixed_dictionaries(
    {
        "tier": st.integers(1, 5),
        "published": st.sampled_from([None, "2001", "2022", "2024", "2026"]).map(
            lambda year: parse_iso(year) if year else None
        ),
        "author": st.sampled_from(AuthorKind),
        "references": st.integers(0, 50),
        "words": st.integers(0, 5000),
        "corroborating": st.integers(0, 5),
    }
)


@given(PARTS)
def test_no_part_is_worth_more_than_it_may(parts):
    found = credibility(**parts, today=TODAY)
    assert all(0 <= getattr(found, name) <= (6 if name == "domain" else 1) for name in found.__slots__)


@given(PARTS)
def test_a_better_publisher_and_more_corroboration_never_lower_the_score(parts):
    score = credibility(**parts, today=TODAY).score
    assert credibility(**parts | {"tier": max(1, parts["tier"] - 1)}, today=TODAY).score >= score
    assert credibility(**parts | {"corroborating": parts["corroborating"] + 1}, today=TODAY).score >= score
    assert credibility(**parts | {"references": parts["references"] + 1}, today=TODAY).score >= score
