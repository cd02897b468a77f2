"""export: the report as a file."""

import json

import pytest

from research.agents.tools.tool_interface import ToolCode
from research.storage.object_store import get_object
from tests.tools.conftest import add_source


def test_the_report_is_written_as_json(hand):
    made = hand.use("export", format="json")
    assert json.loads(get_object(made.key))["run"] == str(hand.run_id)
    assert made.size == len(get_object(made.key))


def test_formats_that_are_not_there_yet_say_so(hand):
    assert hand.error("export", format="pptx") is ToolCode.NOT_AVAILABLE


def test_the_list_of_sources_may_be_left_out(hand):
    add_source(hand, "a", "Words.", title="Notes")
    full, bare = (hand.use("export", sources=wanted) for wanted in (True, False))
    listed = [json.loads(get_object(made.key))["sources"] for made in (full, bare)]
    assert ([one["title"] for one in listed[0]], listed[1]) == (["Notes"], [])


def test_the_same_report_is_the_same_file(hand):
    assert hand.use("export") == hand.use("export")


@pytest.mark.parametrize("given", [{"format": "exe"}, {"sources": "perhaps"}, {"path": "/etc/passwd"}])
def test_what_is_no_format_is_refused(hand, given: dict):
    assert hand.error("export", **given) is ToolCode.INVALID_ARGUMENTS


def test_a_file_that_cannot_be_kept_says_why(hand, settings, tmp_path):
    (tmp_path / "objects").write_text("No folder.")
    settings.MEDIA_ROOT = str(tmp_path)
    problem = hand.failure("export")
    assert (problem.code, "could not be stored" in problem.message) == (ToolCode.EXTRACTION_FAILED, True)
