"""The words of the log: for all that is stored as a name, and for what followed each failure."""

from typing import get_args

import pytest

from exports.labels.document_labels import DEGRADATIONS, SHORTFALLS
from research.engine.states.state_escalation import RULES as RULES_ASKED
from research.engine.states.state_review_items import MARKING, ON_REQUEST
from research.engine.states.step_failures import DEFINITIONS, Then
from research.llm.budgets.budget_degradations import DegradationCode, Shortfall
from research.models import PILOT_ENDS, EscalationStatus, Fallback, InstructionStatus, PlanTrigger, ReviewAct
from research.web.review import review_labels
from research.web.runs.steering_labels import INSTRUCTIONS
from research.web.runs.trace.log_page_json_schema import TracedEvent
from research.web.runs.trace.log_page_timeline import WHATS, TimelineEntryKind
from research.web.runs.trace.step_failure_labels import FOLLOWS, past_failures, what_follows, without_failures

FAILED = {"attempt": 1, "code": "TIMEOUT", "message": "Slow.", "traceback": "secret"}


@pytest.mark.parametrize(
    ("known", "values"),
    [
        (review_labels.RULES, [*RULES_ASKED, MARKING, ON_REQUEST]),
        (review_labels.FALLBACKS, [*Fallback.values, PILOT_ENDS]),
        (review_labels.ANSWERS, EscalationStatus.values),
        (review_labels.REVIEW_ACTS, ReviewAct.values),
        (INSTRUCTIONS, InstructionStatus.values),
        (review_labels.PLAN_TRIGGERS, PlanTrigger.values),
        (DEGRADATIONS, list(DegradationCode)),
        (SHORTFALLS, list(Shortfall)),
        (WHATS, list(TimelineEntryKind)),
        (FOLLOWS, list(Then)),
    ],
)
def test_every_value_that_is_stored_has_words(known, values):
    assert set(known) == set(values)


def test_the_file_knows_every_kind_of_event():
    kinds = get_args(TracedEvent.model_fields["what"].annotation)
    assert {*kinds, "step"} == {one.value for one in TimelineEntryKind}


@pytest.mark.parametrize(
    ("code", "retry_in_s", "is_last", "said"),
    [
        ("TIMEOUT", 4.2, False, "tried again after 4 seconds"),
        ("TIMEOUT", 1, False, "tried again after 1 second"),
        ("TIMEOUT", 0.4, False, "tried again at once"),
        ("TIMEOUT", None, False, "tried again"),
        ("TIMEOUT", None, True, "the run continues without it"),
        ("EXTRACTION_FAILED", None, True, "the source is skipped"),
        ("INSUFFICIENT_SOURCES", None, True, "the report covers less"),
        ("VERIFICATION_FAILED", None, True, "what did not hold is removed from the report"),
        ("HALLUCINATION_DETECTED", None, True, "the section is written again, strictly"),
        ("SECURITY_VIOLATION", None, True, "the run ends"),
        ("OF_ANOTHER_VERSION", None, True, "the run continues without it"),
    ],
)
def test_what_followed_a_failure_is_said_by_its_definition(code, retry_in_s, is_last, said):
    assert what_follows(code, retry_in_s, is_last=is_last) == said


@pytest.mark.parametrize("code", DEFINITIONS)
def test_whatever_fails_something_follows(code):
    assert what_follows(code, None, is_last=True)


def test_past_failures_are_told_in_their_order_without_their_tracebacks():
    output = {"failures": [FAILED | {"retry_in_s": 2.0}, FAILED | {"attempt": 2, "retry_in_s": None}]}
    told = past_failures(output)
    assert [str(one) for one in told] == [
        "Attempt 1 failed: Slow. (TIMEOUT): tried again after 2 seconds",
        "Attempt 2 failed: Slow. (TIMEOUT): the run continues without it",
    ]
    assert "secret" not in "".join(map(str, told))
    assert without_failures(output | {"found": 1}) == {"found": 1}


def test_a_failure_of_an_earlier_version_was_tried_again_where_the_step_came_to_its_end():
    assert past_failures({"found": 3, "failures": [FAILED]})[0].follows == "tried again"
    assert past_failures({"failures": [FAILED]})[0].follows == "the run continues without it"


@pytest.mark.parametrize("odd", ["x", 7, None, [], [7, "x"], {"a": 1}])
def test_failures_of_no_known_shape_are_left_away(odd):
    assert past_failures({"failures": odd}) == ()
