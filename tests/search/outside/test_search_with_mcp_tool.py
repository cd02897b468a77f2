"""A tool is given arguments for a query, and part of what it says is repeated."""

from datetime import date

import pytest

from config.mcp_server_settings import KNOWN, McpTool
from research.search.mcp_tools.search_with_mcp_tool import MAX_WORDS, arguments, redact_message
from research.search.search_protocol import Filters, SearchType

TODAY = date(2024, 6, 30)
WEB = Filters(SearchType.WEB, most=30)


def build_arguments(tool: McpTool, filters: Filters = WEB, number: int = 0) -> dict[str, object]:
    return arguments(tool, "heat", filters, number, TODAY)


def test_a_tool_of_which_nothing_is_known_gets_the_query():
    assert build_arguments(McpTool(name="find")) == {"query": "heat"}


def test_arguments_have_the_names_that_the_setting_gives_them():
    tool = McpTool(name="find", query="q", most="limit", a_page=10, page="p", fixed={"lang": "en"})
    assert build_arguments(tool) == {"q": "heat", "limit": 10, "lang": "en"}
    assert build_arguments(tool, number=2) == {"q": "heat", "limit": 10, "lang": "en", "p": 3}


def test_a_tool_without_pages_is_asked_for_no_more_than_is_wanted():
    tool = McpTool(name="find", most="limit", a_page=50)
    assert build_arguments(tool, Filters(SearchType.WEB, most=12))["limit"] == 12


@pytest.mark.parametrize(
    ("first", "word"),
    [(date(2024, 6, 29), "pd"), (date(2024, 6, 24), "pw"), (date(2024, 6, 1), "pm"), (date(2023, 9, 1), "py"),
     (date(2010, 1, 1), None)],
)  # fmt: skip
def test_a_range_is_the_narrowest_that_holds_all_that_is_wanted(first, word):
    brave = KNOWN["brave_web_search"]
    assert build_arguments(brave, Filters(SearchType.WEB, first)).get("freshness") == word


def test_a_tool_may_be_told_the_day():
    tool = McpTool.model_validate({"name": "find", "since": {"argument": "after"}})
    assert build_arguments(tool, Filters(SearchType.WEB, date(2024, 5, 1)))["after"] == "2024-05-01"


def test_pages_of_the_reference_tools_are_counted_as_they_count_them():
    assert build_arguments(KNOWN["brave_web_search"], number=1)["offset"] == 1
    assert build_arguments(KNOWN["search_code"], number=1) == {"query": "heat", "perPage": 50, "page": 2}


def test_what_a_server_says_is_repeated_on_one_line_without_secrets():
    said = "The key\n\x00 abc-secret-123 of  Bearer xyz789 is wrong" + "!" * 500
    words = redact_message(said, ["abc-secret-123", "xyz789"])
    assert words.startswith("The key … of Bearer … is wrong!")
    assert len(words) == MAX_WORDS
