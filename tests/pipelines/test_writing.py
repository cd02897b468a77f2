"""A section written by rules: for the first time, and again after the check found fault with it."""

import pytest

from citations.models import Citation, Claim, Section
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.models import AgentRole, Run, State, Step, StepStatus
from research.models.base_models import new_id
from research.pipelines.report.report_analysis_evidence import Evidence, dump_evidence
from research.pipelines.report.report_outline import number_sections
from research.pipelines.report.synthesizing.report_section_claims import faulty_sections
from research.pipelines.report.synthesizing.write_report_section_by_rules import write_section
from tests.people import join
from tests.worlds import ReportWorld, add_source, make_report

SITES = "The seasonal factor stayed above two at nine sites."


@pytest.fixture
def world(db: None) -> ReportWorld:
    """A report whose first section states claims 1 and 2, its second claim 3."""
    world = make_report(join("ada"), state=State.SYNTHESIZING)
    with tenant_context(world.person.tenant.pk):
        one, two, three = (claim.pk for claim in world.claims)
        world.run.outline = number_sections([("Findings", [one, two]), ("Costs", [three])])
        world.run.save()
        start = world.trial.text.index(SITES)
        places = {claim.pk: [Evidence(world.trial.pk, start, start + len(SITES))] for claim in world.claims}
        Step.objects.create(
            run=world.run,
            step_index=90,
            key="4.analyzing/analyze",
            handler="report.merge",
            agent_role=AgentRole.ANALYZER,
            status=StepStatus.COMPLETED,
            output={"evidence": dump_evidence(places), "open": []},
        )
    return world


def write(world: ReportWorld) -> Section:
    """The second section, at index 1."""
    work = StepWork(
        step_id=new_id(),
        run_id=world.run.pk,
        tenant_id=world.run.tenant_id,
        key="5.synthesizing/section.1",
        handler="report.write",
        input={"section": 1},
        attempt=1,
        fence=1,
    )
    result = write_section(work)
    with tenant_context(world.run.tenant_id):
        result.save()
        return Section.objects.get(run=world.run, report_version=world.run.report_version, index=1)


def revise(world: ReportWorld, **columns: object) -> None:
    """The check found this of claim 3."""
    with tenant_context(world.run.tenant_id):
        Run.objects.filter(pk=world.run.pk).update(revision_count=1)
        Claim.objects.filter(pk=world.claims[2].pk).update(**columns)


def third(world: ReportWorld) -> Claim:
    with tenant_context(world.run.tenant_id):
        return Claim.objects.get(pk=world.claims[2].pk)


def test_claims_stand_one_by_one_under_their_heading_with_the_readers_numbers(world):
    section = write(world)
    assert (section.heading, section.status) == ("Costs", "written")
    listed = {"type": "list", "sentences": [{"claim": str(world.claims[2].pk)}]}
    assert section.body == {"blocks": [listed], "by": "rules"}
    assert (third(world).number, third(world).section_id) == (3, section.pk)


def test_what_was_cited_is_cited_anew(world):
    write(world)
    with tenant_context(world.run.tenant_id):
        assert not Citation.objects.filter(claim=world.claims[2]).exists()
        assert Citation.objects.filter(claim=world.claims[0]).exists()


def test_a_claim_that_left_the_report_does_not_come_back(world):
    revise(world, section=None, number=None)
    assert write(world).body == {"blocks": [], "by": "rules"}
    assert third(world).section_id is None


def test_a_claim_that_did_not_hold_takes_the_words_that_it_cites(world):
    revise(world, verification_status="partially_supported")
    write(world)
    assert third(world).text == SITES


def test_a_claim_that_even_its_own_words_do_not_carry_is_left_out(world):
    revise(world, verification_status="partially_supported")
    with tenant_context(world.run.tenant_id):
        question = add_source(world.run, "q.txt", "Why is it so cold in Kiruna?", title="A question")
        step = Step.objects.get(run=world.run, handler="report.merge")
        step.output["evidence"] |= dump_evidence({world.claims[2].pk: [Evidence(question.pk, 0, 28)]})
        step.save()
    write(world)
    with tenant_context(world.run.tenant_id):
        left_out = Run.objects.get(pk=world.run.pk).result["left_out"]
    assert third(world).section_id is None
    assert world.claims[2].text in [one["text"] for one in left_out]


def test_only_sections_with_a_fault_are_written_again(world):
    with tenant_context(world.run.tenant_id):
        assert faulty_sections(world.run) == []
        Claim.objects.filter(pk=world.claims[2].pk).update(verification_status="partially_supported")
        assert len(faulty_sections(world.run)) == 1
