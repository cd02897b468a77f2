"""Rules for every search provider, asked at a local server that answers as the real service does."""

import threading
from collections.abc import Iterator

import pytest

from config.providers import NEEDED
from research.search.chosen_services import list_configured_services
from research.search.providers.search_catalogue import ENTRIES
from research.search.providers.search_service_entry import Key
from research.search.search_protocol import Hits, SearchCode, SearchError
from tests.fetching.site import Said
from tests.often import one_in
from tests.search.apis.server import Asking, asking
from tests.search.apis.worlds import WORLDS


@pytest.fixture(params=sorted(ENTRIES))
def asked(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with asking(WORLDS[request.param]) as service:
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


def test_results_become_hits(asked):
    wanted = fill(asked, 3)
    assert asked.search() == Hits(tuple(wanted))


def test_as_many_pages_are_asked_for_as_are_needed(asked):
    size = asked.world.page_size
    wanted = fill(asked, 3 * size)
    assert asked.search(most=size + 1).hits == tuple(wanted[: size + 1])
    assert len(asked.calls) == 2


def test_the_last_page_is_the_last(asked):
    size = asked.world.page_size
    wanted = fill(asked, size + 2)
    assert asked.search(most=3 * size).hits == tuple(wanted)


def test_no_more_pages_are_asked_for_than_the_limit(asked):
    most = ENTRIES[asked.world.name].most_pages
    fill(asked, (most + 2) * asked.world.page_size)
    assert len(asked.search(most=10_000).hits) == most * asked.world.page_size
    assert len(asked.calls) == most


def test_nothing_found_is_no_failure(asked):
    assert asked.search() == Hits(())


def test_a_result_of_another_shape_costs_only_itself_and_is_counted(asked):
    fine = asked.world.make(1)
    for odd in asked.world.odd:
        asked.has(odd, asked.world.raw(fine))
        found = asked.search(f"heat {odd}")
        assert (found.hits, found.unreadable) == ((fine.hit,), 1)


def test_who_is_asked_too_often_is_left_alone_for_a_while(asked):
    asked.server.says = lambda call: asked.world.limited
    codes = [error.code for error in asked.failures("heat", "pumps")]
    assert codes == [SearchCode.RATE_LIMITED] * 2
    assert len(asked.calls) == 1


def test_an_answer_that_makes_no_sense_is_a_named_failure(asked):
    for number, body in enumerate(asked.world.nonsense):
        asked.server.says = lambda call, body=body: Said(body, kind="application/json")
        assert failure(asked, f"heat {number}").code is SearchCode.NOT_AVAILABLE, body


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
def test_a_failure_has_its_code(asked, status, code):
    asked.server.says = lambda call: Said("oops", status, headers={"Location": "http://127.0.0.1:1/"})
    assert failure(asked).code == code


def test_a_slow_service_is_given_up(asked):
    let_go = threading.Event()

    def slowly(call) -> Said:
        let_go.wait(20)
        return Said("{}")

    asked.server.says, asked.limit_s = slowly, 0.05
    assert failure(asked).code is SearchCode.TIMEOUT
    let_go.set()


def test_a_later_page_that_fails_leaves_what_was_found_with_a_note(asked):
    size = asked.world.page_size
    wanted = fill(asked, 3 * size)
    answers, first = asked.server.says, []

    def once(call) -> Said:
        first.append(call)
        return answers(call) if len(first) == 1 else Said("", 500)

    asked.server.says = once
    found = asked.search(most=2 * size)
    assert found.hits == tuple(wanted[:size])
    assert found.trouble == (SearchCode.TIMEOUT, "It returned an error (500).")


def test_a_key_is_in_no_address_and_no_message(asked):
    asked.server.says = lambda call: Said("", 401)
    key = asked.world.key
    message = failure(asked).message
    assert not key or key not in message
    assert not key or not any(key in str(call.query) + call.path for call in asked.calls)


def test_it_is_configured_once_it_has_what_it_needs(asked, settings):
    assert list_configured_services() == (asked.world.name,)
    settings.PLUMBLINE_PROVIDER_KEYS, settings.PLUMBLINE_SEARXNG_URL = {}, ""
    assert list_configured_services() == (() if NEEDED[asked.world.name] else (asked.world.name,))
