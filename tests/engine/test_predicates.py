"""Every exit at, just below and just above its threshold."""

from dataclasses import replace

import pytest

from research.engine.pipeline_registry import Policy
from research.engine.states import state_exit_conditions as when
from research.engine.states.state_context import (
    EvidenceFacts,
    PlanFacts,
    ReportFacts,
    RunContext,
    SourceFacts,
    StateProgress,
)
from research.engine.states.state_source_sufficiency import (
    ObservedSource,
    SufficiencyResult,
    SufficiencyTargets,
    check_sources,
)
from research.models import State

DONE = StateProgress()
GOING = StateProgress(unfinished=1, time_share=0.5)
TIME_IS_UP = StateProgress(unfinished=1, time_share=1.0)


def run(state: State = State.PLANNING, **facts: object) -> RunContext:
    return replace(RunContext(state=state), **facts)


@pytest.mark.parametrize(
    ("work", "is_over"),
    [(DONE, True), (GOING, False), (TIME_IS_UP, True), (StateProgress(unfinished=1, time_share=0.99), False)],
)
def test_work_is_over_when_it_is_done_or_its_time_is_up(work, is_over):
    assert work.is_over is is_over


@pytest.mark.parametrize(("code", "ends"), [("DATA_CORRUPTION", True), ("TIMEOUT", False), ("", False)])
def test_only_some_failures_end_a_run(code, ends):
    assert when.a_failure_ends_the_run(run(work=StateProgress(failed=1, failure_code=code))) is ends


@pytest.mark.parametrize(("attempt", "spent"), [(2, False), (3, True), (4, True)])
def test_retries_are_spent_at_the_limit(attempt, spent):
    assert when.retries_are_spent(run(attempt=attempt, retries=3)) is spent
    assert not when.retries_are_spent(run(attempt=attempt, retries=3, work=GOING))


@pytest.mark.parametrize(("work", "leaves"), [(DONE, True), (GOING, False)])
def test_insufficient_evidence_ends_a_run_when_the_work_is_over(work, leaves):
    evidence = EvidenceFacts(is_insufficient=True)
    assert when.evidence_is_insufficient(run(work=work, evidence=evidence)) is leaves
    assert not when.evidence_is_insufficient(run(work=work))


@pytest.mark.parametrize(
    ("needed", "facts"),
    [
        (when.there_is_a_plan, {"plan": PlanFacts(subtopics=1)}),
        (when.there_are_sources, {"sources": SourceFacts(found=1)}),
        (when.something_was_read, {"sources": SourceFacts(found=1, usable=1)}),
        (when.there_is_an_outline, {"report": ReportFacts(planned_sections=1)}),
        (when.there_are_sections, {"report": ReportFacts(1, written_sections=1)}),
        (when.there_are_claims, {"report": ReportFacts(claims=1)}),
        (when.the_report_was_checked, {"report": ReportFacts(verdict="failed")}),
    ],
)
def test_what_a_state_needs_is_there_from_the_first_of_it_on(needed, facts):
    assert needed(run(**facts))
    assert not needed(run())


WRITTEN = ReportFacts(planned_sections=2, written_sections=2)
REPORTING = (State.SYNTHESIZING, State.CITING, State.VERIFYING)


@pytest.mark.parametrize(
    ("written", "claims", "ends"), [(1, 0, False), (2, 0, True), (3, 0, True), (2, 1, False)]
)
@pytest.mark.parametrize("state", REPORTING)
def test_a_report_of_which_nothing_stands_is_insufficient(state, written, claims, ends):
    report = replace(WRITTEN, written_sections=written, claims=claims)
    assert when.evidence_is_insufficient(run(state, report=report)) is ends
    assert not when.evidence_is_insufficient(run(state, report=report, work=GOING))


@pytest.mark.parametrize("state", [state for state in State if state not in REPORTING])
def test_before_it_is_written_no_report_is_empty(state):
    assert not when.evidence_is_insufficient(run(state, report=WRITTEN))


# --- planning ---


@pytest.mark.parametrize(("confidence", "approved"), [(0.79, False), (0.8, True), (0.81, True)])
def test_a_plan_is_approved_by_itself_from_confidence_08_on(confidence, approved):
    plan = PlanFacts(subtopics=1, confidence=confidence)
    assert when.plan_is_approved(run(plan=plan)) is approved
    assert not when.plan_is_approved(run(plan=plan, policy=Policy(auto_approve=False)))


def test_a_plan_needs_a_subtopic():
    assert not when.plan_exists(run(plan=PlanFacts(confidence=1)))
    assert when.plan_exists(run(plan=PlanFacts(subtopics=1)))


@pytest.mark.parametrize(
    ("facts", "needs"),
    [
        ({"subtopics": 9}, False),
        ({"subtopics": 10}, False),
        ({"subtopics": 11}, True),
        ({"estimated_sources": 199}, False),
        ({"estimated_sources": 200}, False),
        ({"estimated_sources": 201}, True),
        ({"cost_share": 0.49}, False),
        ({"cost_share": 0.5}, False),
        ({"cost_share": 0.51}, True),
        ({"cost_share": None}, False),
        ({"questions": 0}, False),
        ({"questions": 1}, True),
    ],
)
def test_a_large_dear_or_unclear_plan_needs_a_person(facts, needs):
    plan = PlanFacts(**{"subtopics": 1, **facts})
    assert when.plan_needs_a_person(run(plan=plan)) is needs


# --- collecting ---


def stock(count: int = 1, words: int = 0) -> SufficiencyResult:
    """Return so many sources on one subtopic that wants two, each with words of its own or all without."""
    kinds = ("news", "academic", "government")
    own = [frozenset({f"{number}"}) if words else frozenset[str]() for number in range(count)]
    found = [
        ObservedSource("a", f"{number}.example", kinds[number % 3], words=own[number])
        for number in range(count)
    ]
    return check_sources(found, SufficiencyTargets(minimum=3, targets={"a": 2}))


@pytest.mark.parametrize(("found", "suffice"), [(2, False), (3, True), (4, True)])
def test_sources_suffice_by_the_check_of_sufficiency(found, suffice):
    assert when.sources_suffice(run(sources=SourceFacts(sufficiency=stock(found)))) is suffice


def test_what_was_not_looked_at_does_not_suffice():
    assert not when.sources_suffice(run(sources=SourceFacts(found=99, coverage=1)))


def test_where_nothing_new_comes_no_further_round_is_made():
    known = [
        ObservedSource("a", "a.example", "news", words=frozenset({str(number % 10)})) for number in range(20)
    ]
    saturated = SourceFacts(found=20, sufficiency=check_sources(known, SufficiencyTargets(minimum=50)))
    assert when.nothing_more_can_be_found(run(sources=saturated))
    assert not when.nothing_more_can_be_found(run(sources=saturated, work=GOING))
    fresh = SourceFacts(found=20, sufficiency=stock(20, words=1))
    assert not when.nothing_more_can_be_found(run(sources=fresh))


@pytest.mark.parametrize(
    ("found", "share", "nearly"),
    [(20, 0.9, False), (21, 0.9, True), (22, 0.9, True), (21, 0.89, False), (21, 0.91, True)],
)
def test_seven_tenths_suffice_when_nine_tenths_of_the_time_are_gone(found, share, nearly):
    context = run(
        work=StateProgress(unfinished=1, time_share=share),
        sources=SourceFacts(found=found),
        policy=Policy(minimum_sources=30),
    )
    assert when.sources_nearly_suffice_as_time_ends(context) is nearly


def test_no_source_never_nearly_suffices():
    context = run(work=StateProgress(time_share=1), policy=Policy(minimum_sources=0))
    assert not when.sources_nearly_suffice_as_time_ends(context)


SEARCHED = {
    "tries spent": {"attempt": 5, "retries": 5},
    "all searched": {"retries": 5, "policy": Policy(minimum_sources=30, search_is_exhausted=True)},
    "time up": {"retries": 5, "work": TIME_IS_UP},
}


@pytest.mark.parametrize("over", SEARCHED.values(), ids=SEARCHED)
@pytest.mark.parametrize(("found", "too_few"), [(14, True), (15, False), (16, False)])
def test_below_half_the_minimum_the_plan_is_made_anew(found, too_few, over):
    facts = {"policy": Policy(minimum_sources=30), "sources": SourceFacts(found=found)} | over
    assert when.sources_are_far_too_few(run(**facts)) is too_few


@pytest.mark.parametrize("over", SEARCHED.values(), ids=SEARCHED)
@pytest.mark.parametrize(("starved", "failed"), [(0.29, False), (0.3, False), (0.31, True)])
def test_above_three_tenths_of_starved_subtopics_the_plan_is_made_anew(starved, failed, over):
    facts = {"policy": Policy(minimum_sources=30), "sources": SourceFacts(starved_share=starved)} | over
    assert when.subtopics_failed(run(**facts)) is failed


NO_OTHER_PLAN = {
    "a try is left": {"attempt": 4},
    "work goes on": {"work": GOING},
    "no plan is left": {"replans": 2},
    "none would find more": {"policy": Policy(minimum_sources=30, can_search_wider=False)},
}


@pytest.mark.parametrize("facts", NO_OTHER_PLAN.values(), ids=NO_OTHER_PLAN)
def test_the_search_leads_to_another_plan_only_where_that_may_help(facts):
    spent = run(attempt=5, retries=5, replans=1, policy=Policy(minimum_sources=30))
    spent = replace(spent, sources=SourceFacts(starved_share=1))
    assert when.sources_are_far_too_few(spent)
    assert when.subtopics_failed(spent)
    assert not when.sources_are_far_too_few(replace(spent, **facts))
    assert not when.subtopics_failed(replace(spent, **facts))


@pytest.mark.parametrize(("share", "over"), [(0.99, False), (1.0, True), (1.01, True)])
def test_what_was_found_is_read_when_the_time_for_the_search_is_up(share, over):
    late = run(retries=5, work=StateProgress(unfinished=1, time_share=share), sources=SourceFacts(found=1))
    assert when.there_are_sources_but_searching_is_over(late) is over
    assert when.there_is_no_source(replace(late, sources=SourceFacts())) is over


def test_a_search_that_covered_everything_goes_on_with_what_it_found():
    exhausted = Policy(minimum_sources=30, search_is_exhausted=True)
    assert when.nothing_more_can_be_found(run(sources=SourceFacts(found=1), policy=exhausted))
    assert not when.nothing_more_can_be_found(run(sources=SourceFacts(found=1), policy=exhausted, work=GOING))
    assert not when.nothing_more_can_be_found(run(policy=exhausted))


def test_without_any_source_a_run_fails_when_nothing_is_left_to_try():
    assert when.there_is_no_source(run(attempt=5, retries=5))
    assert when.there_is_no_source(run(retries=5, policy=Policy(search_is_exhausted=True)))
    assert not when.there_is_no_source(run(attempt=4, retries=5))
    assert not when.there_is_no_source(run(attempt=5, retries=5, sources=SourceFacts(found=1)))


# --- reading ---


@pytest.mark.parametrize(("usable", "leaves"), [(79, False), (80, True), (81, True)])
def test_reading_ends_at_eight_tenths_extracted(usable, leaves):
    sources = SourceFacts(found=100, usable=usable)
    assert when.every_source_is_read(run(sources=sources)) is leaves
    assert not when.every_source_is_read(run(sources=replace(sources, unread=1)))


@pytest.mark.parametrize(
    ("usable", "share", "leaves"),
    [(79, 0.9, False), (80, 0.9, True), (81, 0.9, True), (80, 0.89, False), (80, 0.91, True)],
)
def test_reading_ends_softly_when_time_runs_out(usable, share, leaves):
    work = StateProgress(unfinished=1, time_share=share)
    assert when.enough_is_read_as_time_ends(run(work=work, sources=SourceFacts(100, usable, 1))) is leaves


@pytest.mark.parametrize(("usable", "fails"), [(49, True), (50, False), (51, False)])
def test_reading_fails_below_one_half(usable, fails):
    context = run(sources=SourceFacts(found=100, usable=usable))
    assert when.most_sources_are_unreadable(context) is fails
    assert when.half_is_read_and_nothing_is_left_to_read(context) is not fails


def test_nothing_to_read_counts_as_read():
    assert SourceFacts().extraction_rate == 1


# --- analyzing ---


@pytest.mark.parametrize(("unresolved", "asks"), [(2, False), (3, False), (4, True)])
def test_more_than_three_open_conflicts_go_to_a_person(unresolved, asks):
    evidence = EvidenceFacts(contradictions=50, unresolved=unresolved)
    assert when.conflicts_need_a_person(run(evidence=evidence)) is asks


@pytest.mark.parametrize(("unresolved", "complete"), [(9, True), (10, True), (11, False)])
def test_analysis_is_complete_with_nine_tenths_of_conflicts_resolved(unresolved, complete):
    evidence = EvidenceFacts(contradictions=100, unresolved=unresolved)
    assert when.analysis_is_complete(run(evidence=evidence)) is complete


def test_no_conflict_counts_as_resolved():
    assert when.analysis_is_complete(run())
    assert not when.analysis_is_complete(run(work=StateProgress(failed=1)))


def test_a_severe_gap_goes_to_a_person():
    assert when.gaps_need_a_person(run(evidence=EvidenceFacts(severe_gaps=1)))
    assert not when.gaps_need_a_person(run())


@pytest.mark.parametrize(("coverage", "too_low"), [(0.49, True), (0.5, False), (0.51, False)])
def test_below_half_coverage_the_plan_is_made_anew(coverage, too_low):
    context = run(plan=PlanFacts(subtopics=4), sources=SourceFacts(coverage=coverage))
    assert when.coverage_is_too_low(context) is too_low
    assert not when.coverage_is_too_low(replace(context, work=GOING))
    assert not when.coverage_is_too_low(replace(context, policy=Policy(can_search_wider=False)))
    assert not when.coverage_is_too_low(replace(context, plan=PlanFacts()))


@pytest.mark.parametrize(("replans", "again"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_plan_is_made_anew_twice_at_most(replans, again):
    spent = run(attempt=5, retries=5, replans=replans, policy=Policy(minimum_sources=30))
    analyzed = run(plan=PlanFacts(subtopics=4), replans=replans, evidence=EvidenceFacts(scope_gaps=1))
    assert when.sources_are_far_too_few(spent) is again
    assert when.subtopics_failed(replace(spent, sources=SourceFacts(starved_share=1))) is again
    assert when.coverage_is_too_low(analyzed) is again
    assert when.scope_is_too_narrow(analyzed) is again
    assert when.a_person_wants_another_plan(run(wants_replan=True, replans=replans)) is again


@pytest.mark.parametrize(("gaps", "narrow"), [(0, False), (1, True), (2, True)])
def test_a_scope_that_is_too_narrow_is_widened(gaps, narrow):
    context = run(evidence=EvidenceFacts(severe_gaps=2, scope_gaps=gaps))
    assert when.scope_is_too_narrow(context) is narrow
    assert not when.scope_is_too_narrow(replace(context, work=GOING))


@pytest.mark.parametrize("work", [DONE, TIME_IS_UP], ids=["done", "time is up"])
def test_where_no_other_plan_came_the_old_one_stays(work):
    assert when.the_old_plan_stays(run(work=work, plan=PlanFacts(subtopics=1)))
    assert not when.the_old_plan_stays(run(work=work))
    assert not when.the_old_plan_stays(run(work=GOING, plan=PlanFacts(subtopics=1)))


# --- writing and checking ---


@pytest.mark.parametrize(("written", "done"), [(2, False), (3, True), (4, True)])
def test_writing_ends_with_the_last_planned_section(written, done):
    assert when.every_section_is_written(run(report=ReportFacts(3, written))) is done
    assert not when.every_section_is_written(run(report=ReportFacts(0, 0)))


@pytest.mark.parametrize(("cited", "done"), [(94, False), (95, True), (96, True)])
def test_citing_ends_at_ninety_five_hundredths(cited, done):
    assert when.sentences_are_cited(run(report=ReportFacts(claims=100, cited_claims=cited))) is done


def test_a_report_is_verified_only_without_hallucination():
    assert when.report_is_verified(run(report=ReportFacts(verdict="passed")))
    assert not when.report_is_verified(run(report=ReportFacts(verdict="passed", hallucinations=1)))
    assert not when.report_is_verified(run(report=ReportFacts()))


def test_a_report_that_would_be_written_the_same_again_is_final_once_checked():
    once = Policy(is_written_once=True)
    assert when.report_is_verified(run(policy=once, report=ReportFacts(verdict="needs_revision")))
    assert not when.report_is_verified(run(policy=once, report=ReportFacts()))
    assert not when.report_is_verified(run(report=ReportFacts(verdict="needs_revision")))


def test_evidence_that_claims_lack_is_looked_for_while_a_revision_is_left():
    asked = Policy(may_seek_support=True)
    assert when.claims_lack_evidence(run(policy=asked, revisions=2))
    assert not when.claims_lack_evidence(run(policy=asked, revisions=3))
    assert not when.claims_lack_evidence(run())


@pytest.mark.parametrize(("revisions", "again"), [(0, True), (2, True), (3, False), (4, False)])
def test_a_report_is_revised_three_times_at_most(revisions, again):
    context = run(revisions=revisions, report=ReportFacts(verdict="needs_revision"))
    assert when.report_can_be_revised(context) is again
    assert when.revisions_are_spent(context) is not again


@pytest.mark.parametrize(("failed", "asks"), [(4, False), (5, False), (6, True)])
def test_more_than_five_failed_claims_go_to_a_person(failed, asks):
    assert when.report_needs_a_person(run(report=ReportFacts(failed_claims=failed))) is asks


def test_a_hallucination_that_stays_goes_to_a_person():
    report = ReportFacts(hallucinations=1)
    assert when.report_needs_a_person(run(revisions=3, report=report))
    assert not when.report_needs_a_person(run(revisions=2, report=report))


@pytest.mark.parametrize(
    ("decision", "fallback", "predicate"),
    [
        ("approved", "fail", when.a_person_approved),
        ("revised", "fail", when.a_person_approved),
        ("rejected", "continue", when.a_person_rejected),
        ("expired", "continue", when.no_answer_means_go_on),
        ("expired", "degrade", when.no_answer_means_go_on),
        ("expired", "fail", when.no_answer_means_the_end),
    ],
)
def test_answer_or_silence_leads_one_way(decision, fallback, predicate):
    answers = (
        when.a_person_approved,
        when.a_person_rejected,
        when.no_answer_means_go_on,
        when.no_answer_means_the_end,
    )
    context = run(decision=decision, fallback=fallback)
    assert [answer for answer in answers if answer(context)] == [predicate]
