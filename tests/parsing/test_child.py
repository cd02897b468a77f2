from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from research.parsing import parsing_child
from research.parsing.chunking import cut
from research.parsing.parse_document import read
from research.parsing.parsed_document import BlockKind
from research.parsing.parsing_child import read_in_child, start_child, stop_child
from research.runtime.sandbox.sandbox_read_error import ReadError
from research.runtime.sandbox.sandbox_worker import ReaderStartError, SandboxLimits
from tests.often import IS_FULL
from tests.parsing.documents import pdf, prose

# A way to cut that is not linear takes minutes with as many.
WORDS = 1_000_000 if IS_FULL else 200_000
TEXT = b"# Guide\n\nThe password must be long enough that nobody can guess it.\n"


@pytest.fixture(autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    stop_child()


def child_pid() -> int:
    assert parsing_child._child is not None
    return parsing_child._child._process.pid


def test_the_child_reads_what_read_reads() -> None:
    data = pdf([prose("The password must be long enough that nobody can guess it. " * 4)])
    assert read_in_child(data, "a.pdf") == cut(read(data, "a.pdf"))


def test_a_python_that_cannot_be_started_is_told_in_words(monkeypatch, tmp_path) -> None:
    stop_child()
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(ReaderStartError, match="cannot be started"):
        read_in_child(TEXT, "a.md")


def test_a_sentence_without_end_is_cut_within_the_limits() -> None:
    chunks = read_in_child(b"word " * WORDS, "a.txt").chunks
    assert sum(chunk.token_count for chunk in chunks) >= WORDS


def test_one_child_reads_many_documents() -> None:
    read_in_child(TEXT, "a.md")
    first = child_pid()
    read_in_child(TEXT, "b.md")
    assert child_pid() == first


def test_a_child_that_was_started_ahead_reads_the_first_document() -> None:
    start_child()
    [starting] = [thread for thread in threading.enumerate() if thread.name == "parsing-start"]
    starting.join()
    first = child_pid()
    read_in_child(TEXT, "a.md")
    assert child_pid() == first


def test_a_child_that_has_nothing_to_read_ends(monkeypatch) -> None:
    monkeypatch.setattr(parsing_child, "IDLE_S", 0.0)
    read_in_child(TEXT, "a.md")
    for thread in threading.enumerate():
        if thread.name == "parsing-idle":
            thread.join()
    assert parsing_child._child is None
    assert read_in_child(TEXT, "b.md").document.title == "Guide"


def test_a_read_error_comes_back_and_keeps_the_child() -> None:
    with pytest.raises(ReadError) as error:
        read_in_child(b"", "empty.md")
    first = child_pid()
    assert error.value.code == "empty"
    assert read_in_child(TEXT, "a.md").document.blocks[0].kind is BlockKind.HEADING
    assert child_pid() == first


def test_a_killed_child_costs_one_document_only() -> None:
    read_in_child(TEXT, "a.md")
    os.kill(child_pid(), 9)
    assert read_in_child(TEXT, "b.md").document.title == "Guide"


def test_a_document_that_needs_too_much_memory_is_refused() -> None:
    with pytest.raises(ReadError) as error:
        read_in_child(b"One word after the other. " * 500_000, "huge.txt", SandboxLimits(memory=330 << 20))
    assert error.value.code == "memory"
    assert read_in_child(TEXT, "a.md").document.title == "Guide"


def test_a_document_that_takes_too_long_is_given_up() -> None:
    slow = b"Text of some length with words. " * 1_000_000
    with pytest.raises(ReadError) as error:
        read_in_child(slow, "slow.txt", SandboxLimits(wall_seconds=0.2))
    assert error.value.code == "timeout"
    assert "slow.txt" in error.value.message


def test_processor_time_is_limited_for_each_document() -> None:
    slow = "\n\n".join(f"Word {number}. And more of it." for number in range(400_000)).encode()
    with pytest.raises(ReadError) as error:
        read_in_child(slow, "slow.txt", SandboxLimits(cpu_seconds=1))
    assert error.value.code == "timeout"


def test_an_answer_that_is_too_long_is_refused() -> None:
    with pytest.raises(ReadError) as error:
        read_in_child(TEXT * 50, "a.md", SandboxLimits(bytes_out=100))
    assert error.value.code == "unreadable"


def test_a_huge_document_is_not_even_sent() -> None:
    with pytest.raises(ReadError) as error:
        read_in_child(TEXT, "a.md", SandboxLimits(bytes_in=10))
    assert error.value.code == "too_large"


def test_the_child_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    read_in_child(TEXT, "a.md")
    with open(f"/proc/{child_pid()}/environ", "rb") as environment:
        assert b"canary" not in environment.read()


def test_a_fresh_child_follows_after_so_many_documents() -> None:
    limits = SandboxLimits(documents=1)
    read_in_child(TEXT, "a.md", limits)
    first = child_pid()
    read_in_child(TEXT, "b.md", limits)
    assert child_pid() != first
