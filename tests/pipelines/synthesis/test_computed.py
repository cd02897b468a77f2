"""Strength and warnings of a synthesis equal what another computation of the same table gives."""

from itertools import pairwise

from citations.anchoring import Span
from citations.claim_strength import strength
from research.models.base_models import new_id
from research.pipelines.common.write_pipeline_claims import statements_of
from research.pipelines.synthesis.group_synthesis_studies import group_studies
from research.pipelines.synthesis.synthesis_study_rows import Study, labels_of
from research.pipelines.synthesis.synthesis_study_weaknesses import (
    is_meta_analysis,
    is_randomized,
    weaknesses,
)
from research.pipelines.synthesis.write_synthesis_sections import SourcedStudy, sections_of
from tests.pipelines.synthesis.recomputed import (
    draw_rows,
    recompute_claims,
    recompute_codes,
    strength_by_hand,
)

TABLES = 200


def studies_of(rows):
    return [Study.model_validate(row) for row in rows]


def rows_of(studies):
    labels = labels_of(studies)
    return [
        SourcedStudy(one, label, new_id(), Span(0, 10)) for one, label in zip(studies, labels, strict=True)
    ]


def test_strength_is_the_number_of_studies_on_200_tables():
    checked = 0
    for seed in range(TABLES):
        given = draw_rows(seed)
        said = {
            statement.text: statement
            for statement in statements_of(sections_of(rows_of(studies_of(given))))
            if statement.computed
        }
        wanted = recompute_claims(given)
        assert len(said) == len(wanted), seed
        for outcome, count in wanted.items():
            claim = next(
                one for text, one in said.items() if text.startswith(f"On {outcome}, {count} studies")
            )
            assert strength(claim.studies or 0).value == strength_by_hand(count)
            assert len({place.source for place in claim.places}) == count
            checked += 1
    assert checked > 100


def test_computed_warnings_equal_a_recomputation_on_200_tables():
    for seed in range(TABLES):
        given = draw_rows(seed)
        assert {weakness.code for weakness in weaknesses(studies_of(given))} == recompute_codes(given), seed


def test_every_finding_is_stated_once_and_by_its_own_study():
    for seed in range(TABLES):
        rows = rows_of(studies_of(draw_rows(seed)))
        stated = [statement for statement in statements_of(sections_of(rows)) if not statement.computed]
        assert sorted(one.text for one in stated) == sorted(row.study.finding for row in rows)
        assert all(one.studies == 1 and len(one.places) == 1 for one in stated)


def test_the_order_of_rows_changes_no_group():
    for seed in range(20):
        studies = studies_of(draw_rows(seed))
        groups = {
            frozenset(studies[member].title for member in group.members) for group in group_studies(studies)
        }
        turned = studies[::-1]
        again = {
            frozenset(turned[member].title for member in group.members) for group in group_studies(turned)
        }
        assert groups == again


def test_labels_tell_every_study_apart():
    studies = [
        Study(title=f"T{number}", authors="Smith, Anna; Lee, Bo; Ray, Cy", year=2023) for number in range(60)
    ]
    labels = labels_of(studies)
    assert labels[0] == "Smith et al., 2023a"
    assert len(set(labels)) == 60
    assert all(one != other for one, other in pairwise(labels))


def test_what_is_no_randomized_trial_is_not_taken_for_one():
    assert is_randomized("cluster-randomised controlled trial")
    assert not is_randomized("non-randomised trial")
    assert is_meta_analysis("Systematic review and meta-analysis")
    assert not is_meta_analysis("systematic review (narrative)")
