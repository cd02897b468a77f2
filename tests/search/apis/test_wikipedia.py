"""Behaviour of Wikipedia alone, or of its provider."""

from collections.abc import Iterator

import pytest

from research.search.search_protocol import SearchCode
from tests.fetching.site import Said
from tests.search.apis.server import PAUSE, Asking, serve_world
from tests.search.apis.wikipedia import WORLD, build_failure, make


@pytest.fixture
def wikipedia() -> Iterator[Asking]:
    """Each language at a path of its own."""
    with serve_world(WORLD, "/{language}") as service:
        yield service


def languages(wikipedia: Asking) -> list[str]:
    return [call.path.split("/")[1] for call in wikipedia.calls]


def test_without_a_region_english_is_asked(wikipedia):
    wikipedia.search()
    assert languages(wikipedia) == ["en"]


@pytest.mark.parametrize(
    ("region", "asked"), [("de", ["de", "en"]), ("us", ["en"]), ("fr-CH", ["fr", "en"]), ("eu", ["en"])]
)
def test_the_language_of_the_region_comes_first_and_then_english(wikipedia, region, asked):
    wikipedia.search(region=region)
    assert languages(wikipedia) == asked


def test_articles_have_the_address_of_their_language(wikipedia):
    wikipedia.has(WORLD.raw(make(1)))
    found = [hit.url for hit in wikipedia.search(region="de").hits]
    assert found == [f"https://{one}.wikipedia.org/wiki/Heat_pump_1" for one in ("de", "en")]


def test_english_is_not_asked_where_the_region_has_enough(wikipedia):
    wikipedia.has(*(WORLD.raw(make(number)) for number in range(40)))
    wikipedia.search(region="de", most=30)
    assert languages(wikipedia) == ["de"]


def test_a_title_of_any_script_becomes_an_address(wikipedia):
    wikipedia.has({"title": "Wärmepumpe & Co.? (Heizung)"})
    [hit] = wikipedia.search().hits
    assert hit.url == "https://en.wikipedia.org/wiki/W%C3%A4rmepumpe_%26_Co.%3F_(Heizung)"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (build_failure("badvalue"), SearchCode.INVALID_QUERY), (build_failure("maxlag"), SearchCode.RATE_LIMITED),
        (build_failure("cirrussearch-too-busy-error"), SearchCode.RATE_LIMITED), (PAUSE, SearchCode.RATE_LIMITED),
        (Said('{"error": {"code": "ratelimited"}}'), SearchCode.RATE_LIMITED),
    ],
)  # fmt: skip
def test_its_own_failures_have_a_code(wikipedia, said, code):
    wikipedia.server.says = lambda call: said
    assert wikipedia.failures("heat")[0].code is code
