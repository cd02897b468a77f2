"""Code is checked in a child with limits: what ends a parser costs one check."""

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.technical.code import check_technical_code_child
from research.pipelines.technical.code.check_technical_code import CodeCheck, CodeCheckStatus
from research.pipelines.technical.code.check_technical_code_child import (
    BROKEN,
    NO_PROCESS,
    TOO_SLOW,
    CodeChecker,
)
from research.runtime.sandbox.sandbox_worker import ReaderStartError, SandboxLimits, SandboxWorker
from research.runtime.sandbox.seccomp import SandboxLayer
from tests.often import often

# The smallest text found at which the grammar ends its process: not each time, it depends on what its memory holds.
CRASHES_BASH = "''{\U000ee3f5"
ENDLESS_TYPESCRIPT = '[$^r"">\U0001f600}f..-T '


class CrashingWorker(SandboxWorker):
    """A child that ends by a segmentation fault with each request."""

    def ask(self, *arguments):
        self._process.send_signal(signal.SIGSEGV)
        self._process.wait()
        return super().ask(*arguments)


@pytest.fixture(scope="module")
def checker():
    with CodeChecker() as checker:
        yield checker


def test_texts_that_break_the_grammar_leave_the_next_one_checked(checker):
    found = {checker.check(CRASHES_BASH + "A" * i, "bash") for i in range(20)}
    assert found <= {CodeCheck(CodeCheckStatus.PASSED), CodeCheck(CodeCheckStatus.UNCHECKED, BROKEN)}
    assert checker.check("echo hello", "bash") == CodeCheck(CodeCheckStatus.PASSED)


def test_a_child_that_crashes_leaves_the_block_unchecked(monkeypatch):
    monkeypatch.setattr(check_technical_code_child, "SandboxWorker", CrashingWorker)
    with CodeChecker() as checker:
        assert checker.check("ls", "bash") == CodeCheck(CodeCheckStatus.UNCHECKED, BROKEN)


def test_a_fresh_child_checks_the_block_when_another_was_killed(checker):
    checker.check("echo hello", "bash")
    checker._child._process.kill()
    assert checker.check("echo hello", "bash") == CodeCheck(CodeCheckStatus.PASSED)


@pytest.mark.parametrize(
    ("code", "language", "outcome"),
    [
        ("print(1)", "python", CodeCheckStatus.PASSED),
        ("print(1", "python", CodeCheckStatus.FAILED),
        ("-" * 19_000 + "1", "python", CodeCheckStatus.FAILED),
        ("a:\n  - b", "yaml", CodeCheckStatus.PASSED),
        ("<?php echo 1;", "php", CodeCheckStatus.PASSED),
        ("FROM alpine\nRUN <<EOF\nls\nEOF\n", "dockerfile", CodeCheckStatus.PASSED),
        ("def f\n  <<~A\n  b\n  A\nend", "ruby", CodeCheckStatus.PASSED),
        ("x", "brainfuck", CodeCheckStatus.UNCHECKED),
    ],
)
def test_the_child_finds_what_the_parsers_find(checker, code, language, outcome):
    assert checker.check(code, language).check is outcome


def test_the_child_is_confined_and_ends_with_the_block():
    with CodeChecker() as checker:
        checker.check("ls", "bash")
        child = checker._child
        assert SandboxLayer.LIMITS in child.layers
    assert not child.is_usable


def test_a_text_at_which_the_grammar_never_ends_is_unchecked():
    with CodeChecker(SandboxLimits(cpu_seconds=1)) as checker:
        found = checker.check(ENDLESS_TYPESCRIPT, "typescript")
        assert found == CodeCheck(CodeCheckStatus.UNCHECKED, TOO_SLOW)
        assert checker.check("let a = 1;", "typescript") == CodeCheck(CodeCheckStatus.PASSED)


def test_a_parser_that_takes_too_long_leaves_the_block_unchecked():
    with CodeChecker(SandboxLimits(wall_seconds=0.1)) as checker:
        found = checker.check(ENDLESS_TYPESCRIPT, "typescript")
    assert found == CodeCheck(CodeCheckStatus.UNCHECKED, TOO_SLOW)


def test_code_is_unchecked_where_no_child_starts(monkeypatch):
    def refuse(*_arguments):
        raise ReaderStartError("no memory")

    monkeypatch.setattr(check_technical_code_child, "SandboxWorker", refuse)
    with CodeChecker() as checker:
        assert checker.check("ls", "bash") == CodeCheck(CodeCheckStatus.UNCHECKED, NO_PROCESS)


_LANGUAGES = [*"sql bash javascript typescript cpp java go rust ruby php csharp html xml css yaml toml".split(),
              *"dockerfile json python brainfuck".split(), ""]  # fmt: skip


@given(code=st.text(max_size=300), language=st.sampled_from(_LANGUAGES))
@often(100)
def test_checking_takes_whatever_it_is_given(checker, code, language):
    assert checker.check(code, language).check in CodeCheckStatus
