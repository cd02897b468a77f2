"""Reports that people are asked about, over the real recipe: each review state from the question to the end."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.models import (
    Citation,
    Claim,
    Contradiction,
    ContradictionStatus,
    Resolution,
    Warning,
)
from research.library.import_library_folder import import_folder
from research.models import Escalation, EscalationStatus, Mail, PlanVersion, ReviewAct, ReviewItem, State
from research.models.schemas import Plan
from research.ops import health
from research.review.decide_review_items import DecisionRefused
from research.review.review_evidence import evidence_of
from tests.config.test_migrations import BEFORE_THE_RULES
from tests.often import one_in
from tests.pipelines.review_world import CONFLICTS, GAP, WORLDS, Asked, ask_people
from tests.unsquashed import ignore_squashes

Ask = Callable[..., Asked]
Once = Callable[[str, Callable[[], Asked]], Asked]


@pytest.fixture(scope="module")
def folders(account, tmp_path_factory) -> dict[str, str]:
    """Keys of the imported libraries, by name."""
    keys = {}
    for name, documents in WORLDS.items():
        folder = tmp_path_factory.mktemp(name)
        for file, text in documents.items():
            (folder / file).write_text(text, encoding="utf-8")
        keys[name] = import_folder(account.tenant_id, folder).folder
    return keys


@pytest.fixture
def ask_about(account, folders) -> Ask:
    def ask(world: str, question: str, **config: object) -> Asked:
        return ask_people(account, question, folders=[folders[world]], **config)

    return ask


@pytest.fixture
def conflicts(ask_about: Ask, bob: User, driven_once: Once) -> Asked:
    return driven_once("conflicts", lambda: ask_about("prices", CONFLICTS))


@pytest.fixture
def gap(ask_about: Ask, bob: User, driven_once: Once) -> Asked:
    return driven_once("gap", lambda: ask_about("therapy", GAP))


@pytest.fixture
def plan(ask_about: Ask, bob: User, driven_once: Once) -> Asked:
    return driven_once("plan", lambda: ask_about("prices", CONFLICTS, plan_approval="ask"))


@pytest.fixture(scope="module")
def bob(module_database) -> User:
    return User.objects.create_user("bob")


# --- the plan ----------------------------------------------------------------------------------


def test_a_plan_waits_for_whoever_wishes_to_see_every_plan(plan):
    assert plan.run.state == State.HUMAN_REVIEW_PLAN
    assert (plan.question.rule, plan.question.type) == ("high_cost_approval", "blocking")
    assert [item.reason for item in plan.items] == ["You wished to see the plan before anything is spent."]


def test_the_owner_is_told_by_mail_once(plan):
    with plan.rows():
        mail = Mail.objects.get(ref=str(plan.question.pk))
    assert mail.to == "demo@localhost"
    assert mail.subject.startswith("Your decision is needed: What does a heat pump cost")
    assert f"/runs/{plan.run_id}/" in mail.body
    assert "the run ends there; what it has is kept" in mail.body


def test_an_accepted_plan_is_carried_out(plan):
    plan.decide(plan.items[0], ReviewAct.ACCEPT)
    assert plan.run.state == State.COLLECTING
    assert plan.question.decision == {"act": "accept", "note": "", "by": "demo"}
    assert plan.drive() == State.HUMAN_REVIEW_CONFLICTS


def test_an_edited_plan_takes_the_place_of_the_planners(plan):
    edited = Plan.model_validate(plan.run.plan)
    edited.subtopics = edited.subtopics[:1]
    plan.decide(plan.items[0], ReviewAct.EDIT, plan=edited.model_dump(mode="json"), note="One part will do.")
    assert plan.question.status == EscalationStatus.REVISED
    assert len(plan.run.plan["subtopics"]) == 1
    with plan.rows():
        latest = PlanVersion.objects.filter(run=plan.run_id).latest("number")
    assert (latest.trigger, latest.reason, latest.made_by_id) == (
        "edit",
        "One part will do.",
        plan.account.user.pk,
    )


def test_a_rejected_plan_ends_the_run(plan):
    plan.decide(plan.items[0], ReviewAct.REJECT, note="Too dear.")
    assert (plan.run.state, plan.run.failure_code) == (State.FAILED, "REJECTED")


def test_a_plan_that_nobody_answers_ends_the_run(plan):
    plan.let_it_expire()
    assert plan.question.status == EscalationStatus.EXPIRED
    assert plan.run.state == State.FAILED


@pytest.mark.full
def test_a_plan_without_a_change_is_no_edit(plan):
    with pytest.raises(DecisionRefused, match="Change the plan first"):
        plan.decide(plan.items[0], ReviewAct.EDIT)


# --- conflicts ---------------------------------------------------------------------------------


def test_more_than_three_open_conflicts_wait_for_a_person(conflicts):
    assert conflicts.run.state == State.HUMAN_REVIEW_CONFLICTS
    assert conflicts.question.rule == "unresolved_contradictions"
    assert [item.position for item in conflicts.items] == [1, 2, 3, 4, 5]
    assert all("neither is clearly the stronger" in item.reason for item in conflicts.items)


def test_both_sides_are_shown_with_their_words_and_scores(conflicts):
    with conflicts.rows():
        evidence = evidence_of(conflicts.items[0])
    one, other = evidence.sides
    assert one.text in one.quotes[0].quote
    assert {one.quotes[0].source_title, other.quotes[0].source_title} == {"Prices of heat pumps"}
    assert set(one.scores) == {"authority", "recency", "corroboration", "specificity"}


@pytest.mark.full
def test_evidence_takes_the_same_queries_for_every_item(conflicts):
    counts = set()
    for item in conflicts.items:
        with conflicts.rows(), CaptureQueriesContext(connection) as queries:
            evidence_of(item)
        counts.add(len(queries))
    assert len(counts) == 1
    assert counts.pop() <= 6


def test_the_run_is_as_it_was_until_the_last_conflict_is_decided(conflicts):
    for item in conflicts.items[:-1]:
        conflicts.decide(item, ReviewAct.ACCEPT)
    assert conflicts.run.state == State.HUMAN_REVIEW_CONFLICTS
    with conflicts.rows():
        open_ones = Contradiction.objects.filter(run=conflicts.run_id, resolution=Resolution.OPEN)
        assert open_ones.count() == 5


def test_the_side_that_was_not_chosen_is_not_written(conflicts):
    winners = [item.contradiction.claim_a_id for item in conflicts.items]
    for item, winner in zip(conflicts.items, winners, strict=True):
        conflicts.decide(item, ReviewAct.EDIT, winner=winner, note="The north measured.")
    assert conflicts.question.status == EscalationStatus.REVISED
    assert conflicts.drive() == State.COMPLETED
    with conflicts.rows():
        placed = Claim.objects.filter(run=conflicts.run_id, section__isnull=False)
        rows = list(Contradiction.objects.filter(run=conflicts.run_id))
        lost = Citation.objects.filter(claim__run=conflicts.run_id, claim__section=None)
        assert {claim.pk for claim in placed} == set(winners)
        assert {claim.contradiction_status for claim in placed} == {ContradictionStatus.HUMAN}
        assert all(claim.confidence <= 0.8 for claim in placed)
        assert {row.resolution for row in rows} == {Resolution.HUMAN}
        assert {row.resolved_by_id for row in rows} == {conflicts.account.user.pk}
        assert all("demo chose a side: The north measured." in row.note for row in rows)
        assert lost.count() == 5  # the other side can still be read, with its words
    reasons = [one.reason for one in conflicts.document.left_out]
    assert reasons.count("demo chose the other side of a conflict.") == 5


def test_both_sides_are_presented_where_a_person_says_so(conflicts):
    conflicts.decide_whole(ReviewAct.ACCEPT, note="Both may hold.")
    assert conflicts.question.status == EscalationStatus.APPROVED
    assert conflicts.drive() == State.COMPLETED
    with conflicts.rows():
        placed = list(Claim.objects.filter(run=conflicts.run_id, section__isnull=False))
        rows = list(Contradiction.objects.filter(run=conflicts.run_id))
    assert len(placed) == 10
    assert all(claim.confidence <= 0.6 for claim in placed)
    assert {(row.resolution, row.winner_id) for row in rows} == {(Resolution.HUMAN, None)}


@pytest.mark.full
def test_a_conflict_of_which_neither_side_is_right_leaves_both_out(conflicts):
    first, *rest = conflicts.items
    conflicts.decide(first, ReviewAct.REJECT, note="Both are guesses.")
    for item in rest:
        conflicts.decide(item, ReviewAct.ACCEPT)
    assert conflicts.drive() == State.COMPLETED
    texts = [
        one.text for one in conflicts.document.left_out if one.reason == "Dropped by demo: Both are guesses."
    ]
    assert sorted(texts) == sorted([first.shown["a"], first.shown["b"]])


@pytest.mark.full
def test_a_run_of_which_every_claim_is_set_aside_says_so(conflicts):
    for item in conflicts.items:
        conflicts.decide(item, ReviewAct.REJECT, note="Guesses.")
    assert conflicts.drive() == State.COMPLETED
    assert conflicts.document.status == "insufficient_evidence"


def test_conflicts_that_nobody_answers_are_presented_from_both_sides(conflicts):
    first = conflicts.items[0]
    conflicts.decide(first, ReviewAct.EDIT, winner=first.contradiction.claim_b_id)
    conflicts.let_it_expire()
    assert conflicts.drive() == State.COMPLETED
    with conflicts.rows():
        outcomes = sorted(
            Contradiction.objects.filter(run=conflicts.run_id).values_list("resolution", flat=True)
        )
        lost = Claim.objects.get(pk=first.contradiction.claim_a_id)
    assert outcomes == ["human", *["presented_both"] * 4]
    assert lost.section_id is None  # what was decided in time counts


@pytest.mark.full
def test_a_rejected_review_of_conflicts_ends_the_run(conflicts):
    with pytest.raises(DecisionRefused, match="Say why"):
        conflicts.decide_whole(ReviewAct.REJECT)
    conflicts.decide_whole(ReviewAct.REJECT, note="Not with these sources.")
    assert (conflicts.run.state, conflicts.run.failure_code) == (State.FAILED, "REJECTED")


@pytest.mark.parametrize("winner", [None, "01a203a8-4597-7104-b4db-0c4e02a3af30"])
def test_only_one_of_the_two_sides_can_be_chosen(conflicts, winner):
    with pytest.raises(DecisionRefused):
        conflicts.decide(conflicts.items[0], ReviewAct.EDIT, winner=winner)


def test_a_run_that_asks_nobody_presents_both_sides_at_once(ask_about):
    asked = ask_about("prices", CONFLICTS, reviews="never")
    assert asked.run.state == State.COMPLETED
    with asked.rows():
        rows = Contradiction.objects.filter(run=asked.run_id).values_list("resolution", flat=True)
        assert set(rows) == {Resolution.PRESENTED_BOTH}
        assert not ReviewItem.objects.filter(run=asked.run_id).exists()


# --- gaps --------------------------------------------------------------------------------------


def test_a_gap_of_high_severity_waits_for_a_person(gap):
    assert gap.run.state == State.HUMAN_REVIEW_GAPS
    assert (gap.question.rule, gap.question.type) == ("critical_data_gaps", "advisory")
    assert [item.reason for item in gap.items] == ["No randomized trial is among the evidence."]


def test_an_accepted_gap_stays_noted_with_who_accepted_it(gap):
    gap.decide(gap.items[0], ReviewAct.ACCEPT, note="There is none yet.")
    assert gap.drive() == State.COMPLETED
    with gap.rows():
        noted = Warning.objects.get(run=gap.run_id, code="G003")
    assert "Accepted by demo: There is none yet." in noted.advice


def test_a_rejected_gap_ends_the_run(gap):
    gap.decide(gap.items[0], ReviewAct.REJECT, note="Worthless without a trial.")
    assert gap.run.state == State.FAILED


def test_a_gap_that_nobody_answers_is_noted_and_the_run_goes_on(gap):
    gap.let_it_expire()
    assert gap.drive() == State.COMPLETED
    with gap.rows():
        assert (
            Warning.objects.get(run=gap.run_id, code="G003").advice
            == "Search for randomized trials on the question."
        )


@pytest.mark.full
def test_a_gap_cannot_be_edited(gap):
    with pytest.raises(DecisionRefused, match="can't be edited"):
        gap.decide(gap.items[0], ReviewAct.EDIT, text="No gap.")


# --- another plan ------------------------------------------------------------------------------


@pytest.mark.full
def test_another_plan_is_made_twice_at_most_and_asked_about_again(conflicts):
    for _ in range(2):
        conflicts.decide_whole(ReviewAct.REPLAN, note="Look at the south as well.")
        assert conflicts.run.state == State.REPLANNING
        assert (conflicts.question.status, conflicts.question.decision["act"]) == ("revised", "replan")
        assert conflicts.drive() == State.HUMAN_REVIEW_CONFLICTS
    with pytest.raises(DecisionRefused, match="cannot be replanned again"):
        conflicts.decide_whole(ReviewAct.REPLAN, note="Once more.")
    with conflicts.rows():
        asked = Escalation.objects.filter(run=conflicts.run_id, rule="unresolved_contradictions")
        assert sorted(asked.values_list("status", flat=True)) == ["open", "revised", "revised"]


def test_a_side_that_was_chosen_stays_chosen_after_another_plan(conflicts):
    first = conflicts.items[0]
    with conflicts.rows():
        Contradiction.objects.filter(pk=first.contradiction_id).update(
            resolution=Resolution.HUMAN,
            winner=first.contradiction.claim_a,
            resolved_by=conflicts.account.user,
        )
    conflicts.decide_whole(ReviewAct.REPLAN, note="Look again.")
    assert conflicts.drive() == State.HUMAN_REVIEW_CONFLICTS
    assert len(conflicts.items) == 4
    outlined = {claim for section in conflicts.run.outline for claim in section["claims"]}
    assert str(first.contradiction.claim_a_id) in outlined
    assert str(first.contradiction.claim_b_id) not in outlined


@pytest.mark.parametrize("asked", one_in(2, ["plan", "gap"]))
def test_a_plan_or_a_gap_can_be_answered_with_another_plan(asked, request):
    waiting = request.getfixturevalue(asked)
    waiting.decide_whole(ReviewAct.REPLAN, note="Otherwise.")
    assert waiting.run.state == State.REPLANNING
    assert waiting.run.replan_count == 1
    assert waiting.drive() not in (State.REPLANNING, State.FAILED)


# --- a new release -----------------------------------------------------------------------------


@pytest.mark.full
def test_a_run_that_waits_through_an_upgrade_goes_on_with_all_it_had(plan, monkeypatch):
    """Its database as the release before had it, then `migrate`, as operators do it (docs/operating.md)."""
    monkeypatch.setattr(health, "_seen_migrated", [])
    has = [len(plan.items), plan.run.version, plan.run.plan]
    with ignore_squashes():
        for app, number in BEFORE_THE_RULES.items():
            call_command("migrate", app, f"{number:04}", database="owner", verbosity=0)
    assert health.complaints() == ["migrations"]
    call_command("migrate", database="owner", verbosity=0)
    assert health.complaints() == []
    assert [len(plan.items), plan.run.version, plan.run.plan] == has
    plan.decide(plan.items[0], ReviewAct.ACCEPT)
    assert plan.drive() == State.HUMAN_REVIEW_CONFLICTS
    with plan.rows():
        assert Claim.objects.filter(run=plan.run_id).exists()
