"""Citing a section whose claims come with their places: right, misnamed, close, and not to be quoted."""

from collections.abc import Callable, Sequence

import pytest

from citations.models import Citation, CitationStatus, Claim, MatchType, Section, VerifiedBy
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import AgentRole, Run, Source, State, Step, StepStatus
from research.models.base_models import new_id
from research.pipelines.common.cite_report_section_step import NOT_A_STATEMENT, cite
from research.pipelines.common.verifying.verify_report_by_rules import verify_report
from research.pipelines.report.report_analysis_evidence import Evidence, dump_evidence, read_evidence
from tests.people import join
from tests.worlds import ReportWorld, make_report


@pytest.fixture
def world(db: None) -> ReportWorld:
    """A report that is written and not cited yet; its first section states claims 1 and 2."""
    world = make_report(join("ada"), state=State.CITING)
    with tenant_context(world.person.tenant.pk):
        Citation.objects.all().delete()
    return world


def make_evidence(
    source: Source, words: str, *, named: Source | None = None, similarity: float = 1.0
) -> Evidence:
    start = source.text.index(words)
    return Evidence(source.pk, start, start + len(words), named and named.pk, similarity)


def cite_first_section(world: ReportWorld, *places: Sequence[Evidence]) -> StepResult:
    """Cite claims 1 and 2 with the quotes given for each, and store the result."""
    with tenant_context(world.person.tenant.pk):
        section = Section.objects.get(run=world.run, index=1)
        evidence = {claim.pk: list(found) for claim, found in zip(world.claims[:2], places, strict=True)}
        Step.objects.create(
            run=world.run,
            step_index=90,
            key="4.analyzing/analyze",
            handler="report.analyze",
            agent_role=AgentRole.ANALYZER,
            status=StepStatus.COMPLETED,
            output={"evidence": dump_evidence(evidence), "open": []},
        )
        return run_step(world, cite, {"section": str(section.pk)})


def run_step(
    world: ReportWorld, handler: Callable[[StepWork], StepResult], step_input: dict[str, str]
) -> StepResult:
    """Return the result of a handler's step, stored as the engine stores it."""
    work = StepWork(
        step_id=new_id(),
        run_id=world.run.pk,
        tenant_id=world.run.tenant_id,
        key="6.citing/section.1",
        handler="report.cite",
        input=step_input,
        attempt=1,
        fence=1,
    )
    with tenant_context(world.run.tenant_id):
        result = handler(work)
        assert result.save is not None
        result.save()
    return result


def citations(world: ReportWorld, number: int) -> list[Citation]:
    with tenant_context(world.person.tenant.pk):
        rows = Citation.objects.filter(claim=world.claims[number - 1]).select_related("source")
        return list(rows.order_by("citation_index"))


def list_left_out(world: ReportWorld) -> list[tuple[str, str]]:
    with tenant_context(world.person.tenant.pk):
        outcome = Run.objects.get(pk=world.run.pk).result
    return [(one["text"], one["reason"]) for one in outcome["left_out"]]


HEATERS = "Backup heaters ran for forty hours."
SITES = "The seasonal factor stayed above two at nine sites."


def test_words_in_their_source_are_cited_with_their_surroundings(world):
    cite_first_section(world, [make_evidence(world.trial, SITES)], [make_evidence(world.trial, HEATERS)])
    [one] = citations(world, 1)
    assert (one.quote, one.match_type, one.similarity) == (SITES, MatchType.EXACT, 1.0)
    assert (one.prefix[-9:], one.suffix[:7]) == ("winters. ", " Backup")


def test_words_that_were_named_for_the_wrong_source_are_marked(world):
    result = cite_first_section(
        world, [make_evidence(world.trial, SITES, named=world.study)], [make_evidence(world.trial, HEATERS)]
    )
    [one] = citations(world, 1)
    assert (one.source_id, one.verification_status) == (world.trial.pk, CitationStatus.CORRECTED)
    assert "Laborstudie" in one.verification_notes
    assert result.output["misattributed"] == 1


def test_a_close_quote_is_never_exact_and_keeps_its_similarity(world):
    cite_first_section(
        world, [make_evidence(world.trial, SITES, similarity=0.94)], [make_evidence(world.trial, HEATERS)]
    )
    [one] = citations(world, 1)
    assert (one.match_type, one.similarity, one.quote) == (MatchType.PARAPHRASE, 0.94, SITES)


def test_a_heading_alone_is_no_evidence_and_takes_its_claim_out_of_the_report(world):
    cite_first_section(
        world, [make_evidence(world.trial, "Cold field trial")], [make_evidence(world.trial, HEATERS)]
    )
    assert citations(world, 1) == []
    assert (world.claims[0].text, NOT_A_STATEMENT) in list_left_out(world)
    with tenant_context(world.person.tenant.pk):
        assert Claim.objects.get(pk=world.claims[0].pk).section is None


def test_a_heading_beside_a_statement_is_dropped_alone(world):
    cite_first_section(
        world,
        [make_evidence(world.trial, "Cold field trial"), make_evidence(world.trial, SITES)],
        [make_evidence(world.trial, HEATERS)],
    )
    assert [citation.quote for citation in citations(world, 1)] == [SITES]
    assert ("Cold field trial", NOT_A_STATEMENT) in list_left_out(world)


def test_two_quotes_of_one_place_are_one_citation(world):
    cite_first_section(
        world,
        [make_evidence(world.trial, SITES), make_evidence(world.trial, SITES)],
        [make_evidence(world.trial, HEATERS)],
    )
    assert len(citations(world, 1)) == 1


def test_verification_keeps_the_mark_of_a_misnamed_quote(world):
    cite_first_section(
        world, [make_evidence(world.trial, SITES, named=world.study)], [make_evidence(world.trial, HEATERS)]
    )
    with tenant_context(world.person.tenant.pk):
        Claim.objects.filter(pk=world.claims[2].pk).update(section=None, number=None)
    for _ in range(2):  # a step may be done again
        run_step(world, verify_report, {})
    [one] = citations(world, 1)
    assert (one.verification_status, one.verified_by) == (CitationStatus.CORRECTED, VerifiedBy.AUTO)
    assert one.verification_notes.count("Laborstudie") == 1


def test_evidence_comes_back_as_it_was_stored(world):
    place = make_evidence(world.trial, SITES, named=world.note, similarity=0.95)
    cite_first_section(world, [place], [make_evidence(world.trial, HEATERS)])
    with tenant_context(world.person.tenant.pk):
        assert read_evidence(world.run.pk)[world.claims[0].pk] == [place]
