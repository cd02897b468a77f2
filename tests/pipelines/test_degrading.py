"""A report gives up part of its work after a failure: how much, in which words, recorded once."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.models import Citation, Claim, Section, VerificationIssue, VerificationReport
from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.engine.states.step_failures import StepError
from research.llm.budgets.budget_degradations import Shortfall
from research.models import (
    Degradation,
    Mail,
    PlanTrigger,
    PlanVersion,
    Run,
    Source,
    SourceStatus,
    State,
    Step,
)
from research.models.schemas import Plan
from research.pipelines.report.degrading import (
    remove_failed_report_claims,
    rewrite_report_by_rules,
    skip_unread_report_sources,
)
from research.pipelines.report.degrading.reduce_report_scope import narrow_plan, reduce_scope
from research.pipelines.report.pipeline import ReportPipeline
from research.pipelines.report.reading.fetch_report_pages import retry_or_skip_source
from research.pipelines.report.report_step_names import ReportStepName
from research.runs.run_plan_versions import keep_version
from tests.checked import check, make_checked_report
from tests.people import join

PRIORITIES = ["critical", "important", "supplementary"]


def plan_of(*priorities, targets=10, outline=True):
    names = [f"topic {number}" for number in range(len(priorities))]
    subtopics = [
        {"name": name, "queries": ["q"], "priority": priority, "target_sources": targets}
        for name, priority in zip(names, priorities, strict=True)
    ]
    sections = [{"heading": name.title()} for name in names] if outline else []
    return Plan(goal="g", subtopics=subtopics, outline=sections, estimated_sources=30)


# --- fewer sources, fewer subtopics ---


@pytest.mark.parametrize(
    ("subtopics", "kept"), [(1, 1), (2, 2), (4, 4), (5, 4), (6, 5), (9, 8), (10, 8), (11, 9)]
)
def test_a_fifth_of_the_subtopics_goes_and_where_that_is_no_whole_number_fewer(subtopics, kept):
    assert len(narrow_plan(plan_of(*["important"] * subtopics), {}).plan.subtopics) == kept


@pytest.mark.parametrize(("wanted", "kept"), [(1, 1), (9, 7), (10, 7), (11, 8), (30, 21), (70, 49)])
def test_three_tenths_fewer_sources_are_wanted(wanted, kept):
    smaller = narrow_plan(plan_of("critical", targets=wanted), {}).plan
    assert smaller.subtopics[0].target_sources == kept
    assert smaller.estimated_sources == 21


def test_the_least_important_subtopic_goes_first():
    smaller = narrow_plan(plan_of("important", "supplementary", "critical", "important", "important"), {})
    assert smaller.dropped == ("topic 1",)
    assert [one.heading for one in smaller.plan.outline] == ["Topic 0", "Topic 2", "Topic 3", "Topic 4"]


def test_of_equal_ones_that_goes_on_which_the_least_was_found():
    found = {"topic 0": 1, "topic 2": 4, "topic 3": 2, "topic 4": 1, "topic 1": 0}
    assert narrow_plan(plan_of(*["important"] * 5), found).dropped == ("topic 1",)


def test_of_ones_that_are_all_alike_the_last_goes():
    assert narrow_plan(plan_of(*["important"] * 5), {}).dropped == ("topic 4",)


def test_a_section_goes_with_the_subtopic_that_it_names():
    plan = plan_of(*["critical"] * 4, "supplementary", outline=False)
    named = [
        {"heading": "A", "subtopic": "topic 4"},
        {"heading": "B", "subtopic": "topic 0"},
        {"heading": "C"},
    ]
    smaller = narrow_plan(Plan.model_validate(plan.model_dump() | {"outline": named}), {}).plan
    assert [one.heading for one in smaller.outline] == ["B", "C"]


COUNTS = st.dictionaries(st.integers(0, 19), st.integers(0, 9))


@given(st.lists(st.sampled_from(PRIORITIES), min_size=1, max_size=20), COUNTS)
def test_a_smaller_plan_is_a_plan_and_keeps_what_matters_most(priorities, counts):
    plan = plan_of(*priorities)
    smaller = narrow_plan(plan, {f"topic {number}": count for number, count in counts.items()})
    kept = [subtopic.name for subtopic in smaller.plan.subtopics]
    assert kept == [subtopic.name for subtopic in plan.subtopics if subtopic.name not in smaller.dropped]
    assert len(smaller.dropped) == len(plan.subtopics) // 5
    rank = {subtopic.name: PRIORITIES.index(subtopic.priority) for subtopic in plan.subtopics}
    assert max(rank[name] for name in kept) <= min((rank[name] for name in smaller.dropped), default=9)


def stock(**passed):
    checks = [
        {"name": name, "score": 0.5, "is_passed": passed.get(name, True), "detail": ""}
        for name in ("count", "coverage", "diversity", "recency", "quality", "novelty")
    ]
    return {"checks": checks, "score": 0.5, "is_enough": False, "state": "collecting"}


@pytest.fixture
def ada(db, settings):
    settings.PLUMBLINE_SEARXNG_URL = "http://searxng:8080"
    person = join("ada")
    person.user.email = "ada@example.org"
    person.user.save()
    with tenant_context(person.tenant.pk):
        yield person


def make_run(ada, sufficiency, **config):
    plan = plan_of(*["important"] * 5).model_dump(mode="json")
    values = {"state": State.COLLECTING, "sufficiency": sufficiency, "config": {"sources": "web", **config}}
    return Run.objects.create(owner=ada.user, topic="Do pumps freeze?", plan=plan, **values)


@pytest.mark.parametrize("check", ["count", "coverage"])
def test_a_search_that_ended_short_makes_the_plan_smaller_keeps_the_old_one_and_says_so(ada, check):
    run = make_run(ada, stock(**{check: False}))
    reduce_scope(run)
    reduce_scope(run)
    versions = PlanVersion.objects.filter(run=run).order_by("number")
    assert [(version.number, len(version.plan["subtopics"]), version.trigger) for version in versions] == [
        (1, 5, "planner"),
        (2, 4, "insufficient_sources"),
    ]
    run.refresh_from_db()
    assert run.plan == versions[1].plan
    [given_up] = run.degradations
    assert given_up["code"] == Shortfall.REDUCED_SCOPE
    assert given_up["reason"] == (
        "Too few sources were found: 21 are wanted now, and the report does without “topic 4”."
    )


def test_a_plan_that_was_made_anew_and_came_short_too_is_made_smaller_again(ada):
    run = make_run(ada, stock(count=False))
    reduce_scope(run)
    other = plan_of(*["important"] * 10)
    keep_version(run, other, PlanTrigger.INSUFFICIENT_COVERAGE, "Thin.")
    reduce_scope(run)
    run.refresh_from_db()
    assert len(run.plan["subtopics"]) == 8
    [given_up] = run.degradations
    assert "“topic 8”, “topic 9”" in given_up["reason"]


@pytest.mark.parametrize(
    ("sufficiency", "config"),
    [
        (None, {}),
        (stock(), {}),
        (stock(diversity=False, recency=False, quality=False, novelty=False), {}),
        (stock(count=False), {"sources": "library"}),
    ],
)
def test_where_enough_was_found_or_a_library_has_no_more_the_plan_stays(ada, sufficiency, config):
    run = make_run(ada, sufficiency, **config)
    reduce_scope(run)
    assert not Degradation.objects.filter(run=run).exists()
    assert not PlanVersion.objects.filter(run=run).exists()


# --- sources that could not be read ---


@pytest.mark.parametrize(
    ("skipped", "of", "words"),
    [
        (1, 10, "1 of 10 sources could not be read and were skipped."),
        (3, 10, "3 of 10 sources could not be read and were skipped."),
        (4, 10, "Only 6 of 10 sources could be read: the report rests on far fewer than planned."),
        (31, 100, "Only 69 of 100 sources could be read: the report rests on far fewer than planned."),
    ],
)
def test_seven_tenths_of_the_sources_are_enough(skipped, of, words):
    loss = skip_unread_report_sources.loss_of(skipped, of)
    assert (loss.reason, loss.impact) == (words, skipped / of)


def test_only_sources_that_could_not_be_extracted_are_skipped_for_that(ada):
    run = make_run(ada, None)
    kinds = [("failed", "EXTRACTION_FAILED"), ("failed", "PAYWALL"), ("duplicate", ""), ("processed", "")]
    for number, (status, code) in enumerate(kinds):
        Source.objects.create(
            run=run, canonical_url=f"https://a.example/{number}", status=status, error_code=code
        )
    skip_unread_report_sources.note_skipped_sources(run)
    run.refresh_from_db()
    assert [degradation["reason"] for degradation in run.degradations] == [
        "Only 2 of 3 sources could be read: the report rests on far fewer than planned."
    ]


def test_with_all_sources_read_nothing_is_said(ada):
    run = make_run(ada, None)
    Source.objects.create(run=run, canonical_url="https://a.example/", status=SourceStatus.PROCESSED)
    skip_unread_report_sources.note_skipped_sources(run)
    assert not Degradation.objects.filter(run=run).exists()


@pytest.mark.parametrize("attempt", [1, 3])
def test_what_the_store_does_not_give_is_tried_again(attempt):
    with pytest.raises(StepError, match="The store is away.") as refused:
        retry_or_skip_source(extraction(attempt), "The store is away.")
    assert refused.value.code == "EXTRACTION_FAILED"


def test_after_three_more_tries_its_source_is_skipped_with_the_reason(ada):
    run = make_run(ada, None)
    source = Source.objects.create(run=run, canonical_url="https://a.example/", status=SourceStatus.FETCHING)
    retry_or_skip_source(extraction(4, source.pk), "The store is away.").save()
    source.refresh_from_db()
    assert (source.status, source.error_code, source.error_message) == (
        SourceStatus.FAILED,
        "EXTRACTION_FAILED",
        "The store is away.",
    )


def extraction(attempt, source=None):
    given = {"source": str(source), "url": "https://a.example/"}
    return StepWork(uuid4(), uuid4(), uuid4(), "3.reading/fetch.1", "report.fetch", given, attempt, 1)


# --- claims that did not hold ---


@pytest.mark.parametrize(
    ("removed", "stay", "careful"), [(1, 9, False), (2, 8, False), (21, 79, True), (3, 7, True)]
)
def test_below_eight_tenths_the_reader_is_warned(removed, stay, careful):
    loss = remove_failed_report_claims.loss_of(removed, stay)
    assert loss.reason.startswith(f"{removed} of {removed + stay} claims did not hold")
    assert ("with care" in loss.reason) is careful
    assert loss.impact == removed / (removed + stay)


def test_claims_that_are_refused_are_told_in_the_report_and_to_its_owner(ada):
    world = make_checked_report(ada)
    said = "2 of 6 claims did not hold when they were checked, and left the report."
    [entry] = build_document(world.run.pk).degradations
    assert (entry.code, round(entry.quality_impact, 2)) == ("unverified_removed", 0.33)
    assert entry.reason.startswith(said)
    [mail] = Mail.objects.all()
    assert (mail.to, mail.ref) == ("ada@example.org", f"{world.run.pk}:VERIFICATION_FAILED")
    assert said in mail.body


# --- what no source says ---


SOURCE = "https://a.example/report"


@pytest.mark.parametrize(
    ("text", "quotes", "found"),
    [
        ("See https://b.example/x for more.", [], ["https://b.example/x"]),
        (f"See {SOURCE}/ for more.", [], []),
        ("See https://b.example/x.", ["as https://b.example/x says"], []),
        ("No address at all.", [], []),
    ],
)
def test_an_address_that_is_no_sources_is_made_up(text, quotes, found):
    assert rewrite_report_by_rules.find_hallucinated_urls(text, [SOURCE], quotes) == found


@pytest.mark.parametrize(("headings", "sections", "impact"), [(1, 5, 0.05), (5, 5, 0.25), (2, 0, 0.25)])
def test_what_is_written_again_by_rules_costs_a_share_of_a_quarter(headings, sections, impact):
    loss = rewrite_report_by_rules.loss_of([f"H{number}" for number in range(headings)], sections)
    assert loss.impact == pytest.approx(impact)
    assert "“H0”" in loss.reason


@pytest.fixture
def report_in_rewrite(ada):
    """A checked report that is back in the writers' hands, its first claim without what it cited."""
    world = make_checked_report(ada)
    run = Run.objects.get(pk=world.run.pk)
    Run.objects.filter(pk=run.pk).update(
        state=State.SYNTHESIZING,
        completed_at=None,
        revision_count=1,
        total_sections=1,
        result={"engine": "model"},
    )
    section = Section.objects.get(run=run)
    section.index = 0
    section.body["blocks"][0]["sentences"].append({"text": "More is told at https://made.up/address."})
    section.save()
    kept = list(Claim.objects.filter(section=section).order_by("position"))
    outline = [{"heading": "Sales", "claims": [str(one.pk) for one in kept], "first_number": 1}]
    cited = Citation.objects.filter(claim__in=kept).order_by("citation_index")
    places = {str(one.pk): [] for one in kept}
    for one in cited:
        places[str(one.claim_id)].append([str(one.source_id), one.start_offset, one.end_offset, None, 1.0])
    Step.objects.filter(run=run, handler="report.analyze").update(output={"evidence": places, "open": []})
    Run.objects.filter(pk=run.pk).update(outline=outline)
    Citation.objects.filter(claim=kept[0]).delete()
    return Run.objects.get(pk=run.pk), kept


def test_claims_that_cite_nothing_and_made_up_addresses_are_found(report_in_rewrite):
    run, kept = report_in_rewrite
    found = rewrite_report_by_rules.find_hallucinations(run)
    assert [(one.claim, one.section) for one in found] == [(kept[0].pk, 0), (None, 0)]
    assert found[1].reason == "It names an address that is no source's: https://made.up/address."


def test_they_fail_the_check_with_a_critical_issue_each_and_stop_nothing(report_in_rewrite):
    run, kept = report_in_rewrite
    check(Step.objects.get(run=run, handler="report.analyze"))
    assert VerificationReport.objects.get(run=run).overall_status != "passed"
    issues = VerificationIssue.objects.filter(report__run=run, severity="critical")
    assert {issue.claim_id for issue in issues} == {kept[0].pk, None}


def test_their_section_is_written_again_by_rules_whoever_wrote_it_and_that_is_recorded(report_in_rewrite):
    run, _ = report_in_rewrite
    [draft] = ReportPipeline().steps_for(run, State.SYNTHESIZING)
    assert (draft.handler, draft.input) == (ReportStepName.WRITE_BY_RULES, {"section": 0, "strict": True})
    run.refresh_from_db()
    [_, strict] = run.degradations
    assert strict["code"] == Shortfall.STRICT_SECTIONS
    assert "“Sales”" in strict["reason"]


def test_written_strictly_a_section_holds_its_sources_own_words_and_nothing_else(report_in_rewrite, ada):
    run, kept = report_in_rewrite
    [draft] = ReportPipeline().steps_for(run, State.SYNTHESIZING)
    step = Step.objects.get(run=run, handler="report.analyze")
    work = StepWork(
        step.pk, run.pk, ada.tenant.pk, "5.synthesizing/section.0", draft.handler, draft.input, 1, 1
    )
    ReportPipeline.handlers[draft.handler](work).save()
    section = Section.objects.get(run=run)
    texts = [sentence for block in section.body["blocks"] for sentence in block["sentences"]]
    assert all("claim" in text for text in texts)
    for claim in Claim.objects.filter(section=section):
        assert any(claim.text in " ".join(source.text.split()) for source in Source.objects.filter(run=run))
    assert rewrite_report_by_rules.find_hallucinations(run) != []  # until its claims are cited again


def test_without_anything_made_up_a_model_revises_as_before(report_in_rewrite):
    run, _ = report_in_rewrite
    Section.objects.filter(run=run).update(body={"blocks": []})
    assert rewrite_report_by_rules.strict_sections(run) == frozenset()
    assert not Degradation.objects.filter(run=run, code=Shortfall.STRICT_SECTIONS).exists()
