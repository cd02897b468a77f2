"""Six checks of a run's sources: each at its threshold, and what holds for all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.engine.states.state_source_sufficiency import (
    ENOUGH,
    CheckName,
    ObservedSource,
    SufficiencyTargets,
    check_sources,
    effective_number,
    find_uncovered_subtopics,
    novelties,
)

WANTED = SufficiencyTargets(minimum=4, targets={"costs": 4, "risks": 2})


def make_source(number: int, **columns: object) -> ObservedSource:
    """A good source of its own."""
    subtopic = "costs" if number % 2 else "risks"
    kinds = ("news", "academic", "government")
    words = frozenset(f"word{number}.{part}" for part in range(5))
    good = ObservedSource(subtopic, f"site{number}.example", kinds[number % 3], "2025-03", 0.8, words)
    return replace(good, **columns)


def many(count: int, **columns: object) -> list[ObservedSource]:
    return [make_source(number, **columns) for number in range(count)]


def check(name: CheckName, sources: list[ObservedSource], wanted: SufficiencyTargets = WANTED):
    return next(one for one in check_sources(sources, wanted).checks if one.name is name)


@pytest.mark.parametrize(
    ("found", "score", "is_passed"), [(0, 0, False), (3, 0.75, False), (4, 1, True), (9, 1, True)]
)
def test_the_count_is_laid_against_the_minimum(found, score, is_passed):
    counted = check(CheckName.COUNT, many(found))
    assert (counted.score, counted.is_passed) == (score, is_passed)
    assert counted.detail == f"{found} found, at least 4 wanted."


@pytest.mark.parametrize(
    ("found", "there_are", "is_passed", "detail"),
    [
        (6, 6, True, "All 6 documents of the library are among the sources."),
        (1, 1, True, "The only document of the library is among the sources."),
        (2, 6, True, "2 found; the library was searched as a whole and has 6 documents."),
        (6, 30, True, "6 found; the library was searched as a whole and has 30 documents."),
        (0, 30, False, "0 found; the library was searched as a whole and has 30 documents."),
        (6, 0, False, "6 found, at least 15 wanted."),
    ],
)
def test_no_more_is_wanted_of_a_library_than_it_has(found, there_are, is_passed, detail):
    counted = check(CheckName.COUNT, many(found), SufficiencyTargets(minimum=15, there_are=there_are))
    assert (counted.is_passed, counted.detail) == (is_passed, detail)


@pytest.mark.parametrize(("found", "there_are", "is_passed"), [(6, 0, False), (6, 60, True), (0, 60, False)])
def test_a_library_that_was_searched_as_a_whole_has_no_more_on_a_subtopic(found, there_are, is_passed):
    wanted = SufficiencyTargets(targets={"costs": 15, "risks": 15}, there_are=there_are)
    covered = check(CheckName.COVERAGE, many(found), wanted)
    assert (covered.score, covered.is_passed) == (0, is_passed)


def test_a_subtopic_is_covered_at_half_of_its_sources():
    one_of_each = [make_source(0), make_source(1)]
    assert find_uncovered_subtopics(one_of_each, WANTED.targets) == ["costs"]
    thin = check(CheckName.COVERAGE, one_of_each)
    assert (thin.score, thin.is_passed) == (0.5, False)
    assert "Thin: costs." in thin.detail
    assert check(CheckName.COVERAGE, many(4)).is_passed


@pytest.mark.parametrize(("covered", "is_passed"), [(8, False), (9, True), (10, True)])
def test_nine_of_ten_subtopics_are_enough(covered, is_passed):
    wanted = SufficiencyTargets(targets={str(number): 1 for number in range(10)})
    sources = [make_source(number, subtopic=str(number)) for number in range(covered)]
    assert check(CheckName.COVERAGE, sources, wanted).is_passed is is_passed


def test_without_subtopics_nothing_is_covered():
    assert check(CheckName.COVERAGE, many(4), SufficiencyTargets()).score == 0


def test_five_domains_and_three_kinds_are_diverse():
    assert check(CheckName.DIVERSITY, many(15)).score == 1
    one_site = check(CheckName.DIVERSITY, many(15, origin="a.example", kind="news"))
    assert (one_site.score, one_site.is_passed) == (0.2667, False)
    assert one_site.detail == "1 domain, 1 kind of source."


def test_a_domain_with_nearly_all_sources_counts_for_little_more_than_one():
    assert 1 < effective_number(["a"] * 95 + ["b", "c", "d", "e", "f"]) < 1.2
    assert effective_number(["a", "b", "c"]) == pytest.approx(3)
    assert effective_number([]) == 0


def test_a_run_that_wants_one_kind_of_source_is_not_blamed_for_it():
    papers = many(15, kind="academic")
    assert check(CheckName.DIVERSITY, papers, replace(WANTED, kinds=1)).score == 1


@pytest.mark.parametrize(
    ("published", "is_inside"),
    [
        ("2025", True),
        ("2025-03", True),
        ("2024-12-31", False),
        ("2026-01", False),
        ("2025-12-31", True),
        ("", False),
    ],
)
def test_a_source_is_inside_the_range_where_its_date_says_so(published, is_inside):
    wanted = replace(WANTED, published_from="2025-01-01", published_to="2025")
    assert check(CheckName.RECENCY, [make_source(0, published=published)], wanted).score == float(is_inside)


def test_undated_sources_are_told_apart_from_old_ones():
    sources = [make_source(0), make_source(1, published=""), make_source(2, published="2019")]
    recency = check(CheckName.RECENCY, sources, replace(WANTED, published_from="2024"))
    assert recency.detail == "1 of 3 published from 2024; 1 with unknown date."
    assert (recency.score, recency.is_passed) == (0.3333, False)


def test_without_a_range_every_date_will_do():
    assert check(CheckName.RECENCY, many(3, published="")).is_passed


@pytest.mark.parametrize(
    ("quality", "score", "is_passed"), [(0.3, 0.5, False), (0.59, 0.9833, False), (0.6, 1, True)]
)
def test_the_mean_quality_is_laid_against_the_threshold(quality, score, is_passed):
    judged = check(CheckName.QUALITY, many(5, quality=quality))
    assert (judged.score, judged.is_passed) == (score, is_passed)


def test_what_was_not_judged_has_no_quality():
    assert check(CheckName.QUALITY, many(5, quality=None)).score is None
    assert check(CheckName.QUALITY, [make_source(0), make_source(1, quality=None)]).score == 1


@pytest.mark.parametrize("count", [0, 1, 19])
def test_novelty_is_measured_from_twenty_sources_on(count):
    novelty = check(CheckName.NOVELTY, many(count))
    assert (novelty.score, novelty.is_passed) == (None, False)
    assert check(CheckName.NOVELTY, many(20)).score is not None


def test_where_the_last_say_what_the_first_said_nothing_new_comes():
    repeated = [*many(10), *many(10)]
    assert check_sources(repeated, WANTED).is_saturated
    assert check(CheckName.NOVELTY, repeated).score == 1
    assert not check_sources(many(20), WANTED).is_saturated


@pytest.mark.parametrize(("new", "is_saturated"), [(1, True), (2, False)])
def test_a_fifth_of_the_first_novelty_is_still_something_new(new, is_saturated):
    old = frozenset(f"old{number}" for number in range(10))
    last = [
        make_source(
            10 + n,
            words=frozenset([f"new{n}.{part}" for part in range(new)]) | frozenset(sorted(old)[: 10 - new]),
        )
        for n in range(10)
    ]
    first = [make_source(n, words=frozenset(f"{n}.{part}" for part in range(10))) for n in range(9)]
    assert check_sources([make_source(99, words=old), *first, *last], WANTED).is_saturated is is_saturated


def test_sources_without_words_tell_nothing_of_novelty():
    assert check(CheckName.NOVELTY, many(20, words=frozenset())).score is None


def test_enough_needs_both_critical_checks_and_a_mean_of_three_quarters():
    assert check_sources(many(8), WANTED).is_enough
    assert not check_sources(many(8), replace(WANTED, minimum=9)).is_enough
    assert not check_sources(many(8, subtopic="costs"), WANTED).is_enough
    poor = many(8, origin="a.example", kind="news", quality=0.1)
    low = check_sources(poor, replace(WANTED, published_from="2026"))
    assert low.score < ENOUGH
    assert not low.is_enough


# --- in words ---


def test_what_is_wanted_is_one_source_at_least():
    assert check(CheckName.COUNT, [], SufficiencyTargets(minimum=0)).detail == "0 found, at least 1 wanted."


@pytest.mark.parametrize(
    ("names", "thin"),
    [
        (["a"], "a"),
        (["a", "b", "c"], "a; b; c"),
        (["a", "b", "c", "d"], "a; b; c; and 1 more"),
        (["a", "b", "c", "d", "e"], "a; b; c; and 2 more"),
        (["x" * 60], "x" * 60),
        (["x" * 61], "x" * 59 + "…"),
    ],
)
def test_thin_subtopics_are_named_but_not_without_end(names, thin):
    wanted = SufficiencyTargets(targets={"costs": 1, **dict.fromkeys(names, 1)})
    coverage = check(CheckName.COVERAGE, [make_source(1)], wanted)
    total = len(names) + 1
    assert coverage.detail == f"1 of {total} subtopics have half of the sources wanted. Thin: {thin}."


def test_one_subtopic_that_is_covered_is_told_in_the_singular():
    coverage = check(CheckName.COVERAGE, [make_source(1)], SufficiencyTargets(targets={"costs": 2}))
    assert coverage.detail == "1 of 1 subtopic has half of the sources wanted."


def test_domains_and_kinds_are_counted_in_words():
    assert check(CheckName.DIVERSITY, many(3)).detail == "3 domains, 3 kinds of source."


@pytest.mark.parametrize(
    ("kinds", "score", "is_passed"),
    [("nnna", 0.5, True), ("nnnna", 0.4676, False), ("nnaa", 0.6, True)],
)
def test_half_of_what_is_diverse_is_enough(kinds, score, is_passed):
    found = [make_source(number, origin="a.example", kind=kind) for number, kind in enumerate(kinds)]
    diversity = check(CheckName.DIVERSITY, found, replace(WANTED, kinds=2))
    assert (diversity.score, diversity.is_passed) == (score, is_passed)


def test_more_kinds_than_three_are_not_asked_for():
    assert check(CheckName.DIVERSITY, many(15), replace(WANTED, kinds=9)).score == 1


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ({"published_from": "2024"}, "from 2024"),
        ({"published_to": "2026"}, "to 2026"),
        ({"published_from": "2024", "published_to": "2026-03"}, "from 2024 to 2026-03"),
    ],
)
def test_a_range_may_have_one_end_or_both(ends, words):
    recency = check(CheckName.RECENCY, [make_source(0), make_source(1)], replace(WANTED, **ends))
    assert (recency.score, recency.detail) == (1.0, f"2 of 2 published {words}.")


@pytest.mark.parametrize(("old", "is_passed"), [(1, True), (2, False)])
def test_half_of_the_sources_in_the_range_are_enough(old, is_passed):
    found = [make_source(0), *(make_source(1 + number, published="2019") for number in range(old))]
    assert check(CheckName.RECENCY, found, replace(WANTED, published_from="2024")).is_passed is is_passed


def test_no_source_is_in_no_range():
    recency = check(CheckName.RECENCY, [], replace(WANTED, published_from="2024"))
    assert (recency.score, recency.is_passed) == (0.0, False)
    assert recency.detail == "0 of 0 published from 2024."
    everything = check(CheckName.RECENCY, [])
    assert (everything.score, everything.detail) == (1.0, "No date range was asked for.")


def test_quality_is_told_beside_what_is_wanted():
    assert check(CheckName.QUALITY, many(2)).detail == "Mean quality 0.80, 0.60 wanted."
    anything = check(CheckName.QUALITY, many(2), replace(WANTED, quality=0))
    assert (anything.score, anything.is_passed) == (1.0, True)
    unknown = check(CheckName.QUALITY, many(2, quality=None))
    assert (unknown.is_passed, unknown.detail) == (False, "No source has been judged yet.")


def test_what_is_new_is_told_in_words():
    assert check(CheckName.NOVELTY, many(19)).detail == "Measured from 20 sources on."
    said = check(CheckName.NOVELTY, [*many(10), *many(10)])
    assert said.detail == "The last 10 sources bring 0% as much new as the first 10."
    silent = check(CheckName.NOVELTY, many(20, words=frozenset()))
    assert (silent.is_passed, silent.detail) == (
        False,
        "Nothing is known of what the first sources say.",
    )


def test_the_last_ten_are_laid_against_the_first_ten_whatever_lies_between():
    half = [make_source(50 + n, words=frozenset({f"new{n}.0", "word0.0"})) for n in range(10)]
    between = many(7, words=frozenset())
    novelty = check(CheckName.NOVELTY, [*many(10), *between, *half])
    assert (novelty.score, novelty.is_passed) == (0.5, False)
    assert novelty.detail == "The last 10 sources bring 50% as much new as the first 10."
    assert check(CheckName.NOVELTY, [*half, *many(20)]).score == 0


sources = st.lists(
    st.builds(
        ObservedSource,
        st.sampled_from(["costs", "risks", ""]),
        st.sampled_from(["a.example", "b.example", "c.example"]),
        st.sampled_from(["news", "academic"]),
        st.sampled_from(["", "2024", "2025-03", "2025-03-04"]),
        st.none() | st.floats(0, 1),
        st.frozensets(st.sampled_from("abcdefgh")),
    ),
    max_size=40,
)
wishes = st.builds(
    SufficiencyTargets,
    st.integers(0, 50),
    st.dictionaries(st.sampled_from(["costs", "risks"]), st.integers(1, 30)),
    st.sampled_from(["", "2024", "2025-03"]),
    st.sampled_from(["", "2025", "2025-03-03"]),
    st.integers(0, 5),
    st.floats(0, 1),
)


@given(sources, wishes)
def test_there_are_always_six_checks_with_scores_between_none_and_one(found, wanted):
    result = check_sources(found, wanted)
    assert [one.name for one in result.checks] == list(CheckName)
    assert all(one.score is None or 0 <= one.score <= 1 for one in result.checks)
    assert all(one.detail for one in result.checks)
    assert 0 <= result.score <= 1


@given(sources, wishes)
def test_what_is_passed_was_measured(found, wanted):
    assert all(one.score is not None for one in check_sources(found, wanted).checks if one.is_passed)


@given(sources, wishes, sources)
def test_more_sources_never_lower_count_or_coverage(found, wanted, more):
    before, after = check_sources(found, wanted), check_sources([*found, *more], wanted)
    assert all(
        one.score <= other.score for one, other in zip(before.checks[:2], after.checks[:2], strict=True)
    )


@given(st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=20))
def test_what_is_new_is_new_once(found):
    shares = novelties(found)
    assert all(0 <= share <= 1 for share in shares)
    assert sum(round(share * len(words)) for share, words in zip(shares, found, strict=True)) == len(
        frozenset().union(*found)
    )


@given(st.lists(st.sampled_from("abcde"), min_size=1))
def test_values_are_as_diverse_as_one_to_all_of_them(values):
    assert 1 <= effective_number(values) <= len(set(values)) + 1e-9
