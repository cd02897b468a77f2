"""The threat to availability: documents that are made to break who reads them. Each is read or refused in time."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from research.parsing import parsing_child
from research.parsing.parsing_child import DEFAULT_LIMITS, read_in_child, stop_child
from research.runtime.sandbox.sandbox_read_error import ReadError
from tests.often import IS_FULL
from tests.threats.hostile_documents import Case, cases

DRAWN = 8
MAX_SECONDS, MAX_BYTES = 30.0, 512 << 20
SLIPPED = ("/tmp/plumbline-slipped", "/etc/plumbline-slipped", "/tmp/a.exe")


@pytest.fixture(scope="module", autouse=True)
def _no_child_left() -> Iterator[None]:
    yield
    stop_child()


def test_the_list_is_as_long_as_the_threat_model_asks() -> None:
    names = [what for what, _, _ in cases()]
    assert len(names) == len(set(names)) >= 250


def test_each_hostile_document_is_read_or_refused_within_its_limits(record_property) -> None:  # type: ignore[no-untyped-def]
    """All with PLUMBLINE_TEST_FULL, else some drawn by the day; the child's processor time is what is measured."""
    chosen = list(cases()) if IS_FULL else Random(int(time.time() // 86_400)).sample(list(cases()), DRAWN)
    figures = [_of(one) for one in chosen]
    read = sum(is_read for is_read, _, _ in figures)
    seconds, peak = max(s for _, s, _ in figures), max(p for _, _, p in figures)
    for name, value in {"documents": len(figures), "read": read, "seconds": seconds, "bytes": peak}.items():
        record_property(name, value)
    print(
        f"{len(figures)} documents, {read} read, slowest {seconds:.1f} s of a processor, largest {peak >> 20} MB"
    )
    assert not [path for path in SLIPPED if os.path.exists(path)]


def _of(case: Case) -> tuple[bool, float, int]:
    """Return whether it was read, the child's CPU seconds, and its largest memory. Fails on anything else."""
    what, name, make = case
    data = make()
    text: str | None
    before = _measure_usage()
    try:
        found = read_in_child(data, name).document.text
    except ReadError as error:
        text, told = None, error.message
    else:
        text, told = found, "."
        found.encode()
        assert not set(found) & set("\0\x08\x1b\x7f\ufffe\uffff"), what
        assert "root:x:" not in found, what
    assert told.endswith("."), what
    after = _measure_usage()
    seconds = after[0] - before[0] if after[0] >= before[0] else after[0]
    assert seconds <= MAX_SECONDS, what
    assert after[1] <= min(MAX_BYTES, DEFAULT_LIMITS.memory), what
    if IS_FULL:
        print(f"{seconds:6.2f} s {after[1] >> 20:4d} MB {'read' if text is not None else 'refused'} {what}")
    return text is not None, seconds, after[1]


def _measure_usage() -> tuple[float, int]:
    """Seconds of a processor and the largest memory of the child that lives; nothing of one that was killed."""
    living = parsing_child._child
    if living is None or living._process.poll() is not None:
        return 0.0, 0
    pid = living._process.pid
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    peak = re.search(r"VmPeak:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    ticks = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) / ticks, (int(peak[1]) << 10) if peak else 0
