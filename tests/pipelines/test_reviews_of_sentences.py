"""Sentences that failed, and what people do about them: over the real recipe, with a writer that errs."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connections

from citations.models import Citation, Claim, ClaimStatus, VerificationReport, VerifiedBy, Warning
from research.library.import_library_folder import import_folder
from research.models import Escalation, EscalationStatus, ReviewAct, ReviewDecision, ReviewItem, State
from research.pipelines.common.verifying import verify_report_by_rules as verifying
from research.pipelines.report.synthesizing import write_report_section_by_rules as writing
from research.review.decide_review_items import DecisionRefused
from research.review.request_review import CannotReview, Doubts, ask_for_review, doubts_of
from research.review.review_evidence import evidence_of
from tests.pipelines.review_world import TOWNS, TOWNS_QUESTION, Asked, ask_people

ACCEPT, REJECT, EDIT = ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.EDIT
Ask = Callable[..., Asked]


@pytest.fixture(scope="module")
def towns(account, tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("towns")
    (folder / "towns.md").write_text(TOWNS, encoding="utf-8")
    return import_folder(account.tenant_id, folder).folder


@pytest.fixture
def ask(account, towns) -> Ask:
    return lambda **config: ask_people(account, TOWNS_QUESTION, folders=[towns], **config)


@pytest.fixture
def liar(monkeypatch) -> None:
    """A writer that puts a digit before every price."""
    as_they_are = writing.as_they_are

    def falsify(planned):
        found = as_they_are(planned)
        return replace(found, stated=tuple(replace(one, text=_dearer(one.text)) for one in found.stated))

    monkeypatch.setattr(writing, "as_they_are", falsify)


def _dearer(text: str) -> str:
    return text.replace(" costs ", " costs 4")


@pytest.fixture
def run_with_failures(liar, ask, driven_once) -> Asked:
    return driven_once("failed", ask)


@pytest.fixture
def robber(monkeypatch) -> None:
    """Take the first claim's citations away, however often the report is written."""
    read_draft = verifying.read_draft

    def rob_draft(run_id):
        Citation.objects.filter(claim__run=run_id, claim__number=1).delete()
        return read_draft(run_id)

    monkeypatch.setattr(verifying, "read_draft", rob_draft)


@pytest.fixture
def run_with_inventions(robber, ask, driven_once) -> Asked:
    return driven_once("made_up", ask)


def claims_of(asked: Asked, **which: object) -> list[Claim]:
    with asked.rows():
        return list(Claim.objects.filter(run=asked.run_id, **which).order_by("position"))


def check_of(asked: Asked) -> VerificationReport:
    with asked.rows():
        return VerificationReport.objects.get(run=asked.run_id, report_version=asked.run.report_version)


# --- more than five failed ---------------------------------------------------------------------


def test_more_than_five_failed_claims_wait_for_a_person(run_with_failures):
    assert run_with_failures.run.state == State.HUMAN_REVIEW_VERIFICATION
    assert run_with_failures.question.rule == "low_verification_confidence"
    assert {item.reason for item in run_with_failures.items} == {"Its source says otherwise."}
    assert all(item.claim.section_id for item in run_with_failures.items)  # still in the text


def test_a_claim_is_shown_with_its_words_and_what_the_checker_says(run_with_failures):
    with run_with_failures.rows():
        evidence = evidence_of(run_with_failures.items[0])
    assert evidence.claim.status == ClaimStatus.CONTRADICTED
    assert "euros" in evidence.claim.quotes[0].quote
    assert evidence.claim.note


def test_a_correction_that_stands_is_in_the_report(run_with_failures):
    first, *rest = run_with_failures.items
    right = first.claim.text.replace(" costs 4", " costs ")
    run_with_failures.decide(first, EDIT, text=f"  {right} ", note="The source says so.")
    for item in rest:
        run_with_failures.decide(item, REJECT, note="Wrong.")
    assert run_with_failures.question.status == EscalationStatus.REVISED
    assert run_with_failures.drive() == State.COMPLETED
    (claim,) = claims_of(run_with_failures, section__isnull=False)
    assert (claim.text, claim.verification_status) == (right, ClaimStatus.VERIFIED)
    with run_with_failures.rows():
        citation = Citation.objects.get(claim=claim)
    assert (citation.match_type, citation.anchor_text) == ("exact", right)


def test_a_correction_that_its_source_does_not_carry_is_refused_with_the_reason(run_with_failures):
    item = run_with_failures.items[0]
    with pytest.raises(DecisionRefused, match="Its sources do not support that: .*euros"):
        run_with_failures.decide(item, EDIT, text=item.claim.text.replace(" costs 4", " costs 5"))
    assert run_with_failures.items[0].status == "open"


@pytest.mark.parametrize(("text", "said"), [("  ", "Write the corrected sentence"), (None, "is unchanged")])
def test_no_correction_is_no_edit(run_with_failures, text, said):
    item = run_with_failures.items[0]
    with pytest.raises(DecisionRefused, match=said):
        run_with_failures.decide(item, EDIT, text=item.claim.text if text is None else text)


def test_what_is_dropped_is_listed_with_who_and_why_and_counted_anew(run_with_failures):
    before, items = check_of(run_with_failures), run_with_failures.items
    for item in items[1:]:
        run_with_failures.decide(item, EDIT, text=item.claim.text.replace(" costs 4", " costs "))
    run_with_failures.decide(items[0], REJECT, note="No such price.")
    assert run_with_failures.drive() == State.COMPLETED
    reasons = {one.text: one.reason for one in run_with_failures.document.left_out}
    assert reasons[items[0].shown["text"]] == "Dropped by demo: No such price."
    after = check_of(run_with_failures)
    assert (before.accuracy, after.accuracy) == (None, 1.0) or before.accuracy < after.accuracy == 1.0
    assert after.counts["verified"] == len(items) - 1
    assert after.overall_status == "passed"
    assert run_with_failures.run.quality_score > 0


def test_what_is_accepted_stays_and_says_who_accepted_it(run_with_failures):
    first, *rest = run_with_failures.items
    run_with_failures.decide(first, ACCEPT, note="I measured it.")
    for item in rest:
        run_with_failures.decide(item, REJECT, note="Wrong.")
    assert run_with_failures.drive() == State.COMPLETED
    (claim,) = claims_of(run_with_failures, section__isnull=False)
    assert claim.verification_status == ClaimStatus.CONTRADICTED  # as it is
    assert claim.verification_note.startswith("Accepted by demo: I measured it.")
    with run_with_failures.rows():
        citation = Citation.objects.get(claim=claim)
    assert (citation.verification_status, citation.verified_by) == ("disputed", VerifiedBy.HUMAN)
    assert check_of(run_with_failures).overall_status != "passed"


def test_without_an_answer_the_failed_sentences_leave_the_report_and_it_goes_on(run_with_failures):
    first, *rest = run_with_failures.items
    run_with_failures.decide(first, ACCEPT)
    run_with_failures.let_it_expire()
    assert run_with_failures.question.status == EscalationStatus.EXPIRED
    assert run_with_failures.drive() == State.COMPLETED
    assert [claim.pk for claim in claims_of(run_with_failures, section__isnull=False)] == [first.claim_id]
    assert len(run_with_failures.document.left_out) >= len(rest)


@pytest.mark.full
def test_a_rejected_report_fails_and_keeps_what_it_has(run_with_failures):
    run_with_failures.decide_whole(REJECT, note="Not to be trusted.")
    assert (run_with_failures.run.state, run_with_failures.run.failure_code) == (State.FAILED, "REJECTED")
    assert claims_of(run_with_failures, section__isnull=False)


def test_a_run_that_asks_nobody_drops_what_failed_at_once(liar, ask):
    asked = ask(reviews="never")
    assert asked.run.state == State.COMPLETED
    assert claims_of(asked, section__isnull=False) == []


# --- made up -----------------------------------------------------------------------------------


def test_a_sentence_without_a_source_waits_for_a_person(run_with_inventions):
    assert run_with_inventions.run.state == State.HUMAN_REVIEW_VERIFICATION
    assert (run_with_inventions.question.rule, run_with_inventions.question.priority) == (
        "hallucination_detected",
        "critical",
    )
    assert [item.reason for item in run_with_inventions.items] == ["No source of this run has these words."]


def test_a_sentence_without_a_source_can_only_be_dropped(run_with_inventions):
    item = run_with_inventions.items[0]
    with pytest.raises(DecisionRefused, match="it can't stay"):
        run_with_inventions.decide(item, ACCEPT)
    with pytest.raises(DecisionRefused, match="it can't stay"):
        run_with_inventions.decide_whole(ACCEPT)
    with pytest.raises(DecisionRefused, match="cites no source"):
        run_with_inventions.decide(item, EDIT, text="A heat pump costs something.")
    run_with_inventions.decide(item, REJECT, note="Made up.")
    assert run_with_inventions.drive() == State.COMPLETED
    assert run_with_inventions.document.status == "done"
    assert "Dropped by demo: Made up." in {one.reason for one in run_with_inventions.document.left_out}


@pytest.mark.full
def test_a_sentence_without_a_source_fails_the_run_where_nobody_answers(run_with_inventions):
    run_with_inventions.let_it_expire()
    assert run_with_inventions.run.state == State.FAILED
    assert run_with_inventions.document.claims  # what there is, is kept


def test_a_run_that_asks_nobody_leaves_out_what_is_made_up(robber, ask):
    asked = ask(reviews="never")
    assert asked.run.state == State.COMPLETED
    assert "It cites nothing that stands in a source." in {one.reason for one in asked.document.left_out}


# --- in doubt ----------------------------------------------------------------------------------


@pytest.fixture
def quiet(ask) -> Asked:
    return ask(reviews="plan")


@pytest.fixture
def run_with_doubts(quiet) -> Asked:
    """A finished report whose claims rest on a single source of which nothing is known; somebody has it reviewed."""
    with quiet.rows():
        ask_for_review(quiet.run_id, quiet.account.user)
    return quiet


def test_a_report_is_finished_without_asking_anybody_about_doubts(quiet):
    assert quiet.run.state == State.COMPLETED
    with quiet.rows():
        assert not Escalation.objects.filter(run=quiet.run_id).exists()
        assert not Warning.objects.filter(run=quiet.run_id, code="W019").exists()  # its claims are quotes
        assert doubts_of(quiet.run) == Doubts(len(claims_of(quiet, section__isnull=False)), is_asked=False)


@pytest.mark.full
def test_word_for_word_quotes_of_little_confidence_are_not_asked_about(ask):
    asked = ask(reviews="ask")
    assert asked.run.state == State.COMPLETED
    with asked.rows():
        assert not Escalation.objects.filter(run=asked.run_id).exists()


def test_its_claims_in_doubt_are_asked_about_on_request(run_with_doubts):
    assert (run_with_doubts.question.rule, run_with_doubts.question.type) == ("review_on_request", "advisory")
    assert all(item.reason.startswith("Its confidence is low (0.") for item in run_with_doubts.items)
    with run_with_doubts.rows():
        again = ask_for_review(run_with_doubts.run_id, run_with_doubts.account.user)
        assert again == run_with_doubts.question
        assert doubts_of(run_with_doubts.run) == Doubts(len(run_with_doubts.items), is_asked=True)


def test_a_look_at_a_finished_report_is_noted_at_its_sentences(run_with_doubts):
    first = run_with_doubts.question
    run_with_doubts.decide_whole(ACCEPT, note="Read it all.")
    notes = {claim.verification_note for claim in claims_of(run_with_doubts, section__isnull=False)}
    assert all(note.startswith("Accepted by demo: Read it all.") for note in notes)
    with run_with_doubts.rows():  # what stays in doubt can be looked at by another
        second = ask_for_review(run_with_doubts.run_id, run_with_doubts.account.user)
    assert second.status == EscalationStatus.OPEN
    assert second.pk != first.pk


def test_a_sentence_of_a_finished_report_can_still_be_dropped(run_with_doubts):
    first, *rest = run_with_doubts.items
    run_with_doubts.decide(first, REJECT, note="Out of date.")
    for item in rest:
        run_with_doubts.decide(item, ACCEPT)
    assert run_with_doubts.run.state == State.COMPLETED
    assert first.claim_id not in {claim.pk for claim in claims_of(run_with_doubts, section__isnull=False)}
    assert len(run_with_doubts.document.claims) == len(rest)


def test_a_finished_report_that_nobody_looks_at_stays_as_it_is(run_with_doubts):
    before = [claim.text for claim in claims_of(run_with_doubts, section__isnull=False)]
    run_with_doubts.let_it_expire()
    assert run_with_doubts.question.status == EscalationStatus.EXPIRED
    assert [claim.text for claim in claims_of(run_with_doubts, section__isnull=False)] == before


def test_a_run_that_is_not_over_is_not_reviewed_on_request(run_with_failures):
    with run_with_failures.rows(), pytest.raises(CannotReview, match="finished report"):
        ask_for_review(run_with_failures.run_id, run_with_failures.account.user)


# --- two at once -------------------------------------------------------------------------------


@pytest.fixture
def bob(module_database) -> User:
    return User.objects.get_or_create(username="bob")[0]


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Return the result of each, all begun together."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            barrier.wait(10)
            return act()
        except DecisionRefused as refused:
            return refused
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_of_two_reviewers_who_decide_the_same_at_once_one_is_refused(run_with_doubts, bob):
    item = run_with_doubts.items[0]
    came = at_once(
        lambda: run_with_doubts.decide(item, ACCEPT),
        lambda: run_with_doubts.decide(item, REJECT, by=bob, note="No."),
    )
    assert sorted(type(one).__name__ for one in came) == ["DecisionRefused", "ReviewItem"]
    with run_with_doubts.rows():
        assert ReviewDecision.objects.filter(item=item).count() == 1


def test_the_last_two_items_decided_at_once_settle_the_question_once(run_with_doubts, bob):
    *most, one, other = run_with_doubts.items
    for item in most:
        run_with_doubts.decide(item, ACCEPT)
    came = at_once(
        lambda: run_with_doubts.decide(one, ACCEPT), lambda: run_with_doubts.decide(other, ACCEPT, by=bob)
    )
    assert all(isinstance(each, ReviewItem) for each in came)
    assert run_with_doubts.question.status == EscalationStatus.APPROVED


def test_a_deadline_that_passes_while_someone_decides_has_one_outcome(run_with_inventions):
    item = run_with_inventions.items[0]
    came = at_once(
        lambda: run_with_inventions.decide(item, REJECT, note="Made up."), run_with_inventions.let_it_expire
    )
    status = run_with_inventions.question.status
    if isinstance(came[0], DecisionRefused):
        assert (status, run_with_inventions.run.state) == (EscalationStatus.EXPIRED, State.FAILED)
    else:
        assert status == EscalationStatus.REVISED
        assert run_with_inventions.drive() == State.COMPLETED


# --- another plan ------------------------------------------------------------------------------


@pytest.mark.full
def test_a_report_that_failed_can_be_answered_with_another_plan(run_with_failures):
    first = run_with_failures.question
    run_with_failures.decide_whole(ReviewAct.REPLAN, note="Other sources.")
    assert run_with_failures.run.state == State.REPLANNING
    assert run_with_failures.drive() == State.HUMAN_REVIEW_VERIFICATION  # the writer is no better
    assert run_with_failures.question.pk != first.pk
    run_with_failures.decide_whole(REJECT, note="Enough.")
    assert run_with_failures.run.state == State.FAILED
