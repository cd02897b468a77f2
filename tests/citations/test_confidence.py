import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_confidence import (
    AUTHORITY_CAP,
    BOTH_SIDES_CAP,
    CREDIBILITY_CAP,
    INFERENCE_CAP,
    OUTDATED_CAP,
    RESOLVED_CAP,
    SINGLE_SOURCE_CAP,
    Confidence,
    ConfidenceLevel,
    Conflict,
    Factors,
    MatchKind,
    citation_confidence,
    claim_confidence,
    context_match,
    corroboration,
    level,
    text_match,
)

PERFECT = citation_confidence(
    kind=MatchKind.EXACT,
    source_authority=1.0,
    independent_others=4,
    has_section=True,
    title_relevance=1.0,
    entity_overlap=1.0,
)


def test_the_four_factors_are_weighted():
    found = citation_confidence(
        kind=MatchKind.EXACT,
        source_authority=0.9,
        independent_others=1,
        has_section=True,
        title_relevance=0.5,
        entity_overlap=0.25,
    )
    assert found.factors == Factors(1.0, pytest.approx(0.75), 0.9, 0.6)
    assert found.value == pytest.approx(0.35 + 0.20 * 0.75 + 0.25 * 0.9 + 0.20 * 0.6)


def test_everything_at_its_best_is_full_confidence():
    assert PERFECT.value == 1.0


@pytest.mark.parametrize(
    ("kind", "similarity", "factor"),
    [
        (MatchKind.EXACT, None, 1.0),
        (MatchKind.NORMALIZED, None, 0.95),
        (MatchKind.PARAPHRASE, 0.97, 0.9),
        (MatchKind.PARAPHRASE, 0.7, 0.7),
        (MatchKind.SUMMARY, -0.2, 0.0),
    ],
)
def test_text_match(kind, similarity, factor):
    assert text_match(kind, similarity) == factor


def test_a_paraphrase_without_a_similarity_is_an_error():
    with pytest.raises(ValueError, match="needs a similarity"):
        text_match(MatchKind.PARAPHRASE)


def test_context_starts_at_a_half_and_is_at_most_one():
    assert context_match(has_section=False, title_relevance=0, entity_overlap=0) == 0.5
    assert context_match(has_section=True, title_relevance=9, entity_overlap=9) == pytest.approx(1.0)


@pytest.mark.parametrize(("others", "factor"), [(0, 0.3), (1, 0.6), (2, 0.9), (3, 0.95), (4, 1.0), (50, 1.0)])
def test_corroboration_counts_other_sources(others, factor):
    assert corroboration(others) == pytest.approx(factor)


def test_a_negative_number_of_sources_is_an_error():
    with pytest.raises(ValueError, match="negative"):
        corroboration(-1)


def test_an_inference_is_never_above_a_half():
    found = citation_confidence(
        kind=MatchKind.INFERENCE, similarity=0.9, source_authority=1.0, independent_others=4
    )
    assert (found.value, found.caps) == (0.5, (INFERENCE_CAP,))


def test_a_cap_that_does_not_bind_is_not_named():
    found = citation_confidence(
        kind=MatchKind.INFERENCE, similarity=0.1, source_authority=0.2, independent_others=0
    )
    assert found.caps == ()


@pytest.mark.parametrize(
    ("independent", "authoritative", "conflict", "value", "cap"),
    [
        (5, 3, Conflict.NONE, 1.0, None),
        (5, 2, Conflict.NONE, 0.9, AUTHORITY_CAP),
        (5, 3, Conflict.RESOLVED, 0.8, RESOLVED_CAP),
        (5, 3, Conflict.PRESENTED_BOTH, 0.6, BOTH_SIDES_CAP),
        (1, 1, Conflict.NONE, 0.69, SINGLE_SOURCE_CAP),
        (1, 1, Conflict.PRESENTED_BOTH, 0.6, BOTH_SIDES_CAP),
    ],
)
def test_each_cap_limits_a_claim_and_is_named(independent, authoritative, conflict, value, cap):
    found = claim_confidence(
        [PERFECT], independent_sources=independent, authoritative_sources=authoritative, conflict=conflict
    )
    assert found.value == value
    assert (found.caps[-1] if found.caps else None) == cap


def test_a_lone_source_of_little_credibility_is_never_enough():
    found = claim_confidence([PERFECT], independent_sources=1, authoritative_sources=0, may_stand_alone=False)
    assert (found.value, found.caps[-1]) == (0.59, CREDIBILITY_CAP)
    assert (
        claim_confidence(
            [PERFECT], independent_sources=2, authoritative_sources=0, may_stand_alone=False
        ).value
        == 0.9
    )


def alone(authority: float, **how: bool) -> Confidence:
    quote = citation_confidence(
        kind=MatchKind.EXACT,
        source_authority=authority,
        independent_others=0,
        has_section=True,
        title_relevance=0.2,
        entity_overlap=1.0,
    )
    return claim_confidence([quote], independent_sources=1, authoritative_sources=0, **how)


def test_what_one_source_says_is_spread_below_its_cap():
    best, standard, blog = alone(1.0), alone(0.85), alone(0.6)
    assert SINGLE_SOURCE_CAP.limit > best.value > standard.value > blog.value
    assert [each.level for each in (best, standard, blog)] == [
        ConfidenceLevel.MEDIUM,
        ConfidenceLevel.MEDIUM,
        ConfidenceLevel.LOW,
    ]
    assert SINGLE_SOURCE_CAP in blog.caps


def test_what_one_old_source_says_is_of_low_confidence():
    old = alone(1.0, is_outdated=True)
    assert (old.level, old.caps[-1]) == (ConfidenceLevel.LOW, OUTDATED_CAP)
    assert old.value > alone(0.6, is_outdated=True).value


def test_every_cap_that_applied_is_shown():
    found = claim_confidence(
        [PERFECT], independent_sources=1, authoritative_sources=1, conflict=Conflict.RESOLVED
    )
    assert found.caps == (AUTHORITY_CAP, RESOLVED_CAP, SINGLE_SOURCE_CAP)


def test_a_claim_has_the_confidence_of_its_best_citation():
    weak = citation_confidence(
        kind=MatchKind.PARAPHRASE, similarity=0.5, source_authority=0.5, independent_others=1
    )
    fair = citation_confidence(kind=MatchKind.NORMALIZED, source_authority=0.8, independent_others=1)
    found = claim_confidence([weak, fair], independent_sources=2, authoritative_sources=1)
    assert found.value == fair.value


def test_corroboration_found_later_raises_a_claim():
    alone = citation_confidence(kind=MatchKind.EXACT, source_authority=0.8, independent_others=0)
    found = claim_confidence([alone], independent_sources=3, authoritative_sources=1)
    assert found.value == pytest.approx(alone.value + 0.2 * (0.9 - 0.3))


def test_an_inference_stays_capped_in_a_claim():
    guess = citation_confidence(
        kind=MatchKind.INFERENCE, similarity=0.9, source_authority=1, independent_others=4
    )
    found = claim_confidence([guess], independent_sources=5, authoritative_sources=5)
    assert found.value == 0.5


def test_a_claim_without_citations_is_an_error():
    with pytest.raises(ValueError, match="without a citation"):
        claim_confidence([], independent_sources=0, authoritative_sources=0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, ConfidenceLevel.HIGH),
        (0.8, ConfidenceLevel.HIGH),
        (0.7999, ConfidenceLevel.MEDIUM),
        (0.6, ConfidenceLevel.MEDIUM),
        (0.5999, ConfidenceLevel.LOW),
    ],
)
def test_levels_begin_at_their_limits(value, expected):
    assert level(value) is expected
    assert Confidence(value, Factors(0, 0, 0, 0)).level is expected


UNIT = st.floats(0, 1)
KINDS = st.sampled_from(MatchKind)


@st.composite
def citations(draw: st.DrawFn) -> Confidence:
    return citation_confidence(
        kind=draw(KINDS),
        similarity=draw(UNIT),
        source_authority=draw(UNIT),
        independent_others=draw(st.integers(0, 10)),
        has_section=draw(st.booleans()),
        title_relevance=draw(UNIT),
        entity_overlap=draw(UNIT),
    )


@given(citations())
def test_confidence_lies_between_zero_and_one(found):
    assert 0 <= found.value <= 1


@given(UNIT, UNIT, st.integers(0, 10))
def test_more_authority_never_lowers_confidence(low, high, others):
    low, high = sorted((low, high))
    first, second = (
        citation_confidence(kind=MatchKind.EXACT, source_authority=value, independent_others=others)
        for value in (low, high)
    )
    assert first.value <= second.value


@given(st.integers(0, 20))
def test_more_corroboration_never_lowers_the_factor(others):
    assert corroboration(others) <= corroboration(others + 1) <= 1.0


@given(st.lists(citations(), min_size=1, max_size=4), st.integers(1, 6), st.integers(0, 6))
def test_another_independent_source_never_lowers_a_claim(found, independent, authoritative):
    few = claim_confidence(found, independent_sources=independent, authoritative_sources=authoritative)
    more = claim_confidence(found, independent_sources=independent + 1, authoritative_sources=authoritative)
    assert few.value <= more.value


@given(st.lists(citations(), min_size=1, max_size=4), st.integers(0, 6), st.sampled_from(Conflict))
def test_no_claim_is_above_a_cap_that_holds(found, independent, conflict):
    claim = claim_confidence(
        found, independent_sources=independent, authoritative_sources=0, conflict=conflict
    )
    assert claim.value <= AUTHORITY_CAP.limit
    assert independent > 1 or claim.value <= SINGLE_SOURCE_CAP.limit
    assert conflict is not Conflict.PRESENTED_BOTH or claim.value <= BOTH_SIDES_CAP.limit
