"""Rules for every search provider, asked at a local server that answers as the real service does."""

import threading
from collections.abc import Iterator

import pytest

from config.search_provider_settings import NEEDED
from research.search.chosen_search_services import list_configured_services
from research.search.providers.search_catalogue import ENTRIES
from research.search.providers.search_service_entry import Key
from research.search.search_protocol import Hits, SearchCode, SearchError
from tests.fetching.site import Said
from tests.often import one_in
from tests.search.apis.server import Asking, serve_world
from tests.search.apis.worlds import WORLDS


@pytest.fixture(params=sorted(ENTRIES))
def provider(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with serve_world(WORLDS[request.param]) as service:
        yield service


def fill(asked: Asking, count: int) -> list:
    """The service has so many results; what must come of them."""
    results = [asked.world.make(number) for number in range(count)]
    asked.has(*map(asked.world.raw, results))
    return [result.hit for result in results]


def failure(asked: Asking, query: str = "heat pumps") -> SearchError:
    [error] = asked.failures(query)
    return error


def test_every_provider_has_its_world_and_a_name_in_the_settings():
    assert set(ENTRIES) == set(WORLDS) == set(NEEDED)


def test_what_the_settings_ask_for_is_what_the_provider_needs():
    needed = {name: "key" if one.key is Key.NEEDED else "" for name, one in ENTRIES.items()}
    own = {name: "address" for name, one in ENTRIES.items() if one.is_inside}
    assert {**needed, **own} == NEEDED


def test_results_become_hits(provider):
    wanted = fill(provider, 3)
    assert provider.search() == Hits(tuple(wanted))


def test_as_many_pages_are_asked_for_as_are_needed(provider):
    size = provider.world.page_size
    wanted = fill(provider, 3 * size)
    assert provider.search(most=size + 1).hits == tuple(wanted[: size + 1])
    assert len(provider.calls) == 2


def test_the_last_page_is_the_last(provider):
    size = provider.world.page_size
    wanted = fill(provider, size + 2)
    assert provider.search(most=3 * size).hits == tuple(wanted)


def test_no_more_pages_are_asked_for_than_the_limit(provider):
    most = ENTRIES[provider.world.name].most_pages
    fill(provider, (most + 2) * provider.world.page_size)
    assert len(provider.search(most=10_000).hits) == most * provider.world.page_size
    assert len(provider.calls) == most


def test_nothing_found_is_no_failure(provider):
    assert provider.search() == Hits(())


def test_a_result_of_another_shape_costs_only_itself_and_is_counted(provider):
    fine = provider.world.make(1)
    for odd in provider.world.odd:
        provider.has(odd, provider.world.raw(fine))
        found = provider.search(f"heat {odd}")
        assert (found.hits, found.unreadable) == ((fine.hit,), 1)


def test_who_is_asked_too_often_is_left_alone_for_a_while(provider):
    provider.server.says = lambda call: provider.world.limited
    codes = [error.code for error in provider.failures("heat", "pumps")]
    assert codes == [SearchCode.RATE_LIMITED] * 2
    assert len(provider.calls) == 1


def test_an_answer_that_makes_no_sense_is_a_named_failure(provider):
    for number, body in enumerate(provider.world.nonsense):
        provider.server.says = lambda call, body=body: Said(body, kind="application/json")
        assert failure(provider, f"heat {number}").code is SearchCode.NOT_AVAILABLE, body


@pytest.mark.parametrize(
    ("status", "code"),
    one_in(
        2,
        [
            (500, "TIMEOUT"),
            (502, "TIMEOUT"),
            (401, "NOT_AVAILABLE"),
            (404, "NOT_AVAILABLE"),
            (302, "NOT_AVAILABLE"),
        ],
    ),
)
def test_a_failure_has_its_code(provider, status, code):
    provider.server.says = lambda call: Said("oops", status, headers={"Location": "http://127.0.0.1:1/"})
    assert failure(provider).code == code


def test_a_slow_service_is_given_up(provider):
    let_go = threading.Event()

    def slowly(call) -> Said:
        let_go.wait(20)
        return Said("{}")

    provider.server.says, provider.limit_s = slowly, 0.05
    assert failure(provider).code is SearchCode.TIMEOUT
    let_go.set()


def test_a_later_page_that_fails_leaves_what_was_found_with_a_note(provider):
    size = provider.world.page_size
    wanted = fill(provider, 3 * size)
    answers, first = provider.server.says, []

    def once(call) -> Said:
        first.append(call)
        return answers(call) if len(first) == 1 else Said("", 500)

    provider.server.says = once
    found = provider.search(most=2 * size)
    assert found.hits == tuple(wanted[:size])
    assert found.trouble == (SearchCode.TIMEOUT, "It returned an error (500).")


def test_a_key_is_in_no_address_and_no_message(provider):
    provider.server.says = lambda call: Said("", 401)
    key = provider.world.key
    message = failure(provider).message
    assert not key or key not in message
    assert not key or not any(key in str(call.query) + call.path for call in provider.calls)


def test_it_is_configured_once_it_has_what_it_needs(provider, settings):
    assert list_configured_services() == (provider.world.name,)
    settings.PLUMBLINE_PROVIDER_KEYS, settings.PLUMBLINE_SEARXNG_URL = {}, ""
    assert list_configured_services() == (() if NEEDED[provider.world.name] else (provider.world.name,))
