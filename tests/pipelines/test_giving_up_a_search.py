"""A search that no provider answered is tried again, or given up."""

import pytest

from research.pipelines.report.collecting.collect_report_sources_from_web import (
    MAX_WAIT_S,
    build_search_error,
)
from research.search.ask_search_providers import ProviderResults, SkippedProvider
from research.search.search_protocol import SearchCode

BUSY = SkippedProvider("brave", SearchCode.RATE_LIMITED, "It received too many requests (429).", 60.0)
BUSIER = SkippedProvider("ddgs", SearchCode.RATE_LIMITED, "It asks for a CAPTCHA (202).", 600.0)
SLOW = SkippedProvider("searxng", SearchCode.TIMEOUT, "It returned an error (500).")
AWAY = SkippedProvider("wikipedia", SearchCode.NOT_AVAILABLE, "It could not be reached.")


def read_retry(*skipped: SkippedProvider) -> tuple[str, bool, float | None]:
    """Code, whether it is tried again at all, and the least time until then."""
    error = build_search_error(ProviderResults((), skipped))
    return error.code, error.retryable, error.retry_after_s


@pytest.mark.parametrize(
    ("skipped", "wanted"),
    [
        ([AWAY], ("NO_RESULTS", True, None)),
        ([AWAY, SLOW, BUSIER], ("TIMEOUT", True, None)),
        ([BUSIER, BUSY, AWAY], ("RATE_LIMITED", True, 60.0)),
        ([BUSIER], ("RATE_LIMITED", False, 600.0)),
    ],
)
def test_the_one_that_will_be_back_first_decides(skipped, wanted):
    assert MAX_WAIT_S < 600
    assert read_retry(*skipped) == wanted


def test_everybody_s_reason_is_told():
    message = build_search_error(ProviderResults((), (AWAY, BUSY))).message
    assert message == "wikipedia: It could not be reached.; brave: It received too many requests (429)."
