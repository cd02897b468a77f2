"""The format of a line of the log."""

from research.runtime.logs import logger


def test_a_line_names_the_event_first_and_then_its_facts(caplog):
    logger("research.trial").warning("broker_away", error="TimeoutError", waiting=3)
    assert caplog.messages == ["broker_away error='TimeoutError' waiting=3"]


def test_no_value_forges_a_line_of_its_own(caplog):
    logger("research.trial").warning("object_lost", error="gone\nERROR root: all is lost\x1b[2J %s")
    (line,) = caplog.messages
    assert line.isprintable()


def test_a_bug_is_logged_with_its_traceback(caplog):
    error = ValueError("no such place")
    logger("research.trial").warning("attempt_failed", exc_info=error)
    assert "ValueError: no such place" in caplog.text
