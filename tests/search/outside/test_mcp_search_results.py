"""Tools answer in the shapes that servers have: typed, JSON in texts, paragraphs, links."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, ResourceLink, TextContent

from config.mcp_server_settings import McpTool
from research.models import SourceType
from research.search.mcp_tools.mcp_search_results import read, says_nothing_found

TOOL = McpTool(name="find")
PAGE = {
    "url": "https://a.example/",
    "title": "Heat",
    "description": "Words.",
    "published": "2024-05-01T10:00:00Z",
}


def make_result(*texts: str, **more: object) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text) for text in texts], **more)


def urls(result: CallToolResult, tool: McpTool = TOOL) -> list[str]:
    return [hit.url for hit in read(result, tool).hits]


@pytest.mark.parametrize(
    "value",
    [PAGE, [PAGE], {"results": [PAGE]}, {"web": {"results": [PAGE]}}, {"data": [{"items": [PAGE]}]},
     {"total": 1, "query": {"q": "heat"}, "hits": [PAGE]}],
)  # fmt: skip
def test_results_are_found_wherever_they_stand_in_json(value):
    [hit] = read(make_result(json.dumps(value)), TOOL).hits
    assert (hit.url, hit.title, hit.snippet) == ("https://a.example/", "Heat", "Words.")
    assert hit.published == "2024-05-01"


def test_typed_results_go_before_the_same_in_words():
    typed = {"results": [PAGE]}
    assert urls(make_result("see https://b.example/", structured_content=typed)) == ["https://a.example/"]


def test_typed_content_without_results_leaves_the_words():
    assert urls(make_result(json.dumps(PAGE), structured_content={"result": "see below"})) == [
        "https://a.example/"
    ]


def test_fields_of_other_names_are_named_in_the_setting():
    fields = {"url": "address", "title": "heading", "snippet": "said", "published": "day"}
    tool = McpTool.model_validate({"name": "find", "results": "data.rows", "fields": fields})
    row = {"address": "https://a.example/", "heading": "Heat", "said": "Words.", "day": "2024-05", "url": "x"}
    [hit] = read(make_result(json.dumps({"data": {"rows": [row]}, "url": "https://b.example/"})), tool).hits
    assert (hit.url, hit.title, hit.snippet, hit.published) == (
        "https://a.example/",
        "Heat",
        "Words.",
        "2024-05",
    )


def test_a_result_without_an_address_costs_itself_and_is_counted():
    found = read(make_result(json.dumps([PAGE, {"title": "nowhere"}, {"url": "mailto:x"}, 7])), TOOL)
    assert (len(found.hits), found.unreadable) == (1, 2)


def test_markup_in_titles_is_taken_out():
    one = {**PAGE, "title": "<strong>Heat</strong> &amp; cold", "description": "A <b>word</b>"}
    [hit] = read(make_result(json.dumps(one)), TOOL).hits
    assert (hit.title, hit.snippet) == ("Heat & cold", "A word")


def test_paragraphs_that_name_a_title_and_an_address_are_results():
    text = "Title: Heat\nDescription: Words.\nURL: https://a.example/\n\nTitle: Cold\nURL: https://b.example/"
    assert urls(make_result(text)) == ["https://a.example/", "https://b.example/"]
    assert read(make_result(text), TOOL).hits[0].snippet == "Words."


def test_links_of_markdown_are_results_with_the_words_that_follow():
    text = "1. [Heat](https://a.example/x) - All of it.\n2. [Cold](https://b.example/) - None of it."
    [first, second] = read(make_result(text), TOOL).hits
    assert (first.title, first.snippet) == ("Heat", "All of it.")
    assert (second.url, second.snippet) == ("https://b.example/", "None of it.")


def test_bare_addresses_are_results_when_there_is_nothing_better():
    assert urls(make_result("See https://a.example/x, and (https://b.example/).")) == [
        "https://a.example/x",
        "https://b.example/",
    ]


def test_links_to_resources_are_results():
    link = ResourceLink(uri="https://a.example/", name="heat", title="Heat", description="Words.")
    [hit] = read(CallToolResult(content=[link]), TOOL).hits
    assert (hit.url, hit.title, hit.snippet) == ("https://a.example/", "Heat", "Words.")


def test_a_file_of_a_repository_goes_by_both_names():
    tool = McpTool(name="search_code", types=frozenset({"code"}))
    item = {
        "path": "a/b.py",
        "html_url": "https://github.com/x/y/blob/z/a/b.py",
        "repository": {"full_name": "x/y"},
    }
    [hit] = read(make_result(json.dumps({"items": [item]})), tool).hits
    assert (hit.title, hit.source_type, hit.has_code) == ("x/y: a/b.py", SourceType.CODE, True)


@pytest.mark.parametrize("text", ["No web results found", "no matches.", "Nothing found"])
def test_nothing_found_is_told_from_a_refusal(text):
    assert says_nothing_found(make_result(text))
    assert not says_nothing_found(make_result("401: no such key"))


@given(st.lists(st.text(max_size=200), max_size=3))
def test_whatever_a_server_says_in_words_does_no_harm(texts):
    for hit in read(make_result(*texts), TOOL).hits:
        assert "\n" not in hit.title


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["url", "title", "results", "x"]), inner, max_size=4)
        ),
    )
)
def test_whatever_shape_typed_content_has_does_no_harm(value):
    found = read(make_result(structured_content=value), TOOL)
    assert all(hit.url.startswith(("http://", "https://")) or "." in hit.url for hit in found.hits)


def test_deep_nesting_does_no_harm():
    assert urls(make_result('{"a":' * 5_000 + "1" + "}" * 5_000)) == []
