"""The failure table and what becomes of exceptions."""

import pytest
from django.db import IntegrityError, OperationalError
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from research.lifecycle.failures import (
    DEFINITIONS,
    FATAL_CODES,
    Failure,
    StepError,
    failure_of,
    longest_backoff_s,
    retry_delay_s,
)

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
