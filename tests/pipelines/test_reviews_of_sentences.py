"""Sentences that failed, and what people do about them: over the real recipe, with a writer that errs."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connections

from citations.models import Citation, Claim, ClaimStatus, VerificationReport, VerifiedBy, Warning
from research.library.import_folder import import_folder
from research.models import Escalation, EscalationStatus, ReviewAct, ReviewDecision, ReviewItem, State
from research.pipelines.common.verifying import verify_by_rules as verifying
from research.pipelines.report.synthesizing import write_section_by_rules as writing
from research.review.decide import DecisionRefused
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

    def falsified(planned):
        found = as_they_are(planned)
        return replace(found, stated=tuple(replace(one, text=_dearer(one.text)) for one in found.stated))

    monkeypatch.setattr(writing, "as_they_are", falsified)


def _dearer(text: str) -> str:
    return text.replace(" costs ", " costs 4")


@pytest.fixture
def failed(liar, ask, driven_once) -> Asked:
    return driven_once("failed", ask)


@pytest.fixture
def robber(monkeypatch) -> None:
    """Take the first claim's citations away, however often the report is written."""
    read_draft = verifying.read_draft

    def robbed(run_id):
        Citation.objects.filter(claim__run=run_id, claim__number=1).delete()
        return read_draft(run_id)

    monkeypatch.setattr(verifying, "read_draft", robbed)


@pytest.fixture
def made_up(robber, ask, driven_once) -> Asked:
    return driven_once("made_up", ask)


def claims_of(asked: Asked, **which: object) -> list[Claim]:
    with asked.rows():
        return list(Claim.objects.filter(run=asked.run_id, **which).order_by("position"))


def check_of(asked: Asked) -> VerificationReport:
    with asked.rows():
        return VerificationReport.objects.get(run=asked.run_id, report_version=asked.run.report_version)


# --- more than five failed ---------------------------------------------------------------------


def test_more_than_five_failed_claims_wait_for_a_person(failed):
    assert failed.run.state == State.HUMAN_REVIEW_VERIFICATION
    assert failed.question.rule == "low_verification_confidence"
    assert {item.reason for item in failed.items} == {"Its source says otherwise."}
    assert all(item.claim.section_id for item in failed.items)  # still in the text


def test_a_claim_is_shown_with_its_words_and_what_the_checker_says(failed):
    with failed.rows():
        evidence = evidence_of(failed.items[0])
    assert evidence.claim.status == ClaimStatus.CONTRADICTED
    assert "euros" in evidence.claim.quotes[0].quote
    assert evidence.claim.note


def test_a_correction_that_stands_is_in_the_report(failed):
    first, *rest = failed.items
    right = first.claim.text.replace(" costs 4", " costs ")
    failed.decide(first, EDIT, text=f"  {right} ", note="The source says so.")
    for item in rest:
        failed.decide(item, REJECT, note="Wrong.")
    assert failed.question.status == EscalationStatus.REVISED
    assert failed.drive() == State.COMPLETED
    (claim,) = claims_of(failed, section__isnull=False)
    assert (claim.text, claim.verification_status) == (right, ClaimStatus.VERIFIED)
    with failed.rows():
        citation = Citation.objects.get(claim=claim)
    assert (citation.match_type, citation.anchor_text) == ("exact", right)


def test_a_correction_that_its_source_does_not_carry_is_refused_with_the_reason(failed):
    item = failed.items[0]
    with pytest.raises(DecisionRefused, match="Its sources do not support that: .*euros"):
        failed.decide(item, EDIT, text=item.claim.text.replace(" costs 4", " costs 5"))
    assert failed.items[0].status == "open"


@pytest.mark.parametrize(("text", "said"), [("  ", "Write the corrected sentence"), (None, "is as it was")])
def test_no_correction_is_no_edit(failed, text, said):
    item = failed.items[0]
    with pytest.raises(DecisionRefused, match=said):
        failed.decide(item, EDIT, text=item.claim.text if text is None else text)


def test_what_is_dropped_is_listed_with_who_and_why_and_counted_anew(failed):
    before, items = check_of(failed), failed.items
    for item in items[1:]:
        failed.decide(item, EDIT, text=item.claim.text.replace(" costs 4", " costs "))
    failed.decide(items[0], REJECT, note="No such price.")
    assert failed.drive() == State.COMPLETED
    reasons = {one.text: one.reason for one in failed.document.left_out}
    assert reasons[items[0].shown["text"]] == "Dropped by demo: No such price."
    after = check_of(failed)
    assert (before.accuracy, after.accuracy) == (None, 1.0) or before.accuracy < after.accuracy == 1.0
    assert after.counts["verified"] == len(items) - 1
    assert after.overall_status == "passed"
    assert failed.run.quality_score > 0


def test_what_is_accepted_stays_and_says_who_accepted_it(failed):
    first, *rest = failed.items
    failed.decide(first, ACCEPT, note="I measured it.")
    for item in rest:
        failed.decide(item, REJECT, note="Wrong.")
    assert failed.drive() == State.COMPLETED
    (claim,) = claims_of(failed, section__isnull=False)
    assert claim.verification_status == ClaimStatus.CONTRADICTED  # as it is
    assert claim.verification_note.startswith("Accepted by demo: I measured it.")
    with failed.rows():
        citation = Citation.objects.get(claim=claim)
    assert (citation.verification_status, citation.verified_by) == ("disputed", VerifiedBy.HUMAN)
    assert check_of(failed).overall_status != "passed"


def test_without_an_answer_the_failed_sentences_leave_the_report_and_it_goes_on(failed):
    first, *rest = failed.items
    failed.decide(first, ACCEPT)
    failed.let_it_expire()
    assert failed.question.status == EscalationStatus.EXPIRED
    assert failed.drive() == State.COMPLETED
    assert [claim.pk for claim in claims_of(failed, section__isnull=False)] == [first.claim_id]
    assert len(failed.document.left_out) >= len(rest)


@pytest.mark.full
def test_a_rejected_report_fails_and_keeps_what_it_has(failed):
    failed.decide_whole(REJECT, note="Not to be trusted.")
    assert (failed.run.state, failed.run.failure_code) == (State.FAILED, "REJECTED")
    assert claims_of(failed, section__isnull=False)


def test_a_run_that_asks_nobody_drops_what_failed_at_once(liar, ask):
    asked = ask(reviews="never")
    assert asked.run.state == State.COMPLETED
    assert claims_of(asked, section__isnull=False) == []


# --- made up -----------------------------------------------------------------------------------


def test_a_sentence_without_a_source_waits_for_a_person(made_up):
    assert made_up.run.state == State.HUMAN_REVIEW_VERIFICATION
    assert (made_up.question.rule, made_up.question.priority) == ("hallucination_detected", "critical")
    assert [item.reason for item in made_up.items] == ["No source of this run has these words."]


def test_a_sentence_without_a_source_can_only_be_dropped(made_up):
    item = made_up.items[0]
    with pytest.raises(DecisionRefused, match="it can't stay"):
        made_up.decide(item, ACCEPT)
    with pytest.raises(DecisionRefused, match="it can't stay"):
        made_up.decide_whole(ACCEPT)
    with pytest.raises(DecisionRefused, match="cites no source"):
        made_up.decide(item, EDIT, text="A heat pump costs something.")
    made_up.decide(item, REJECT, note="Made up.")
    assert made_up.drive() == State.COMPLETED
    assert made_up.document.status == "done"
    assert "Dropped by demo: Made up." in {one.reason for one in made_up.document.left_out}


@pytest.mark.full
def test_a_sentence_without_a_source_fails_the_run_where_nobody_answers(made_up):
    made_up.let_it_expire()
    assert made_up.run.state == State.FAILED
    assert made_up.document.claims  # what there is, is kept


def test_a_run_that_asks_nobody_leaves_out_what_is_made_up(robber, ask):
    asked = ask(reviews="never")
    assert asked.run.state == State.COMPLETED
    assert "It cites nothing that stands in a source." in {one.reason for one in asked.document.left_out}


# --- in doubt ----------------------------------------------------------------------------------


@pytest.fixture
def quiet(ask) -> Asked:
    return ask(reviews="plan")


@pytest.fixture
def doubted(quiet) -> Asked:
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


def test_its_claims_in_doubt_are_asked_about_on_request(doubted):
    assert (doubted.question.rule, doubted.question.type) == ("review_on_request", "advisory")
    assert all(item.reason.startswith("Its confidence is low (0.") for item in doubted.items)
    with doubted.rows():
        again = ask_for_review(doubted.run_id, doubted.account.user)
        assert again == doubted.question
        assert doubts_of(doubted.run) == Doubts(len(doubted.items), is_asked=True)


def test_a_look_at_a_finished_report_is_noted_at_its_sentences(doubted):
    first = doubted.question
    doubted.decide_whole(ACCEPT, note="Read it all.")
    notes = {claim.verification_note for claim in claims_of(doubted, section__isnull=False)}
    assert all(note.startswith("Accepted by demo: Read it all.") for note in notes)
    with doubted.rows():  # what stays in doubt can be looked at by another
        second = ask_for_review(doubted.run_id, doubted.account.user)
    assert second.status == EscalationStatus.OPEN
    assert second.pk != first.pk


def test_a_sentence_of_a_finished_report_can_still_be_dropped(doubted):
    first, *rest = doubted.items
    doubted.decide(first, REJECT, note="Out of date.")
    for item in rest:
        doubted.decide(item, ACCEPT)
    assert doubted.run.state == State.COMPLETED
    assert first.claim_id not in {claim.pk for claim in claims_of(doubted, section__isnull=False)}
    assert len(doubted.document.claims) == len(rest)


def test_a_finished_report_that_nobody_looks_at_stays_as_it_is(doubted):
    before = [claim.text for claim in claims_of(doubted, section__isnull=False)]
    doubted.let_it_expire()
    assert doubted.question.status == EscalationStatus.EXPIRED
    assert [claim.text for claim in claims_of(doubted, section__isnull=False)] == before


def test_a_run_that_is_not_over_is_not_reviewed_on_request(failed):
    with failed.rows(), pytest.raises(CannotReview, match="finished report"):
        ask_for_review(failed.run_id, failed.account.user)


# --- two at once -------------------------------------------------------------------------------


@pytest.fixture
def bob(committed) -> User:
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


def test_of_two_reviewers_who_decide_the_same_at_once_one_is_refused(doubted, bob):
    item = doubted.items[0]
    came = at_once(
        lambda: doubted.decide(item, ACCEPT),
        lambda: doubted.decide(item, REJECT, by=bob, note="No."),
    )
    assert sorted(type(one).__name__ for one in came) == ["DecisionRefused", "ReviewItem"]
    with doubted.rows():
        assert ReviewDecision.objects.filter(item=item).count() == 1


def test_the_last_two_items_decided_at_once_settle_the_question_once(doubted, bob):
    *most, one, other = doubted.items
    for item in most:
        doubted.decide(item, ACCEPT)
    came = at_once(lambda: doubted.decide(one, ACCEPT), lambda: doubted.decide(other, ACCEPT, by=bob))
    assert all(isinstance(each, ReviewItem) for each in came)
    assert doubted.question.status == EscalationStatus.APPROVED


def test_a_deadline_that_passes_while_someone_decides_has_one_outcome(made_up):
    item = made_up.items[0]
    came = at_once(lambda: made_up.decide(item, REJECT, note="Made up."), made_up.let_it_expire)
    status = made_up.question.status
    if isinstance(came[0], DecisionRefused):
        assert (status, made_up.run.state) == (EscalationStatus.EXPIRED, State.FAILED)
    else:
        assert status == EscalationStatus.REVISED
        assert made_up.drive() == State.COMPLETED


# --- another plan ------------------------------------------------------------------------------


@pytest.mark.full
def test_a_report_that_failed_can_be_answered_with_another_plan(failed):
    first = failed.question
    failed.decide_whole(ReviewAct.REPLAN, note="Other sources.")
    assert failed.run.state == State.REPLANNING
    assert failed.drive() == State.HUMAN_REVIEW_VERIFICATION  # the writer is no better
    assert failed.question.pk != first.pk
    failed.decide_whole(REJECT, note="Enough.")
    assert failed.run.state == State.FAILED
