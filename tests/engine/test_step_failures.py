"""The failure table and what becomes of exceptions."""

import pytest
from django.db import IntegrityError, OperationalError
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from research.engine.states.step_failures import (
    DEFINITIONS,
    FATAL_CODES,
    Failure,
    StepError,
    failure_of,
    longest_backoff_s,
    retry_delay_s,
    state_retry_delay_s,
)
from research.llm.model_errors import ModelError, Trouble

CODES = st.sampled_from(sorted(DEFINITIONS))


def invalid_shape():
    try:
        TypeAdapter(int).validate_python("x")
    except ValidationError as error:
        return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConnectionResetError("peer"), "NETWORK_ERROR"),
        (TimeoutError(), "TIMEOUT"),
        (OperationalError("gone"), "DATABASE_ERROR"),
        (invalid_shape(), "INVALID_OUTPUT"),
        (IntegrityError("twice"), "INTERNAL_ERROR"),
        (KeyError("typo"), "INTERNAL_ERROR"),
    ],
)
def test_an_unknown_exception_is_classified(error, code):
    assert failure_of(error).code == code


def test_an_expected_failure_keeps_its_code_and_words():
    failure = failure_of(StepError("PAYWALL", "Members only."))
    assert (failure.code, failure.message, failure.traceback) == ("PAYWALL", "Members only.", "")


def test_only_a_bug_carries_a_traceback_and_none_of_it_is_in_the_message():
    try:
        {}["secret"]
    except KeyError as error:
        failure = failure_of(error)
    assert "KeyError: 'secret'" in failure.traceback
    assert "secret" not in failure.message


def test_a_code_that_the_table_does_not_know_is_refused():
    with pytest.raises(ValueError, match="unknown failure code"):
        StepError("WHATEVER", "?")


@pytest.mark.parametrize(
    ("code", "retries"),
    [
        ("INVALID_REQUEST", 0),
        ("INSUFFICIENT_SOURCES", 3),
        ("EXTRACTION_FAILED", 3),
        ("VERIFICATION_FAILED", 2),
        ("HALLUCINATION_DETECTED", 2),
        ("LLM_RATE_LIMIT", 5),
        ("BROWSER_TIMEOUT", 3),
        ("DATABASE_ERROR", 3),
        ("RATE_LIMITED", 3),
        ("TIMEOUT", 2),
        ("BLOCKED", 3),
        ("PAYWALL", 0),
        ("CAPTCHA", 0),
    ],
)
def test_each_code_is_retried_as_often_as_the_specification_says(code, retries):
    failure = Failure(code, "")
    allowed = [retry_delay_s(failure, before) is not None for before in range(retries + 1)]
    assert allowed == [True] * retries + [False]


def test_the_four_codes_that_end_a_run():
    named = {"INVALID_REQUEST", "BUDGET_EXCEEDED_HARD", "DATA_CORRUPTION", "SECURITY_VIOLATION"}
    assert named <= FATAL_CODES


def test_rate_limits_back_off_by_doubling():
    definition = DEFINITIONS["LLM_RATE_LIMIT"]
    assert [longest_backoff_s(definition, before) for before in range(3)] == [10, 20, 40]


@given(CODES, st.integers(0, 6), st.floats(0, 600))
def test_a_delay_lies_within_its_backoff_and_obeys_the_other_side(code, before, retry_after):
    delay = retry_delay_s(Failure(code, "", retry_after_s=retry_after), before)
    longest = longest_backoff_s(DEFINITIONS[code], before)
    assert delay is None or retry_after <= delay <= retry_after + longest


@given(CODES)
def test_a_failure_that_forbids_it_is_not_retried(code):
    assert retry_delay_s(Failure(code, "", retryable=False), 0) is None


@pytest.mark.parametrize(
    ("code", "seconds"),
    [
        ("NO_RESULTS", [0, 0, 0]),
        ("EXTRACTION_FAILED", [2, 2, 2]),
        ("TIMEOUT", [2, 4, 6]),
        ("DATABASE_ERROR", [2, 4, 8]),
    ],
)
def test_each_kind_of_backoff_grows_in_its_way(code, seconds):
    assert [longest_backoff_s(DEFINITIONS[code], before) for before in range(3)] == seconds


def test_delays_are_spread_over_the_whole_of_the_backoff():
    delays = [retry_delay_s(Failure("BROWSER_TIMEOUT", ""), 1) for _try in range(200)]
    assert min(delays) < 1 < 9 < max(delays) <= 10


@pytest.mark.parametrize(("retries", "longest"), [(0, 1), (1, 2), (3, 8)])
def test_a_state_is_tried_again_after_a_time_that_doubles(retries, longest):
    delays = [state_retry_delay_s(retries) for _try in range(200)]
    assert 0 <= min(delays) < longest / 10 < 0.9 * longest < max(delays) <= longest


def test_what_an_exception_says_is_kept_but_not_all_of_a_page():
    assert failure_of(TimeoutError("no answer")).message == "TimeoutError: no answer"
    assert len(failure_of(TimeoutError("x" * 5_000)).message) == 1_000


def test_a_bug_s_words_are_for_the_log():
    assert (
        failure_of(KeyError("x")).message
        == "An internal error stopped this step; the server's log has the details."
    )


def test_an_expected_failure_says_whether_and_when_another_try_is_worth_it():
    failure = failure_of(StepError("BLOCKED", "Later.", retryable=False, retry_after_s=7))
    assert (failure.retryable, failure.retry_after_s) == (False, 7)
    assert failure_of(StepError("BLOCKED", "Later.")).retryable


def test_the_words_of_an_expected_failure_are_those_of_the_exception():
    assert str(StepError("PAYWALL", "Members only.")) == "Members only."


def test_a_failure_is_recorded_whole():
    assert Failure("PAYWALL", "Members only.", traceback="t").record(2) == {
        "attempt": 2,
        "code": "PAYWALL",
        "message": "Members only.",
        "traceback": "t",
        "retry_in_s": None,
    }
    assert Failure("TIMEOUT", "").record(1, 2.3456)["retry_in_s"] == 2.35


def test_a_code_that_ends_the_run_is_fatal_and_no_other():
    assert Failure("SECURITY_VIOLATION", "").is_fatal
    assert not Failure("INTERNAL_ERROR", "").is_fatal


def test_a_model_s_failure_keeps_its_code_its_words_and_when_to_come_back():
    busy = failure_of(ModelError(Trouble.RATE_LIMIT, "Slow down.", retry_after_s=9))
    assert busy == Failure("LLM_RATE_LIMIT", "Slow down.", retryable=True, retry_after_s=9)
    assert not failure_of(ModelError(Trouble.QUOTA, "Empty.")).retryable
