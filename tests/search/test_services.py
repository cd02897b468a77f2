"""The chosen search services: reached through the guard, left alone when they are away, absent ones named."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from research.agents.tools.tool_interface import ToolCode
from research.search.ask_search_providers import ask_all, search_all
from research.search.chosen_search_services import list_configured_services
from research.search.providers.search_catalogue import ENTRIES
from research.search.providers.search_service_entry import ProviderEntry, ResultPage
from research.search.search_hits import hit
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchType
from research.search.search_services import Services
from tests.fetching.site import Said
from tests.search.apis.server import run_server

TENANT = UUID(int=1)
WEB = Filters(SearchType.WEB)


async def one_page(api, query, filters, which) -> ResultPage:
    reply = await api.get("/search", {"q": query})
    return ResultPage(tuple(hit(url, url, "") for url in reply.body.decode().split()))


PUBLIC = ProviderEntry("public", one_page, frozenset({SearchType.WEB}), "http://127.0.0.1:1")


def ask(entries: Sequence[ProviderEntry], *queries: str, names: Sequence[str] = (), filters: Filters = WEB):
    async def act():
        services = Services(entries)
        try:
            return [await search_all(services.of(TENANT, names), query, filters) for query in queries]
        finally:
            await services.aclose()

    return asyncio.run(act())


def codes(found) -> list[tuple[str, str]]:
    return [(one.provider, one.code) for one in found.skipped]


@pytest.mark.parametrize(
    "place", ["http://127.0.0.1:8080", "http://169.254.169.254", "http://10.0.0.1", "http://localhost:8080"]
)
def test_a_public_service_is_never_asked_inside(place):
    [found] = ask([replace(PUBLIC, base_url=place)], "heat")
    assert codes(found) == [("public", "NOT_AVAILABLE")]
    assert "Its address cannot be used: " in found.skipped[0].message


def test_the_operators_own_server_may_be_inside(settings):
    with run_server(lambda call: Said("https://a.example/ https://b.example/")) as server:
        settings.PLUMBLINE_SEARXNG_URL = server.base
        own = replace(PUBLIC, name="searxng", is_inside=True)
        [found] = ask([own], "heat")
    assert [one.url for one in found.hits] == ["https://a.example/", "https://b.example/"]


def test_a_service_that_cannot_be_reached_is_left_alone_for_some_minutes():
    first, second = ask([replace(PUBLIC, base_url="http://nowhere.invalid")], "heat", "pumps")
    assert codes(first) == codes(second) == [("public", "NOT_AVAILABLE")]
    assert "the next attempt is in 5 min" in second.skipped[0].message


@pytest.mark.parametrize(
    ("contact", "agent"),
    [
        ("", "Plumbline/0.1 (research with cited sources)"),
        ("ops@plumbline.example", "Plumbline/0.1 (research with cited sources; ops@plumbline.example)"),
    ],
)
def test_a_public_service_is_told_who_asks(settings, contact, agent):
    settings.PLUMBLINE_ALLOW_LOOPBACK, settings.PLUMBLINE_CONTACT = True, contact
    with run_server(lambda call: Said("https://a.example/")) as server:
        ask([replace(PUBLIC, base_url=server.base)], "heat")
    assert server.calls[0].headers["user-agent"] == agent


def test_a_redirect_is_not_followed(settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    with run_server(lambda call: Said("", 302, headers={"Location": "/elsewhere"})) as server:
        [found] = ask([replace(PUBLIC, base_url=server.base)], "heat")
    assert (codes(found), len(server.calls)) == ([("public", "NOT_AVAILABLE")], 1)


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_an_answer_that_cannot_be_unpacked_is_a_named_failure(settings, encoding):
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    with run_server(lambda call: Said(b"nonsense", headers={"Content-Encoding": encoding})) as server:
        [found] = ask([replace(PUBLIC, base_url=server.base)], "heat")
    assert codes(found) == [("public", "TIMEOUT")]


def test_what_a_service_cannot_filter_is_filtered_afterwards(settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    pages = "https://a.example/1 https://x.bad.example/2 https://c.example/3 https://a.example/4"
    filters = Filters(
        SearchType.WEB, excluded_domains=frozenset({"bad.example"}), allowed_domains=frozenset({"a.example"})
    )
    with run_server(lambda call: Said(pages)) as server:
        [found] = ask([replace(PUBLIC, base_url=server.base)], "heat", filters=filters)
    assert [one.url for one in found.hits] == ["https://a.example/1", "https://a.example/4"]


def test_a_provider_that_was_chosen_and_is_gone_is_named():
    [found] = ask([PUBLIC], "heat", names=["brave"])
    assert codes(found) == [("brave", "NOT_AVAILABLE")]


def test_who_was_not_chosen_is_not_asked():
    async def act():
        services = Services([PUBLIC, replace(PUBLIC, name="other")])
        answers = await ask_all(services.of(TENANT, ["other"]), ["heat"], WEB)
        await services.aclose()
        return answers

    assert [one.provider for one in asyncio.run(act()).skipped] == ["other"]


@pytest.mark.parametrize("chosen", [("auto",), ("searxng", "auto")])
def test_auto_is_all_that_have_what_they_need(settings, chosen):
    settings.PLUMBLINE_PROVIDERS = chosen
    keyless = {name for name in ENTRIES if name != "searxng" and ENTRIES[name].key != "needed"}
    assert set(list_configured_services()) == keyless
    settings.PLUMBLINE_SEARXNG_URL = "http://searxng:8080"
    assert set(list_configured_services()) == keyless | {"searxng"}


def test_none_is_none(settings):
    settings.PLUMBLINE_PROVIDERS, settings.PLUMBLINE_SEARXNG_URL = (), "http://searxng:8080"
    assert list_configured_services() == ()


def test_the_codes_are_those_of_the_search_tool():
    assert {code.value for code in SearchCode} <= {code.value for code in ToolCode}


# --- limits of time ---


def test_a_name_that_is_not_looked_up_in_time_leads_nowhere(monkeypatch):
    """Without a network some resolvers take half a minute to say so."""

    async def never(*_question: object, **_more: object) -> list:
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr("research.search.search_service_client.LOOKED_UP_S", 0.01)
    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", never)
    [found] = ask([replace(PUBLIC, base_url="http://slow.example")], "heat")
    assert codes(found) == [("public", "NOT_AVAILABLE")]


def endless(pages_before: int) -> ProviderEntry:
    """A service whose next page never comes."""

    async def page(api, query, filters, which) -> ResultPage:
        number = int(which or 0)
        if number == pages_before:
            await asyncio.Event().wait()
        return ResultPage((hit(f"https://{number}.example/", "", ""),), following=str(number + 1))

    return replace(PUBLIC, page=page, most_pages=10)


def within(entry: ProviderEntry, limit_s: float):
    async def act():
        services = Services([entry])
        try:
            return await search_all(services.of(TENANT, limit_s=limit_s), "heat", WEB)
        finally:
            await services.aclose()

    return asyncio.run(act())


def test_a_search_that_takes_too_long_is_given_up():
    found = within(endless(0), 0.05)
    assert (found.hits, codes(found)) == ((), [("public", "TIMEOUT")])


def test_what_was_there_by_then_is_kept_with_a_note():
    found = within(endless(2), 0.2)
    assert [one.domain for one in found.hits] == ["0.example", "1.example"]
    assert codes(found) == [("public", "TIMEOUT")]


def of_ten(results: int, asked: list[list[str]], fails_at: str = "") -> ProviderEntry:
    """A numbered service with so many results, ten a page; `asked`: the pages that were on their way at one time."""
    going: list[str] = []

    async def page(api, query, filters, which) -> ResultPage:
        number = int(which or 1)
        going.append(str(number))
        await asyncio.sleep(0)
        asked.append(list(going))
        await asyncio.sleep(0)
        going.remove(str(number))
        if query == fails_at:
            raise SearchError(SearchCode.TIMEOUT, "None of its engines answered.")
        places = range(10 * (number - 1), min(10 * number, results))
        hits = tuple(hit(f"https://{place}.{query}.example/", "", "") for place in places)
        return ResultPage(hits, following=str(number + 1) if hits else "")

    # An address of its own: results are kept where a Valkey of other tests runs, and nobody would be asked.
    return replace(PUBLIC, page=page, is_numbered=True, base_url=f"{PUBLIC.base_url}/{uuid4()}")


@pytest.fixture
def no_sizes(monkeypatch):
    monkeypatch.setattr("research.search.providers.search_service_entry._page_sizes", {})


def test_how_full_pages_are_is_learned_and_then_all_are_asked_for_at_once(no_sizes):
    asked: list[list[str]] = []
    first, second = ask([of_ten(40, asked)], "heat", "cold", filters=replace(WEB, most=25))
    assert len(first.hits) == len(second.hits) == 25
    assert [max(asked[:3], key=len), max(asked[3:], key=len)] == [["2", "3"], ["1", "2", "3"]]


def test_pages_that_are_not_there_harm_nothing(no_sizes):
    asked: list[list[str]] = []
    many, few = ask([of_ten(12, asked)], "heat", "cold", filters=replace(WEB, most=40))
    assert len(many.hits) == len(few.hits) == 12
    assert codes(many) == codes(few) == []


def test_a_service_that_did_not_answer_is_asked_for_one_page_until_it_does(no_sizes):
    asked: list[list[str]] = []
    service, many = of_ten(40, asked, fails_at="down"), replace(WEB, most=25)
    ask([service], "heat", filters=many)
    asked.clear()
    ask([service], "down", filters=many)  # all at once: it was well
    ask([service], "down", filters=many)
    assert (max(asked[:3], key=len), asked[3:]) == (["1", "2", "3"], [["1"]])
    asked.clear()
    [found] = ask([service], "cold", filters=many)
    assert (len(found.hits), asked[0]) == (25, ["1"])
