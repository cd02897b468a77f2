"""Citing a section whose claims come with quotes: right, misnamed, close, and made up."""

from collections.abc import Callable, Sequence

import pytest

from citations.models import Citation, CitationStatus, Claim, MatchType, Section, VerifiedBy
from research.lifecycle.recipe import StepResult, StepWork
from research.models import AgentRole, Run, Source, State, Step, StepStatus
from research.models.base import new_id
from research.recipes.report.citing import NO_ANCHOR, NOT_A_STATEMENT, cite
from research.recipes.report.evidence import Evidence, read_evidence, stored_evidence
from research.recipes.report.verifying.by_rules import verify_report
from research.tenancy import tenant_context
from tests.people import join
from tests.worlds import ReportWorld, make_report


@pytest.fixture
def world(db: None) -> ReportWorld:
    """A report that is written and not cited yet; its first section states claims 1 and 2."""
    world = make_report(join("ada"), state=State.CITING)
    with tenant_context(world.person.tenant.pk):
        Citation.objects.all().delete()
    return world


def quoted(source: Source, quote: str) -> Evidence:
    return Evidence(source.pk, 0, 1, quote)


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
            output={"evidence": stored_evidence(evidence), "open": []},
        )
        return done(world, cite, {"section": str(section.pk)})


def done(
    world: ReportWorld, handler: Callable[[StepWork], StepResult], step_input: dict[str, str]
) -> StepResult:
    """What a handler's step came to, stored as the lifecycle stores it."""
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


def left_out(world: ReportWorld) -> list[tuple[str, str]]:
    with tenant_context(world.person.tenant.pk):
        outcome = Run.objects.get(pk=world.run.pk).result
    return [(one["text"], one["reason"]) for one in outcome["left_out"]]


HEATERS = "Backup heaters ran for forty hours."
SITES = "The seasonal factor stayed above two at nine sites."


def test_a_quote_in_the_named_source_is_cited_with_its_surroundings(world):
    cite_first_section(world, [quoted(world.trial, SITES)], [quoted(world.trial, HEATERS)])
    [one] = citations(world, 1)
    assert (one.quote, one.match_type, one.similarity) == (SITES, MatchType.EXACT, 1.0)
    assert (one.prefix[-9:], one.suffix[:7]) == ("winters. ", " Backup")


def test_a_quote_named_for_the_wrong_source_is_cited_from_the_right_one_and_marked(world):
    result = cite_first_section(world, [quoted(world.study, SITES)], [quoted(world.trial, HEATERS)])
    [one] = citations(world, 1)
    assert (one.source_id, one.verification_status) == (world.trial.pk, CitationStatus.CORRECTED)
    assert "Laborstudie" in one.verification_notes
    assert result.output["misattributed"] == 1


def test_a_quote_in_a_source_that_no_claim_names_is_found_there(world):
    cite_first_section(
        world, [quoted(world.trial, "A note that nobody cites")], [quoted(world.trial, HEATERS)]
    )
    [one] = citations(world, 1)
    assert one.source_id == world.note.pk


def test_a_made_up_quote_takes_its_claim_out_of_the_report(world):
    made_up = "The seasonal factor reached five at every site of the trial."
    cite_first_section(world, [quoted(world.trial, made_up)], [quoted(world.trial, HEATERS)])
    assert citations(world, 1) == []
    assert (world.claims[0].text, NO_ANCHOR) in left_out(world)
    with tenant_context(world.person.tenant.pk):
        assert Claim.objects.get(pk=world.claims[0].pk).section is None


def test_a_made_up_quote_beside_a_true_one_is_dropped_alone(world):
    made_up = "The seasonal factor reached five at every site of the trial."
    cite_first_section(
        world, [quoted(world.trial, made_up), quoted(world.trial, SITES)], [quoted(world.trial, HEATERS)]
    )
    assert [one.quote for one in citations(world, 1)] == [SITES]
    assert (made_up, NO_ANCHOR) in left_out(world)


def test_a_close_quote_is_never_exact_and_keeps_its_similarity(world):
    close = "The seasonal factors stayed above two at nine sites"
    cite_first_section(world, [quoted(world.trial, close)], [quoted(world.trial, HEATERS)])
    [one] = citations(world, 1)
    assert one.match_type == MatchType.PARAPHRASE
    assert 0.9 <= one.similarity < 1
    assert one.quote in world.trial.text


def test_a_heading_alone_is_no_evidence(world):
    cite_first_section(world, [quoted(world.trial, "Cold field trial")], [quoted(world.trial, HEATERS)])
    assert citations(world, 1) == []
    assert (world.claims[0].text, NOT_A_STATEMENT) in left_out(world)


def test_two_quotes_of_one_place_are_one_citation(world):
    cite_first_section(
        world,
        [quoted(world.trial, SITES), quoted(world.trial, SITES.upper())],
        [quoted(world.trial, HEATERS)],
    )
    assert len(citations(world, 1)) == 1


def test_words_named_by_their_place_need_no_quote(world):
    start = world.trial.text.index(SITES)
    cite_first_section(
        world, [Evidence(world.trial.pk, start, start + len(SITES))], [quoted(world.trial, HEATERS)]
    )
    assert citations(world, 1)[0].start_offset == start


def test_verification_keeps_the_mark_of_a_misnamed_quote(world):
    cite_first_section(world, [quoted(world.study, SITES)], [quoted(world.trial, HEATERS)])
    with tenant_context(world.person.tenant.pk):
        Claim.objects.filter(pk=world.claims[2].pk).update(section=None, number=None)
    for _ in range(2):  # a step may be done again
        done(world, verify_report, {})
    [one] = citations(world, 1)
    assert (one.verification_status, one.verified_by) == (CitationStatus.CORRECTED, VerifiedBy.AUTO)
    assert one.verification_notes.count("Laborstudie") == 1


def test_evidence_comes_back_as_it_was_stored(world):
    place = quoted(world.trial, SITES)
    cite_first_section(world, [place], [quoted(world.trial, HEATERS)])
    with tenant_context(world.person.tenant.pk):
        assert read_evidence(world.run.pk)[world.claims[0].pk] == [place]
