"""Behaviour of GitHub or Stack Exchange alone, or of their providers."""

from collections.abc import Iterator
from datetime import date

import pytest

from research.search.search_protocol import SearchCode
from research.search.search_service_client import MAX_PAUSE_S, PAUSE_S
from tests.fetching.site import Said
from tests.search.apis import github, stackexchange
from tests.search.apis.server import KEY, Asking, serve_world


@pytest.fixture
def repositories() -> Iterator[Asking]:
    with serve_world(github.WORLD) as service:
        yield service


@pytest.fixture
def code() -> Iterator[Asking]:
    with serve_world(github.CODE_WORLD) as service:
        yield service


@pytest.fixture
def questions() -> Iterator[Asking]:
    with serve_world(stackexchange.WORLD) as service:
        yield service


def test_repositories_are_those_that_were_worked_on_since(repositories):
    repositories.search("heat pumps", published_from=date(2024, 5, 1))
    assert repositories.calls[0].word("q") == "heat pumps pushed:>=2024-05-01"


def test_a_query_is_words_and_no_qualifier_or_operator(repositories):
    repositories.search("heat OR user:octocat (pumps) C++ .net @angular/core")
    assert repositories.calls[0].word("q") == "heat user octocat pumps C++ .net @angular/core"


def test_a_long_query_is_as_long_as_github_takes(repositories):
    repositories.search("heat " * 100)
    assert len(repositories.calls[0].word("q")) <= 256


def test_repositories_need_no_token_and_use_one(repositories, settings):
    repositories.search("heat")
    settings.PLUMBLINE_PROVIDER_KEYS = {"github": KEY}
    repositories.search("pumps")
    assert [call.headers.get("authorization") for call in repositories.calls] == [None, f"Bearer {KEY}"]


def test_code_is_asked_for_with_the_lines_that_match(code):
    code.search()
    assert code.calls[0].headers["accept"] == "application/vnd.github.text-match+json"


def test_code_without_matching_lines_is_a_hit(code):
    bare = github.raw_file(github.file(1))
    del bare["text_matches"]
    code.has(bare)
    assert code.search().hits[0].snippet == ""


def get_pause(asked: Asking, said: Said) -> tuple[SearchCode, float | None]:
    asked.server.says = lambda call: said
    [error] = asked.failures("heat")
    return error.code, error.pause_s


def test_a_spent_limit_is_waited_out_until_the_second_that_github_names(repositories):
    code, pause_s = get_pause(repositories, github.build_limit(50))
    assert code is SearchCode.RATE_LIMITED
    assert pause_s is not None
    assert 40 <= pause_s <= 51


@pytest.mark.parametrize("reset", ["", "soon", "-5"])
def test_a_limit_without_a_second_is_still_one(repositories, reset):
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    assert get_pause(repositories, Said("{}", 403, headers=headers)) == (SearchCode.RATE_LIMITED, PAUSE_S)


def test_the_second_limit_of_github_is_a_limit_too(repositories):
    words = '{"message": "You have exceeded a secondary rate limit."}'
    assert get_pause(repositories, Said(words, 403)) == (SearchCode.RATE_LIMITED, PAUSE_S)
    code, pause_s = get_pause(repositories, Said("{}", 403, headers={"Retry-After": "90"}))
    assert (code, pause_s) == (SearchCode.RATE_LIMITED, 90.0)


def test_a_refusal_that_is_no_limit_is_none(repositories):
    assert get_pause(repositories, Said('{"message": "Forbidden"}', 403))[0] is SearchCode.NOT_AVAILABLE


def test_a_query_that_github_does_not_take_is_named(repositories):
    assert get_pause(repositories, github.refusal())[0] is SearchCode.INVALID_QUERY


def test_questions_are_those_asked_since(questions):
    questions.search(published_from=date(2024, 5, 1))
    assert questions.calls[0].word("fromdate") == "1714521600"


def test_the_key_of_stack_exchange_is_a_parameter(questions, settings):
    settings.PLUMBLINE_PROVIDER_KEYS = {"stackexchange": KEY}
    questions.search()
    assert questions.calls[0].word("key") == KEY


def test_a_pause_that_comes_with_results_is_obeyed(questions):
    results = [stackexchange.raw(stackexchange.question(1))]
    questions.server.says = lambda call: stackexchange.answer(call, results, backoff=30)
    first, second = questions.answers(["heat", "pumps"])
    assert len(first.hits) == 1
    assert second.code is SearchCode.RATE_LIMITED
    assert len(questions.calls) == 1


def test_a_quota_that_is_spent_until_tomorrow_is_looked_at_again_within_the_hour(questions):
    assert get_pause(questions, stackexchange.WORLD.limited) == (SearchCode.RATE_LIMITED, MAX_PAUSE_S)


@pytest.mark.parametrize(
    ("number", "name", "code"),
    [
        (500, "internal_error", "TIMEOUT"),
        (503, "temporarily_unavailable", "TIMEOUT"),
        (400, "bad_parameter", "INVALID_QUERY"),
    ],
)  # fmt: skip
def test_a_number_of_stack_exchange_says_what_is_wrong(questions, number, name, code):
    assert get_pause(questions, stackexchange.refusal(number, name, "words"))[0] == code


def test_a_question_without_code_is_told_apart(questions):
    questions.has({"link": "https://stackoverflow.com/q/1", "title": "Why?", "body": "<p>Because.</p>"})
    assert not questions.search().hits[0].has_code
