"""A reviewer sees a question's rows in an order, with a reason, in somebody's words."""

from datetime import timedelta

import pytest

from citations.models import Claim, Contradiction, Section
from citations.models import Warning as Gap
from research.db.tenancy import tenant_context
from research.engine.states.state_review_items import items_for
from research.models import Escalation, ReviewKind, State
from research.models.schemas import Plan
from tests.engine.rows import put_into
from tests.worlds import add_source, cite

SURE = {"cost_share": 0.1, "subtopics": 3, "estimated_sources": 30, "plan_confidence": 0.9}
PLAN = {"goal": "g", "subtopics": [{"name": "a", "queries": ["q"]}]}
LITTLE_TRUSTED, MADE_UP = "low_verification_confidence", "hallucination_detected"
TEXT = "Cold rooms slow people down. Warm rooms make them sleepy. Light keeps them awake."
NO_SOURCE = "No source of this run has these words."
LIMITED = "Limited: one independent source says so."


@pytest.fixture
def run(start_toy, tenant):
    run = put_into(start_toy(), State.HUMAN_REVIEW_VERIFICATION)
    with tenant_context(tenant.pk):
        yield run


@pytest.fixture
def other(run, start_toy):
    """Another run of the same owner; nothing of it is shown."""
    return start_toy()


def make_escalation(rule="", **context):
    return Escalation(rule=rule, context=SURE | context)


def build_items(kind, run, rule="", **context):
    return items_for(kind, run, make_escalation(rule, **context))


def reasons(items):
    return [item.reason for item in items]


# --- a plan ------------------------------------------------------------------------------------


def plan_reason(run, *, questions=(), **context):
    run.plan = PLAN | {"clarification_questions": list(questions)}
    [item] = build_items(ReviewKind.PLAN, run, **context)
    return item.reason


def test_a_plan_is_shown_whole(run):
    run.plan = PLAN
    [item] = build_items(ReviewKind.PLAN, run)
    assert item.shown == {"plan": Plan.model_validate(PLAN).model_dump(mode="json")}
    assert (item.kind, item.position, item.run, item.claim, item.contradiction) == (
        "plan",
        1,
        run,
        None,
        None,
    )


def test_a_plan_that_is_asked_about_for_no_figure_was_wished_to_be_seen(run):
    assert plan_reason(run) == "You wished to see the plan before anything is spent."


@pytest.mark.parametrize(
    ("figure", "at", "above", "words"),
    [
        ("cost_share", 0.5, 0.504, "It would take 50 % of your credits."),
        ("subtopics", 10, 11, "It has 11 parts."),
        ("estimated_sources", 200, 201, "It would read 201 sources."),
        ("plan_confidence", 0.8, 0.79, "The planner is not sure of it (0.79)."),
    ],
)
def test_a_plan_is_asked_about_for_the_figure_that_is_beyond_its_threshold(run, figure, at, above, words):
    assert plan_reason(run, **{figure: at}).startswith("You wished to see")
    assert plan_reason(run, **{figure: above}) == words


def test_a_planner_that_is_not_sure_at_all_is_told_so(run):
    assert plan_reason(run, plan_confidence=0.0) == "The planner is not sure of it (0.00)."


def test_a_plan_of_unknown_price_is_not_called_dear(run):
    assert plan_reason(run, cost_share=None).startswith("You wished to see")


def test_the_planner_s_questions_come_first_then_each_figure(run):
    figures = {"cost_share": 2, "subtopics": 12, "estimated_sources": 300, "plan_confidence": 0.25}
    assert plan_reason(run, questions=["Which city?", "Which year?"], **figures) == (
        "Which city? Which year? It would take 200 % of your credits. It has 12 parts. "
        "It would read 300 sources. The planner is not sure of it (0.25)."
    )


# --- contradictions ----------------------------------------------------------------------------


def conflict(run, number, resolution="open", **columns):
    first, second = (
        Claim.objects.create(run=run, text=f"{side}{number}", number=10 * number + place)
        for place, side in enumerate("ab")
    )
    return Contradiction.objects.create(
        run=run, claim_a=first, claim_b=second, kind="numeric", resolution=resolution, **columns
    )


def test_a_contradiction_is_shown_with_both_sides(run):
    row = conflict(run, 1, margin=0.125, note="Other winters.")
    [item] = build_items(ReviewKind.CONTRADICTION, run)
    assert item.reason == "Two sources differ, and neither is clearly the stronger one (margin 0.12)."
    assert item.shown == {
        "claim_a": str(row.claim_a_id),
        "claim_b": str(row.claim_b_id),
        "a": "a1",
        "b": "b1",
        "note": "Other winters.",
        "margin": 0.125,
    }
    assert (item.contradiction, item.claim, item.kind) == (row, None, "contradiction")


def test_only_open_contradictions_of_the_run_are_shown_the_oldest_first(run, other):
    first, second, third = (conflict(run, number) for number in (1, 2, 3))
    conflict(run, 4, "resolved")
    conflict(other, 1)
    earlier = first.created_at - timedelta(hours=1)
    Contradiction.objects.filter(pk=third.pk).update(created_at=earlier)
    items = build_items(ReviewKind.CONTRADICTION, run)
    assert [item.contradiction for item in items] == [third, first, second]
    assert [item.position for item in items] == [1, 2, 3]


# --- gaps --------------------------------------------------------------------------------------


def test_severe_gaps_of_the_run_are_shown_by_their_codes(run, other):
    def note(code, text, to=run, kind="gap", severity="high"):
        return Gap.objects.create(
            run=to, code=code, kind=kind, severity=severity, text=text, advice=f"Mend {text}"
        )

    note("G002", "b")
    late, early = note("G001", "late"), note("G001", "early")
    Gap.objects.filter(pk=early.pk).update(created_at=late.created_at - timedelta(hours=1))
    note("G001", "lesser", severity="medium")
    note("G001", "biased", kind="bias")
    note("G001", "elsewhere", to=other)
    items = build_items(ReviewKind.GAP, run)
    assert reasons(items) == ["early", "late", "b"]
    assert items[0].shown == {"code": "G001", "text": "early", "advice": "Mend early"}
    assert {item.kind for item in items} == {"gap"}


# --- claims ------------------------------------------------------------------------------------


@pytest.fixture
def claim(run):
    """Make a claim of the report; `cited` False: it stands on nothing."""
    section = Section.objects.create(run=run, index=1, heading="What is known")
    source = add_source(run, "rooms.txt", TEXT, title="Rooms")

    def make(number, *, cited=True, status="verified", strength="strong", **columns):
        values = {"run": run, "section": section, "text": f"Claim {number}"} | columns
        claim = Claim.objects.create(number=number, verification_status=status, strength=strength, **values)
        if cited:
            cite(claim, source, "Cold rooms slow people down.")
        return claim

    return make


def texts(items):
    return [item.claim.text for item in items]


def test_a_claim_is_shown_with_what_was_found_out_about_it(run, claim):
    note = {"verification_note": "It says three.", "confidence": 0.4}
    row = claim(7, status="contradicted", strength="moderate", **note)
    [item] = build_items(ReviewKind.CLAIM, run, MADE_UP)
    assert item.shown == {
        "text": "Claim 7",
        "number": 7,
        "status": "contradicted",
        "note": "It says three.",
        "confidence": 0.4,
        "strength": "moderate",
    }
    assert (item.claim, item.contradiction, item.kind) == (row, None, "claim")


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"cited": False}, NO_SOURCE),
        ({"cited": False, "status": "contradicted"}, NO_SOURCE),
        ({"status": "contradicted"}, "Its source says otherwise."),
        ({"status": "unsupported", "strength": "limited"}, "Its source does not support it."),
        ({"strength": "limited"}, LIMITED),
    ],
)
def test_a_claim_says_why_it_is_asked_about(run, claim, columns, reason):
    claim(1, **columns)
    assert reasons(build_items(ReviewKind.CLAIM, run, LITTLE_TRUSTED)) == [reason]


@pytest.mark.parametrize("strength", ["moderate", "strong"])
@pytest.mark.parametrize("status", ["verified", "partially_supported", "unverifiable", "unverified"])
def test_a_cited_claim_that_did_not_fail_is_not_asked_about(run, claim, strength, status):
    claim(1, strength=strength, status=status)
    assert build_items(ReviewKind.CLAIM, run, LITTLE_TRUSTED) == []


def test_little_support_is_asked_about_only_where_the_report_is_little_trusted(run, claim):
    claim(1, strength="limited")
    assert build_items(ReviewKind.CLAIM, run, MADE_UP) == []


def test_claims_without_a_source_come_first_then_the_failed_then_the_weak(run, claim):
    claim(1, strength="limited")
    claim(2, status="unsupported")
    claim(3, strength="limited")
    claim(4, cited=False)
    claim(5, status="contradicted")
    claim(6, cited=False)
    items = build_items(ReviewKind.CLAIM, run, LITTLE_TRUSTED)
    assert texts(items) == [f"Claim {number}" for number in (4, 6, 2, 5, 1, 3)]
    assert [item.position for item in items] == [1, 2, 3, 4, 5, 6]


def test_claims_are_in_the_report_s_order_and_unnumbered_ones_by_their_place(run, claim):
    claim(None, cited=False, text="third", position=2)
    claim(None, cited=False, text="second", position=1)
    claim(None, cited=False, text="fourth", position=2)
    claim(3, cited=False, text="first", position=9)
    assert texts(build_items(ReviewKind.CLAIM, run, MADE_UP)) == ["first", "second", "third", "fourth"]


def test_claims_outside_the_report_and_of_other_runs_are_not_asked_about(run, other, claim):
    claim(1, cited=False, section=None)
    section = Section.objects.create(run=other, index=1, heading="Elsewhere")
    claim(2, cited=False, run=other, section=section)
    assert build_items(ReviewKind.CLAIM, run, MADE_UP) == []


def test_a_claim_with_two_sources_is_shown_once(run, claim):
    row = claim(1, status="unsupported")
    cite(row, add_source(run, "light.txt", TEXT + " So it is.", title="Light"), "Light keeps them awake.")
    assert texts(build_items(ReviewKind.CLAIM, run, MADE_UP)) == ["Claim 1"]
