"""Each attempt ends in a result or in a logged failure."""

import pytest
from django.db import connection

from research.engine.error_boundary import attempt, attempt_each, drop_broken_connection
from research.engine.states.step_failures import StepError


def explode():
    raise ZeroDivisionError("of nothing")


def refuse():
    raise StepError("NO_RESULTS", "Nothing was found.")


def test_what_succeeds_is_what_comes_back(caplog):
    assert attempt(lambda: 7) == 7
    assert caplog.messages == []


def test_an_expected_failure_is_told_without_its_traceback(caplog):
    failure = attempt(refuse)
    assert (failure.code, failure.message) == ("NO_RESULTS", "Nothing was found.")
    assert caplog.messages == ["attempt_failed code='NO_RESULTS' error='StepError'"]
    assert caplog.records[0].levelname == "WARNING"
    assert caplog.records[0].exc_info is None


def test_a_bug_is_told_with_its_traceback(caplog):
    failure = attempt(explode)
    assert "explode" in failure.traceback
    assert caplog.messages[0].startswith(f"attempt_failed code='{failure.code}' error='ZeroDivisionError'")
    assert caplog.records[0].exc_info[0] is ZeroDivisionError


def test_of_several_each_has_its_turn_whatever_the_others_do():
    assert list(attempt_each([explode, lambda: 7, refuse, lambda: 8])) == [7, 8]


def test_what_ends_the_process_is_nobody_s_failure():
    def leave():
        raise SystemExit

    with pytest.raises(SystemExit):
        attempt(leave)


@pytest.mark.django_db(transaction=True)
def test_after_a_broken_connection_the_next_statement_works():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        first = cursor.fetchone()
    connection.connection.close()
    connection.errors_occurred = True
    drop_broken_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() != first
