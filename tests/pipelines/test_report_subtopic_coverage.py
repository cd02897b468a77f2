"""A report covers the subtopics of its plan by what their searches found."""

from uuid import uuid4

import pytest

from citations.claim_strength import Origin
from citations.credibility.credibility_evidence_gaps import Coverage
from citations.models import Citation
from research.db.tenancy import tenant_context
from research.models import AgentRole, LibraryDocument, Step, StepStatus
from research.pipelines.common.verifying.report_subtopic_coverage import coverages
from research.pipelines.report.passages_found_for_report import FoundPassage, dump_passages
from tests.people import join
from tests.worlds import ReportWorld, make_report


@pytest.fixture
def world(db) -> ReportWorld:
    return make_report(join("ada"))


def search(world: ReportWorld, index: int, subtopic: str, *hits: tuple[LibraryDocument, int, int]) -> None:
    found = [FoundPassage(uuid4(), row.pk, start, end, 0.5, subtopic) for row, start, end in hits]
    Step.objects.create(
        run=world.run,
        step_index=index,
        key=f"1.collecting/search.{index}",
        handler="report.search",
        agent_role=AgentRole.RESEARCHER,
        status=StepStatus.COMPLETED,
        output={"hits": dump_passages(found)},
    )


def plan(world: ReportWorld, *subtopics: str) -> None:
    world.run.plan = {"goal": "", "subtopics": [{"name": name, "queries": [name]} for name in subtopics]}


def measure_coverage(world: ReportWorld) -> list[Coverage]:
    citations = {
        claim.pk: list(Citation.objects.filter(claim=claim).select_related("source"))
        for claim in world.claims
    }
    known = {source.pk: Origin(str(source.pk)) for source in (world.trial, world.study)}
    return coverages(world.run, world.claims, citations, known)


def in_library(source) -> LibraryDocument:
    document = LibraryDocument.objects.create(folder="f", path=source.title)
    source.library_document = document
    source.save()
    return document


def test_a_claim_covers_the_subtopics_whose_searches_found_its_words(world):
    with tenant_context(world.person.tenant.pk):
        plan(world, "trials", "repairs")
        trial = in_library(world.trial)
        whole = (trial, 0, len(world.trial.text))
        search(world, 1, "trials", whole)
        search(world, 2, "repairs", (trial, 0, 5))
        assert measure_coverage(world) == [Coverage("trials", 3, 1), Coverage("repairs", 0, 0)]


def test_independent_sources_are_counted(world):
    with tenant_context(world.person.tenant.pk):
        plan(world, "trials", "costs")
        hits = [(in_library(one), 0, len(one.text)) for one in (world.trial, world.study)]
        search(world, 1, "trials", *hits)
        search(world, 2, "costs", hits[1])
        assert measure_coverage(world) == [Coverage("trials", 3, 2), Coverage("costs", 1, 1)]


def test_several_searches_of_a_subtopic_are_one(world):
    with tenant_context(world.person.tenant.pk):
        plan(world, "trials", "costs")
        trial = in_library(world.trial)
        search(world, 1, "trials", (trial, 0, 5))
        search(world, 2, "trials", (trial, 0, len(world.trial.text)))
        assert measure_coverage(world)[0] == Coverage("trials", 3, 1)


def test_a_plan_of_one_subtopic_is_not_divided(world):
    with tenant_context(world.person.tenant.pk):
        plan(world, "trials")
        assert measure_coverage(world) == []


def test_a_subtopic_for_which_nothing_was_found_is_not_covered(world):
    with tenant_context(world.person.tenant.pk):
        plan(world, "trials", "costs")
        assert measure_coverage(world) == [Coverage("trials", 0, 0), Coverage("costs", 0, 0)]
