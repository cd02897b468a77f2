"""search: over a real library and scripted providers; its limits, and what the run's owner allows."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from research.agents.tools.evidence.tool_source_handles import page_handle
from research.agents.tools.search_tool import search_tool
from research.agents.tools.tool_catalogue import catalogue
from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import AgentMessage, MessageStatus, SourceType
from research.search.search_protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchType,
    fuse_rankings,
)
from tests.tools.conftest import Hand, limits

HEAT = "seasonal performance factor of a heat pump"


def test_a_search_finds_documents_with_their_best_passages(hand):
    [first, *_] = hand.search(HEAT, "heat pump subsidy")
    assert first.relevance == 1.0
    assert first.id.startswith("lib-")
    assert "performance factor" in first.snippet
    assert first.passages


def test_an_undated_document_is_kept_and_said_to_be_so(hand):
    found = hand.use("search", queries=["tomatoes sun water"], time_range="day").results
    assert [one.published for one in found if one.title == "Gardening notes"] == ["date unknown"]


def test_a_dated_document_outside_of_the_time_range_is_left_out(hand):
    titles = {result.title for result in hand.use("search", queries=[HEAT], time_range="year").results}
    assert "Building Policy Guide 1.0" not in titles


def test_excluded_domains_are_left_out(hand):
    found = hand.use("search", queries=[HEAT], exclude_domains=["policy.example"]).results
    assert "policy.example" not in {one.domain for one in found}


def test_a_search_stays_within_the_runs_folders(make_hand):
    assert make_hand(folders=["elsewhere"]).error("search", queries=[HEAT]) is ToolCode.NO_RESULTS


def test_nothing_searches_for_images(hand):
    assert hand.error("search", queries=[HEAT], type="images") is ToolCode.NOT_AVAILABLE


@pytest.mark.parametrize(
    "given",
    [
        {"queries": []},
        {"queries": ["a b"] * 6},
        {"queries": [" "]},
        {"queries": ["x" * 500]},
        {"queries": ["heat"], "max_results": 1000},
        {"queries": ["heat"], "exclude_domains": ["not a domain"]},
        {"queries": ["heat"], "tenant_id": "another"},
    ],
)
def test_a_senseless_search_is_refused(hand, given: dict):
    assert hand.error("search", **given) is ToolCode.INVALID_ARGUMENTS


# --- several providers ---


class Scripted:
    """A provider that finds these, fails, or never answers."""

    def __init__(
        self, *hits: SearchHit, error: Exception | None = None, name: str = "scripted", hangs: bool = False
    ):
        self.hits, self.error, self.name, self.hangs = Hits(hits), error, name, hangs
        self.filters: Filters | None = None
        self.asked: list[str] = []

    def serves(self, kind: SearchType) -> bool:
        return kind is not SearchType.IMAGES

    async def search(self, query: str, filters: Filters) -> Hits:
        self.filters = filters
        self.asked.append(query)
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error
        return self.hits


def hit(number: int, **rest: object) -> SearchHit:
    facts = {"domain": "x.example", "document": UUID(int=number), **rest}
    return SearchHit(f"https://x.example/{number}", f"Page {number}", "Words.", **facts)


def page(address: str, **rest: object) -> SearchHit:
    """Return a page of the web: in no library."""
    return SearchHit(address, address, "Words.", **{"domain": address.split("/")[2], **rest})


@pytest.fixture
def make_search_hand(make_hand):
    """A hand that searches with these providers."""

    def make(*providers: Scripted, **config: object) -> Hand:
        tool = search_tool(lambda step, allowed: providers, lambda: date(2026, 3, 10))
        return replace(make_hand(**config), tools={"search": tool})

    return make


QUERIES = ["heat pumps"]


def titles(hand: Hand, **given: object) -> list[str]:
    return [result.title for result in hand.use("search", **{"queries": QUERIES, **given}).results]


def test_what_several_providers_found_is_fused_by_rank(make_search_hand):
    one, two = Scripted(hit(1), hit(2)), Scripted(hit(2), hit(3))
    assert titles(make_search_hand(one, two)) == ["Page 2", "Page 1", "Page 3"]


def test_every_wording_is_asked_for_once(make_search_hand):
    provider = Scripted(hit(1))
    make_search_hand(provider).use("search", queries=["heat pump", "boiler", "heat pump"])
    assert provider.asked == ["heat pump", "boiler"]


def test_no_more_is_shown_than_was_asked_for(make_search_hand):
    found = make_search_hand(Scripted(*map(hit, range(1, 30)))).use("search", queries=QUERIES, max_results=10)
    assert (len(found.results), found.total) == (10, 29)


def test_one_providers_failure_leaves_what_the_others_found_and_is_told(make_search_hand):
    broken = Scripted(error=SearchError(SearchCode.RATE_LIMITED, "Too many."), name="broken")
    found = make_search_hand(broken, Scripted(hit(1))).use("search", queries=["a pump", "a boiler"])
    assert (found.total, found.unanswered) == (1, ["broken: Too many."])


def test_a_search_in_which_every_provider_failed_fails_as_the_first(make_search_hand):
    broken = Scripted(error=SearchError(SearchCode.RATE_LIMITED, "Too many."))
    assert make_search_hand(broken).error("search", queries=QUERIES) is ToolCode.RATE_LIMITED


def test_a_bug_in_a_provider_is_not_taken_for_a_failure(make_search_hand):
    with pytest.raises(KeyError):
        make_search_hand(Scripted(error=KeyError("x")), Scripted(hit(1))).use("search", queries=QUERIES)


def test_the_time_range_is_counted_from_today(make_search_hand):
    provider = Scripted(hit(1))
    make_search_hand(provider).use("search", queries=QUERIES, time_range="week", region="ch")
    assert provider.filters == Filters(SearchType.WEB, date(2026, 3, 3), "ch", most=60)


def test_what_is_neither_a_document_nor_a_web_address_is_never_named(make_search_hand):
    odd = [
        page("x://y"),
        replace(page("http://y"), url="javascript:alert(1)"),
        replace(page("http://y"), url=""),
    ]
    assert make_search_hand(Scripted(*odd)).error("search", queries=QUERIES) is ToolCode.NO_RESULTS


def test_a_call_is_told_apart_from_another_by_its_search_id(make_search_hand):
    hand = make_search_hand(Scripted(hit(1)))
    first, again, other = (hand.use("search", queries=QUERIES, key=key).search_id for key in ("a", "a", "b"))
    assert first == again != other


def test_twice_as_many_are_asked_for_as_are_wanted(make_search_hand):
    provider = Scripted(hit(1))
    make_search_hand(provider).use("search", queries=QUERIES, max_results=10)
    assert provider.filters.most == 20


DOCUMENTED = {"source_type": SourceType.DOCUMENTATION, "published": "2026-01"}


def test_a_search_for_code_ranks_by_what_helps_a_programmer(make_search_hand):
    hits = [hit(1), hit(2, **DOCUMENTED), hit(3, has_code=True, stars=7), hit(4)]
    found = make_search_hand(Scripted(*hits)).use("search", queries=QUERIES, type="code").results
    assert [(one.title, one.relevance) for one in found] == [
        ("Page 2", 0.9), ("Page 3", 0.7), ("Page 1", 0.5), ("Page 4", 0.5),
    ]  # fmt: skip


def test_the_kinds_that_the_owner_wants_come_first_in_a_search_for_code(make_search_hand):
    hits = [hit(1, source_type=SourceType.CODE), hit(2, source_type=SourceType.DOCUMENTATION)]
    hand = make_search_hand(Scripted(*hits), source_types=["code", "documentation"])
    found = hand.use("search", queries=QUERIES, type="code").results
    assert [(one.title, one.relevance) for one in found] == [("Page 2", 1.0), ("Page 1", 0.8)]


# --- pages of the web ---


def test_a_page_of_the_web_is_named_by_a_handle_of_its_address(make_search_hand):
    [found] = make_search_hand(Scripted(page("https://y.example/a"))).use("search", queries=QUERIES).results
    assert (found.id, found.url) == (page_handle("http://www.y.example/a/"), "https://y.example/a")


def test_spellings_of_one_address_are_one_page(make_search_hand):
    one = Scripted(
        page("https://y.example/a"),
        page("https://www.y.example/a/?utm_source=x"),
        page("https://y.example/b"),
    )
    found = (
        make_search_hand(one, Scripted(page("http://y.example/b#top"))).use("search", queries=QUERIES).results
    )
    assert [each.url for each in found] == ["https://y.example/b", "https://y.example/a"]


def test_a_page_that_the_library_holds_is_found_as_the_librarys(make_search_hand):
    web, library = Scripted(page("http://www.x.example/7")), Scripted(hit(7, passages=(3,)))
    [found] = make_search_hand(web, library).use("search", queries=QUERIES).results
    assert (found.id, found.passages, found.relevance) == ("lib-000000000007", [3], 1.0)


def test_two_documents_of_one_address_stay_two():
    found = fuse_rankings([[hit(1), replace(hit(2), url=hit(1).url)]])
    assert [each.document for each, _ in found] == [UUID(int=1), UUID(int=2)]


def test_nothing_found_is_fused_to_nothing():
    assert fuse_rankings([[], []]) == []


# --- what the owner allows ---


def test_excluded_domains_and_their_subdomains_are_left_out(make_search_hand):
    pages = Scripted(
        page("http://docs.bad.example/1"), page("http://notbad.example/2"), page("http://worse.example/3")
    )
    hand = make_search_hand(pages, excluded_domains=["www.worse.example"])
    assert titles(hand, exclude_domains=["bad.example"]) == ["http://notbad.example/2"]


@pytest.mark.parametrize(
    ("config", "kept"),
    [
        ({"published_from": "2024-05"}, ["2024", "2024-06-01", "2025-01-01", ""]),
        ({"published_to": "2024"}, ["2023", "2024", "2024-01-01", "2024-06-01", ""]),
        ({"published_from": "2024-02", "published_to": "2024-06"}, ["2024", "2024-06-01", ""]),
    ],
)
def test_what_was_published_outside_of_the_owners_dates_is_left_out(
    make_search_hand, config: dict, kept: list[str]
):
    dates = ["2023", "2024", "2024-01-01", "2024-06-01", "2025-01-01", ""]
    pages = [page(f"http://y.example/{number}", published=day) for number, day in enumerate(dates)]
    found = make_search_hand(Scripted(*pages), **config).use("search", queries=QUERIES).results
    assert [one.published for one in found] == [day or "date unknown" for day in dates if day in kept]


def test_pages_of_other_kinds_are_left_out_and_those_of_an_unknown_kind_kept(make_search_hand):
    kinds = [SourceType.NEWS, SourceType.BLOG, SourceType.OTHER]
    pages = [page(f"http://y.example/{kind}", source_type=kind) for kind in kinds]
    hand = make_search_hand(Scripted(*pages), source_types=["news"])
    assert titles(hand) == ["http://y.example/news", "http://y.example/other"]


# --- limits ---


def test_a_search_that_takes_too_long_is_given_up(make_hand):
    with limits(search_s=0):
        tool = search_tool(lambda step, allowed: [Scripted(hangs=True)])
    assert replace(make_hand(), tools={"search": tool}).error("search", queries=QUERIES) is ToolCode.TIMEOUT


def test_a_run_searches_so_often_a_minute_and_no_more(make_search_hand):
    provider = Scripted(hit(1))
    hand, other = make_search_hand(provider), make_search_hand(provider)
    with limits(searches_a_minute=2):
        hand.search(*QUERIES)
        hand.search(*QUERIES)
        assert hand.error("search", queries=QUERIES) is ToolCode.RATE_LIMITED
        assert other.use("search", queries=QUERIES).total == 1
    assert len(provider.asked) == 3


def test_what_was_searched_more_than_a_minute_ago_does_not_count(make_search_hand):
    hand = make_search_hand(Scripted(hit(1)))
    earlier = hand.note("search", hand.use("search", queries=QUERIES))
    with tenant_context(hand.tenant_id):
        AgentMessage.objects.filter(pk=earlier.pk).update(created_at=timezone.now() - timedelta(seconds=61))
    with limits(searches_a_minute=1):
        assert hand.use("search", queries=QUERIES).total == 1


def test_searches_that_were_refused_do_not_count(make_search_hand):
    hand = make_search_hand(Scripted(hit(1)))
    for code in (ToolCode.RATE_LIMITED, ToolCode.INVALID_ARGUMENTS):
        hand.note("search", status=MessageStatus.FAILED, error_code=code.value)
    with limits(searches_a_minute=1):
        assert hand.use("search", queries=QUERIES).total == 1


def test_of_searches_at_once_the_first_ones_are_done(make_search_hand):
    hand = make_search_hand(Scripted(hit(1)))
    for number in (1, 2, 3):
        hand.note("search", key=f"turn.1.call.{number}")
    with limits(searches_a_minute=2):
        assert hand.use("search", queries=QUERIES, key="turn.1.call.2").total == 1
        assert hand.error("search", queries=QUERIES, key="turn.1.call.3") is ToolCode.RATE_LIMITED


def test_the_time_limits_are_the_settings():
    with limits(search_s=7, browse_s=8, extraction_s=9):
        tools = catalogue()
    assert [tools[name].limit_s for name in ("search", "browse", "extract")] == [7, 8, 9]
