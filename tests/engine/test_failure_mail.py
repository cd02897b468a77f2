"""Whoever owns a run is told of what its failures' definitions say must be told: once, and never of others."""

import pytest
from django.utils import timezone

from research.accounts.notification_mail import TAKEN_BACK
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult
from research.engine.states.step_failure_mail import MAX_TOPIC, mail_failure
from research.engine.states.step_failures import DEFINITIONS, StepError, Then
from research.engine.step_runner import drive, serve
from research.models import Mail, Run, Source, State
from tests.engine import toy
from tests.engine.rows import fresh, steps_of

TOLD = sorted(code for code, one in DEFINITIONS.items() if one.tell_a_person)
AT_ONCE = [code for code in TOLD if DEFINITIONS[code].then is Then.FAIL_RUN and not DEFINITIONS[code].retries]


@pytest.fixture
def run(start_toy, owner):
    owner.email = "ada@example.org"
    owner.save()
    return start_toy()


def mails(run):
    with tenant_context(run.tenant_id):
        return list(Mail.objects.order_by("created_at"))


def tell(run, code, message="It went wrong.", **options):
    with tenant_context(run.tenant_id):
        return mail_failure(Run.objects.get(pk=run.pk), code, message, **options)


@pytest.mark.parametrize("code", sorted(DEFINITIONS))
def test_the_definition_says_whether_anybody_is_told(run, code):
    assert tell(run, code) is DEFINITIONS[code].tell_a_person
    assert len(mails(run)) == DEFINITIONS[code].tell_a_person


def test_a_run_that_ended_well_tells_nothing(run):
    assert not tell(run, "", "")


def test_one_code_is_told_once_and_another_again(run):
    for code in ("DATA_CORRUPTION", "DATA_CORRUPTION", "LLM_QUOTA_EXCEEDED"):
        tell(run, code)
    assert [mail.ref for mail in mails(run)] == [f"{run.pk}:DATA_CORRUPTION", f"{run.pk}:LLM_QUOTA_EXCEEDED"]


def test_the_mail_says_which_run_why_and_where_it_can_be_seen(run):
    tell(run, "BUDGET_EXCEEDED_HARD", "The budget of this run is spent.", is_over=True)
    [mail] = mails(run)
    assert (mail.to, mail.subject) == ("ada@example.org", "A run failed")
    assert run.topic in mail.body
    assert "The budget of this run is spent. (BUDGET_EXCEEDED_HARD)" in mail.body
    assert "What was finished before is kept" in mail.body
    assert f"/runs/{run.pk}/" in mail.body


def test_of_a_run_that_goes_on_it_says_so(run):
    tell(run, "LLM_ACCESS_DENIED", "The key was refused.")
    [mail] = mails(run)
    assert mail.subject == "A run needs your attention"
    assert "It continued" in mail.body


def test_a_run_that_ends_with_what_its_owner_was_told_of_before_is_told_of_again(run):
    tell(run, "VERIFICATION_FAILED")
    with tenant_context(run.tenant_id):
        Mail.objects.update(sent_at=timezone.now())
    tell(run, "VERIFICATION_FAILED", is_over=True)
    assert [(mail.subject, mail.error) for mail in mails(run)] == [
        ("A run needs your attention", ""), ("A run failed", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(("length", "is_cut"), [(MAX_TOPIC, False), (MAX_TOPIC + 1, True)])
def test_a_long_question_is_cut(run, length, is_cut):
    with tenant_context(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(topic="x" * length)
    tell(run, "DATA_CORRUPTION")
    assert mails(run)[0].body.startswith("x" * MAX_TOPIC + ("…" if is_cut else "\n"))


def test_without_an_address_nothing_is_sent_and_nothing_breaks(start_toy):
    run = start_toy()
    assert not tell(run, "DATA_CORRUPTION")
    assert mails(run) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", AT_ONCE)
def test_a_failure_that_ends_a_run_is_told_and_what_there_is_stays(owner, start_toy, code):
    owner.email = "ada@example.org"
    owner.save()
    run = start_toy(fail={"split": [code]})
    assert drive(run.tenant_id, run.pk) is State.FAILED
    assert fresh(run).failure_code == code
    [mail] = mails(run)
    assert mail.subject == "A run failed"
    assert f"({code})" in mail.body
    with tenant_context(run.tenant_id):
        assert Source.objects.filter(run=run, status="processed").count() == 6


@pytest.mark.django_db(transaction=True)
def test_a_failure_that_ends_a_run_when_no_try_is_left_is_told_in_one_mail(owner, start_toy):
    owner.email = "ada@example.org"
    owner.save()
    run = start_toy(fail={"part.0": ["LLM_QUOTA_EXCEEDED"]})
    assert drive(run.tenant_id, run.pk) is State.FAILED
    [mail] = [one for one in mails(run) if one.error != TAKEN_BACK]
    assert (mail.ref, mail.subject) == (f"{run.pk}:LLM_QUOTA_EXCEEDED:over", "A run failed")
    assert "part.0 failed on purpose (LLM_QUOTA_EXCEEDED)" in mail.body


@pytest.mark.django_db(transaction=True)
def test_a_failure_that_will_be_tried_again_is_not_told_yet(owner, start_toy):
    owner.email = "ada@example.org"
    owner.save()
    run = start_toy(fail={"part.0": ["TIMEOUT"]})
    assert drive(run.tenant_id, run.pk) is State.COMPLETED
    assert mails(run) == []


@pytest.mark.django_db(transaction=True)
def test_what_rules_did_because_a_model_is_out_of_reach_is_told(owner, start_toy, monkeypatch):
    owner.email = "ada@example.org"
    owner.save()
    without = {"fallback": {"code": "LLM_ACCESS_DENIED", "message": "The key was refused."}}
    monkeypatch.setattr(toy, "read", lambda work: StepResult(without))
    run = start_toy()
    drive(run.tenant_id, run.pk)
    [mail] = mails(run)
    assert mail.ref == f"{run.pk}:LLM_ACCESS_DENIED"
    assert "The key was refused. (LLM_ACCESS_DENIED)" in mail.body


@pytest.mark.django_db(transaction=True)
def test_a_retry_waits_as_long_as_the_other_side_asked_in_the_row(start_toy):
    def refuse(work):
        if work.attempt == 1:
            raise StepError("LLM_RATE_LIMIT", "Slow down.", retry_after_s=120)

    toy.actions["plan"] = refuse
    run = start_toy()
    serve(run.tenant_id, run.pk)
    step = steps_of(run)["1.planning/plan"]
    wait_s = (step.not_before - step.updated_at).total_seconds()
    assert step.status == "retrying"
    assert 119 <= wait_s <= 131
