"""The mail that asks an owner: what it says, when it goes out, and when it does not."""

from datetime import UTC, datetime

import pytest

from research.db.tenancy import tenant_context
from research.engine.states.escalation_mail import mail_owner, without_answer
from research.engine.states.state_escalation import RULES
from research.models import Escalation, Fallback, Mail
from research.web.review.review_labels import FALLBACKS
from tests.engine.rows import fresh

DEADLINE = datetime(2026, 3, 1, 14, 30, tzinfo=UTC)


@pytest.fixture
def run(start_toy, owner):
    owner.email = "ada@example.org"
    owner.save()
    return start_toy()


def tell(run, *, items=3, topic="How many words?", fallback="continue", asked=None):
    """The mail that there is then; None: there is none."""
    with tenant_context(run.tenant_id):
        run = fresh(run)
        run.topic = topic
        asked = asked or Escalation(
            rule="gaps", deadline=DEADLINE, fallback=fallback, required_action="Look."
        )
        mail_owner(run, asked, items)
        return Mail.objects.filter(kind="asked", ref=str(asked.pk)).first()


def test_the_mail_says_what_is_asked_until_when_and_what_happens_otherwise(run, settings):
    settings.PLUMBLINE_URL = "https://desk.example"
    mail = tell(run)
    assert (mail.to, mail.subject) == ("ada@example.org", "Your decision is needed: How many words?")
    assert mail.body == (
        "You asked: How many words?\n\n"
        "Look.\n\n"
        "There are 3 things to decide.\n\n"
        "Without an answer until 1 March 2026, 14:30 (UTC): "
        "the run goes on, and the report says what it lacks.\n\n"
        f"https://desk.example/runs/{run.pk}/\n"
    )


@pytest.mark.parametrize(
    ("items", "words"),
    [(0, "There are 0 things"), (1, "There is 1 thing"), (2, "There are 2 things")],
)
def test_things_are_counted_in_words(run, items, words):
    assert f"\n{words} to decide.\n" in tell(run, items=items).body


@pytest.mark.parametrize(
    ("fallback", "words"),
    [
        (Fallback.FAIL, "the run ends there; what it has is kept."),
        (Fallback.DEGRADE, "the run goes on, and both sides are presented."),
        (Fallback.CONTINUE, "the run goes on, and the report says what it lacks."),
    ],
)
def test_each_fallback_has_its_words(run, fallback, words):
    assert without_answer(Escalation(fallback=fallback)) == words
    assert f"(UTC): {words}\n" in tell(run, fallback=fallback).body


def test_of_a_pilot_nobody_is_told_that_the_run_goes_on():
    asked = Escalation(rule="pilot_release", fallback=RULES["pilot_release"].fallback)
    assert without_answer(asked) == "the table ends with the rows that are filled."
    assert set(FALLBACKS) == {*Fallback.values, asked.without_answer}


@pytest.mark.parametrize(
    ("topic", "end"),
    [("x" * 79, "x" * 79), ("x" * 80, "x" * 80), ("x" * 81, "x" * 79 + "…")],
)
def test_a_long_question_is_cut_in_the_subject_and_whole_in_the_mail(run, topic, end):
    mail = tell(run, topic=topic)
    assert mail.subject == f"Your decision is needed: {end}"
    assert mail.body.startswith(f"You asked: {topic}\n")


def test_a_question_of_several_lines_makes_one_line_of_the_subject(run):
    assert tell(run, topic="How many\n\n  words?").subject.endswith(": How many words?")


def test_one_question_is_told_once_and_another_again(run, tenant):
    asked = Escalation(rule="gaps", deadline=DEADLINE, fallback="fail", required_action="Look.")
    first, again = tell(run, asked=asked), tell(run, asked=asked)
    assert (first.pk, first.ref) == (again.pk, str(asked.pk))
    assert tell(run).pk != first.pk


def test_whoever_has_no_address_is_not_written_to_and_the_log_says_so(run, owner, caplog):
    owner.email = "nowhere"
    owner.save()
    with caplog.at_level("INFO", "research.engine.states.escalation_mail"):
        assert tell(run) is None
    assert caplog.messages == [f"person_asked run='{run.pk}' rule='gaps' items=3 mail=False"]


def test_the_log_tells_who_was_asked(run, caplog):
    with caplog.at_level("INFO", "research.engine.states.escalation_mail"):
        tell(run, items=2)
    assert caplog.messages == [f"person_asked run='{run.pk}' rule='gaps' items=2 mail=True"]
