from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_similarity import (
    NOMINAL,
    POSSIBLE_CONTRADICTION,
    SIMILAR_WORDS,
    ComparedClaim,
    EmbeddingProfile,
    Gates,
    Similarity,
    SimilarityKind,
    compare,
    judge,
    profile_for,
)
from citations.contradiction.claim_comparison_measures import entity_overlap
from citations.dates.find_dates import parse_iso
from citations.quantities.compare_amounts import Match


def both(a: str, b: str, semantic: float, /, **dates: str) -> Similarity:
    one = ComparedClaim(a, parse_iso(dates.get("a")))
    return compare(one, ComparedClaim(b, parse_iso(dates.get("b"))), semantic)


def test_the_same_words_are_a_duplicate():
    found = both("NIST requires 8 characters.", "NIST requires 8 characters!", 0.99)
    assert (found.kind, found.confidence) == (SimilarityKind.DUPLICATE, 0.95)


def test_another_figure_for_the_same_thing_is_a_possible_contradiction():
    found = both("NIST requires at least 8 characters.", "NIST requires at least 12 characters.", 0.97)
    assert (found.kind, found.confidence, found.warnings) == (
        SimilarityKind.RELATED,
        0.6,
        (POSSIBLE_CONTRADICTION,),
    )
    assert found.is_possible_contradiction


def test_a_negation_is_a_possible_contradiction():
    found = both("Verifiers require periodic changes.", "Verifiers do not require periodic changes.", 0.95)
    assert found.is_possible_contradiction


ALIKE = Gates(1.0, 1.0, Match.SAME, True, True, True, 0.0, 0.0, False)


@pytest.mark.parametrize(
    ("changed", "kind", "confidence", "warnings"),
    [
        ({"semantic": 0.92}, SimilarityKind.DUPLICATE, 0.95, ()),
        ({"semantic": 0.91}, SimilarityKind.CORROBORATION, 0.85, ()),
        ({"entities": 0.7}, SimilarityKind.DUPLICATE, 0.95, ()),
        ({"entities": 0.69}, SimilarityKind.CORROBORATION, 0.85, ()),
        ({"numbers": Match.UNRELATED, "has_same_units": False}, SimilarityKind.CORROBORATION, 0.85, ()),
        ({"clash": 0.49}, SimilarityKind.DUPLICATE, 0.95, ()),
        ({"clash": 0.5}, SimilarityKind.RELATED, 0.6, (POSSIBLE_CONTRADICTION,)),
        ({"clash": 0.5, "semantic": 0.85}, SimilarityKind.RELATED, 0.6, (POSSIBLE_CONTRADICTION,)),
        ({"clash": 0.5, "semantic": 0.84}, SimilarityKind.RELATED, 0.7, ()),
        ({"numbers": Match.DIFFERENT}, SimilarityKind.RELATED, 0.6, (POSSIBLE_CONTRADICTION,)),
        ({"numbers": Match.DIFFERENT, "places_overlap": False}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.8, "entities": 0.5}, SimilarityKind.CORROBORATION, 0.85, ()),
        ({"semantic": 0.8, "entities": 0.49}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.79}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.65, "carried": 0.9, "entities": 0.0}, SimilarityKind.CORROBORATION, 0.85, ()),
        ({"semantic": 0.64, "carried": 0.9}, SimilarityKind.DIFFERENT, 0.9, ()),
        ({"semantic": 0.65, "carried": 0.89}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.9, "carried": 0.9, "times_overlap": False}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.9, "places_overlap": False}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.65, "entities": 0.3}, SimilarityKind.RELATED, 0.7, ()),
        ({"semantic": 0.79, "entities": 0.29}, SimilarityKind.DIFFERENT, 0.9, ()),
        ({"semantic": 0.8, "entities": 0.29}, SimilarityKind.DIFFERENT, 0.75, (SIMILAR_WORDS,)),
    ],
)
def test_the_verdict_table_at_its_thresholds(changed, kind, confidence, warnings):
    gates = replace(ALIKE, **changed)
    assert judge(gates, NOMINAL, 0.5) == Similarity(kind, confidence, gates, warnings)


def test_other_words_for_the_same_corroborate():
    found = both("NIST asks for 8 characters.", "At least 8 characters are what NIST requires.", 0.84)
    assert (found.kind, found.confidence) == (SimilarityKind.CORROBORATION, 0.85)


def test_the_same_topic_is_related():
    found = both("NIST requires 8 characters.", "NIST discourages periodic changes.", 0.7)
    assert (found.kind, found.confidence) == (SimilarityKind.RELATED, 0.7)


def test_similar_words_about_other_things_are_different():
    found = both("NIST requires salts of 32 bits.", "OWASP requires salts of 32 bits.", 0.95)
    assert (found.kind, found.warnings) == (SimilarityKind.DIFFERENT, (SIMILAR_WORDS,))


def test_unlike_sentences_are_different():
    found = both("NIST requires 8 characters.", "Bananas are yellow.", 0.1)
    assert (found.kind, found.confidence) == (SimilarityKind.DIFFERENT, 0.9)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("In 2010 the firm had 100 employees.", "In 2020 the firm had 900 employees."),
        ("In Germany the firm had 100 employees.", "In France the firm had 900 employees."),
    ],
)
def test_another_year_or_place_is_another_statement(a, b):
    assert not both(a, b, 0.9).is_possible_contradiction


def test_publication_stands_in_for_a_missing_time():
    texts = "In 2010 the firm had 100 employees.", "The firm has 900 employees."
    assert both(*texts, 0.9, b="2010").is_possible_contradiction
    assert not both(*texts, 0.9, b="2020").is_possible_contradiction


def test_dates_of_publication_alone_part_nothing():
    found = both("The firm has 100 employees.", "The firm has 900 employees.", 0.9, a="2010", b="2020")
    assert found.is_possible_contradiction


def test_a_city_overlaps_with_its_country():
    found = both("In Zurich the firm has 100 shops.", "In Switzerland the firm has 900 shops.", 0.9)
    assert found.gates.places_overlap


def test_other_units_are_no_duplicate():
    found = both("It handles 72 bytes.", "It handles 72 characters.", 0.97)
    assert found.kind is not SimilarityKind.DUPLICATE
    assert found.gates.has_same_units is False


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [(set(), set(), 1.0), ({"x"}, set(), 0.5), ({"x"}, {"x"}, 1.0), ({"x", "y"}, {"y", "z"}, 1 / 3)],
)
def test_entity_overlap(a, b, overlap):
    assert entity_overlap(frozenset(a), frozenset(b)) == pytest.approx(overlap)


def test_figures_that_have_no_counterpart_decide_nothing():
    assert both("It has 5 doors.", "It weighs 300 kg.", 0.9).gates.numbers is Match.UNRELATED


def test_a_profile_moves_the_thresholds():
    one, other = ComparedClaim("Salts are unique."), ComparedClaim("Each salt is unique.")
    loose = EmbeddingProfile("m", duplicate=0.8, conflict=0.7, corroboration=0.6, related=0.5)
    assert compare(one, other, 0.82).kind is SimilarityKind.CORROBORATION
    assert compare(one, other, 0.82, loose).kind is SimilarityKind.DUPLICATE


def test_a_model_has_its_profile_and_an_unknown_one_the_nominal_figures():
    assert profile_for("all-MiniLM-L6-v2/int8/53aa5117").model_id == "all-MiniLM-L6-v2"
    assert profile_for("hash/1") == NOMINAL


def test_a_profile_with_falling_thresholds_is_refused():
    with pytest.raises(ValueError, match="must rise"):
        replace(NOMINAL, related=0.9)


TEXTS = st.sampled_from(
    [
        "NIST requires at least 8 characters.",
        "NIST requires at least 12 characters.",
        "Verifiers do not require changes in 2017.",
        "Verifiers require changes.",
        "In Germany sales rose by 12 %.",
        "Sales fell.",
        "",
    ]
)


@given(TEXTS, TEXTS, st.floats(-1, 1))
def test_comparison_is_symmetric(a, b, semantic):
    one, other = both(a, b, semantic), both(b, a, semantic)
    assert (one.kind, one.confidence, one.warnings) == (other.kind, other.confidence, other.warnings)


@given(TEXTS, st.floats(0.92, 1))
def test_a_text_is_its_own_duplicate(text, semantic):
    assert both(text, text, semantic).kind is SimilarityKind.DUPLICATE


@given(st.text(max_size=80), st.text(max_size=80), st.floats(0, 1))
def test_any_texts_are_compared(a, b, semantic):
    assert 0 < both(a, b, semantic).confidence < 1


def test_huge_statements_are_compared_by_their_beginning():
    long = "It sold 12 and 13 and 14 boats. " * 1_000  # 16 times what is compared of it
    assert both(long, long.replace("12", "15"), 0.99).gates.numbers is not Match.UNRELATED


@pytest.mark.parametrize("text", ["\ud800", "\u202eabc\u202c", "\x00\x01", "٣ كتب", "12 12 13 14 %", "−−−"])
def test_odd_statements_are_compared(text):
    assert both(text, "It sold 12 boats.", 0.5).kind in SimilarityKind
    assert both(text, text, 0.99).kind is SimilarityKind.DUPLICATE


def test_one_more_fact_is_corroborated_whatever_the_cosine():
    found = both(
        "The mill of Oslo burned in 1802.",
        "The mill of Oslo burned in 1802, while the miller and all his men were away to sell the harvest.",
        0.7,
    )
    assert found.kind is SimilarityKind.CORROBORATION
    assert found.gates.carried == 1.0


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("The eastern gate has 40 steps in all.", "The eastern gate has 55 steps in all.", "“55"),
        ("The crew won the first race in May.", "The crew won the second race in May.", "“second”"),
        ("The crew won more races than Lima.", "The crew won fewer races than Lima.", "“fewer”"),
        ("The museum is open on Mondays in May.", "The museum is not open on Mondays in May.", "“not”"),
        ("The painter Ola Berg was born in 1869.", "The painter Ola Berg was born in 1867.", "“1867”"),
    ],
)
def test_a_small_change_in_a_copy_is_a_possible_contradiction_that_names_it(a, b, reason):
    found = both(a, b, 0.95)
    assert found.is_possible_contradiction
    assert reason in found.gates.reasons[0]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Sales rose in spring, whereas costs were flat.", "Sales rose in spring, however slowly."),
        ("In 2016 sales rose in Norway.", "In 2017 sales rose in Norway."),
        ("The tower weighs 40 tonnes.", "The tower is 70 metres high."),
        ("Among children, 12 % were ill.", "Among adults, 30 % were ill."),
    ],
)
def test_known_over_rejections_are_none(a, b):
    assert not both(a, b, 0.9).is_possible_contradiction


def test_what_differs_in_names_only_is_not_merged():
    found = both("The port of Lima has 12 cranes.", "The port of Accra has 12 cranes.", 0.9)
    assert found.kind not in (SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION)
