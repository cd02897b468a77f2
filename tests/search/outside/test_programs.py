"""Servers that are programs: started when they are needed, asked again and again, and gone when they are bad."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from research.models import SourceType
from research.search.mcp_tools import search_with_mcp_tool
from research.search.search_protocol import Hits, SearchCode, SearchError, SearchType
from tests.often import one_in
from tests.search.outside.asking import Asked, program, run_with_servers

ALL = ["brave_web_search", "search_code", "variables"]


def alone(how: str, **more: object) -> Hits | SearchError:
    """One search of a server that behaves like this."""
    return run_with_servers(lambda asked: asked.search(), one=program("odd_server.py", how, **more))


def test_the_reference_tools_need_no_more_than_their_names():
    since = datetime.now(tz=UTC).date() - timedelta(5)

    async def work(asked: Asked):
        web = await asked.search("heat", "mcp:one:brave_web_search", most=22, published_from=since)
        code = await asked.search("pumps", "mcp:one:search_code", type=SearchType.CODE)
        none = await asked.search("nothing", "mcp:one:brave_web_search")
        return web, code, none

    web, code, none = run_with_servers(work, one=program("server.py", tools=ALL))
    assert [hit.url for hit in web.hits] == [f"https://site-{number}.example/" for number in range(22)]
    assert (web.hits[0].title, web.hits[0].snippet) == ("Page 0", "What 0 says of heat pw.")
    assert (code.hits[3].title, code.hits[3].source_type) == ("heat/pumps: src/pump_3.py", SourceType.CODE)
    assert (len(code.hits), none) == (25, Hits(()))


def test_the_best_repositories_say_themselves_what_they_are():
    async def work(asked: Asked):
        return await asked.search("pumps", "mcp:one", type=SearchType.CODE)

    found = run_with_servers(work, one=program("server.py", tools=["search_repositories"]))
    assert [hit.snippet for hit in found.hits] == [
        "Repository heat/pumps. Read from README.md: heat finds leaks in pumps.",
        "Repository heat/pipes.",  # it has no such file
        "Repository heat/tools.",  # not among the best
    ]


def test_a_program_is_started_once_and_finds_nothing_but_what_is_named(monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", "secret-of-the-operator")

    async def work(asked: Asked):
        return [await asked.search(query) for query in ("heat", "pumps")]

    first, second = run_with_servers(work, one=program("server.py", tools=["variables"], env=["SEARCH_KEY"]))
    assert first.hits[0].url == second.hits[0].url
    assert set(first.hits[0].title.split()) <= {"LC_CTYPE", "PATH", "SEARCH_KEY"}


def test_what_a_program_prints_besides_is_passed_over():
    assert [hit.url for hit in alone("noise").hits] == ["https://after.example/"]


@pytest.mark.parametrize("how", one_in(3, ["dies", "endless", "garbage", "huge", "nonsense", "gone"]))
def test_a_program_that_breaks_off_is_a_named_failure_and_is_left_alone(how):
    async def work(asked: Asked):
        return [await asked.search(query) for query in ("heat", "pumps")]

    first, second = run_with_servers(work, one=program("odd_server.py", how))
    assert (first.code, second.code) == (SearchCode.NOT_AVAILABLE, SearchCode.NOT_AVAILABLE)
    assert "next attempt is in" in second.message


def test_a_program_that_is_not_there_is_a_named_failure():
    server = program("odd_server.py", "gone").model_copy(update={"command": "no-such-program"})
    failure = run_with_servers(lambda asked: asked.search(), one=server)
    assert (failure.code, failure.message) == (SearchCode.NOT_AVAILABLE, "Its program can't be started.")


@pytest.mark.parametrize("how", one_in(2, ["hangs", "mute"]))
def test_a_program_that_does_not_answer_is_given_up(monkeypatch, how):
    monkeypatch.setattr(search_with_mcp_tool, "ANSWER_S", 0.5)
    assert alone(how).code is SearchCode.TIMEOUT


def test_after_its_rest_a_program_is_started_anew(monkeypatch):
    monkeypatch.setattr("research.search.mcp_tools.mcp_search_session.REST_S", 0.0)

    async def work(asked: Asked):
        return [await asked.search(query) for query in ("heat", "pumps")]

    codes = [one.message for one in run_with_servers(work, one=program("odd_server.py", "dies"))]
    assert codes == ["It closed the connection, or its answer was too long."] * 2


def test_what_a_server_refuses_is_told_without_its_key(monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", "secret-of-the-operator")
    failure = alone("refuses", env=["SEARCH_KEY"])
    assert (failure.code, failure.message) == (SearchCode.NOT_AVAILABLE, "It says: 401: the key … is wrong")


@pytest.mark.parametrize(("how", "code"), [("limited", "RATE_LIMITED"), ("no-tool", "NOT_AVAILABLE")])
def test_what_a_server_says_no_to_has_its_code_and_does_not_end_the_conversation(how, code):
    async def work(asked: Asked):
        return [await asked.search(query) for query in ("heat", "pumps")]

    failures = run_with_servers(work, one=program("odd_server.py", how))
    assert [failure.code for failure in failures] == [code, code]
    assert all(failure.message.startswith("It says: ") for failure in failures)


def test_a_program_that_will_not_go_is_ended_with_all_that_it_started():
    async def work(asked: Asked):
        return await asked.search()

    [hit] = run_with_servers(work, one=program("odd_server.py", "stays")).hits
    child = int(hit.domain.removesuffix(".example"))
    assert not is_alive(child)


def is_alive(pid: int) -> bool:
    """A moment may pass until the system has taken it away."""
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.02)
    return True


def test_several_searches_at_once_share_one_program():
    async def work(asked: Asked):
        return await asyncio.gather(*(asked.search(f"heat {number}") for number in range(3)))

    found = run_with_servers(work, one=program("server.py", tools=["variables"], a_minute=6_000))
    assert len({one.hits[0].url for one in found}) == 1


def test_no_program_is_started_before_it_is_needed():
    async def work(asked: Asked):
        return [one.name for one in asked.services.of(uuid4())]

    assert run_with_servers(work, one=program("odd_server.py", "gone")) == ["mcp:one"]
