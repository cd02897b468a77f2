"""Contradictions and searches in vain, as entries of the document tree."""

import pytest

from citations.models import Contradiction
from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.db.tenancy import tenant_context
from research.models import AgentRole, Step, StepStatus
from tests.people import join
from tests.worlds import ReportWorld, make_report

SHARED = {"circumstance": "date", "mine": ["2019"], "theirs": ["2023"], "standing": "apart"}
SCORES = {"authority": 0.8, "recency": 0.5, "corroboration": 0.7, "specificity": 0.6}


@pytest.fixture
def world(db: None) -> ReportWorld:
    return make_report(join("ada"))


def build_report(world: ReportWorld) -> Document:
    with tenant_context(world.person.tenant.pk):
        return build_document(world.run.pk)


def change(world: ReportWorld, **columns: object) -> None:
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.filter(run=world.run).update(**columns)


def test_a_pair_carries_the_words_that_clash_and_its_circumstances(world):
    change(world, gates={"mine": "12 percent", "theirs": "21 percent", "circumstances": [SHARED]})
    (pair,) = build_report(world).contradictions
    assert (pair.mine, pair.theirs) == ("12 percent", "21 percent")
    assert [
        (circumstance.name, circumstance.mine, circumstance.theirs, circumstance.standing)
        for circumstance in pair.circumstances
    ] == [("date", ("2019",), ("2023",), "apart")]


def test_a_pair_without_them_has_none(world):
    (pair,) = build_report(world).contradictions
    assert (pair.mine, pair.circumstances, pair.scores_a, pair.winner, pair.decided_by) == (
        "",
        (),
        (),
        "",
        "",
    )
    assert pair.is_open


@pytest.mark.parametrize("side", [0, 1])
def test_a_settled_pair_names_its_side_and_what_the_sides_count_for(world, side):
    change(
        world, resolution="resolved", winner=world.claims[side], margin=0.42, scores_a=SCORES, scores_b=SCORES
    )
    (pair,) = build_report(world).contradictions
    assert (pair.winner, pair.margin, pair.is_open) == ("ab"[side], 0.42, False)
    assert {one.name: one.value for one in pair.scores_b} == SCORES


def test_a_persons_decision_carries_the_name(world):
    change(world, resolution="human", resolved_by=world.person.user)
    (pair,) = build_report(world).contradictions
    assert (pair.decided_by, pair.is_open) == ("ada", False)


def test_open_pairs_come_first(world):
    change(world, resolution="resolved", winner=world.claims[0])
    with tenant_context(world.person.tenant.pk):
        Contradiction.objects.create(
            run=world.run, claim_a=world.claims[1], claim_b=world.claims[2], kind="polarity"
        )
    assert [pair.resolution for pair in build_report(world).contradictions] == ["open", "resolved"]


def add_search_step(world: ReportWorld, handler: str, query: str, status: str, **columns: object) -> None:
    with tenant_context(world.person.tenant.pk):
        Step.objects.create(
            run=world.run,
            step_index=100 + Step.objects.count(),
            key=f"{handler} {query} {status}",
            handler=handler,
            agent_role=AgentRole.RESEARCHER,
            status=status,
            input={"query": query},
            **columns,
        )


def test_searches_in_vain_are_told_once_with_their_place_and_why(world):
    done, failed = StepStatus.COMPLETED, StepStatus.FAILED
    add_search_step(world, "report.search", "brine pumps", done, output={"found": 0})
    add_search_step(world, "report.search", "brine pumps", StepStatus.SKIPPED)
    add_search_step(world, "report.search", "air pumps", done, output={"found": 3})
    add_search_step(world, "report.web_search", "brine pumps", done, output={"found": 0, "pages": []})
    add_search_step(
        world, "report.web_search", "ice", failed, error_code="NO_RESULTS", error_message="Brave: closed"
    )
    add_search_step(world, "report.web_search", "snow", StepStatus.PENDING)
    assert [(search.query, search.place, search.reason) for search in build_report(world).vain_searches] == [
        ("brine pumps", "library", ""),
        ("brine pumps", "web", ""),
        ("ice", "web", "Brave: closed"),
    ]
