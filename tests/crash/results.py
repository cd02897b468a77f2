"""Measurements of the crash tests, and their tables in docs/durability.md."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from pathlib import Path

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass
class Row:
    """Kills of one kind: how many, how many of their runs were lost or wrong, and seconds to recover."""

    part: str
    name: str
    kills: int = 0
    wrong: int = 0
    recoveries: list[float] = field(default_factory=list)


@dataclass
class Results:
    """The results of one session of tests."""

    seed: int
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)

    def row(self, part: str, name: str) -> Row:
        return self.rows.setdefault((part, name), Row(part, name))

    def tables(self) -> Iterator[str]:
        parts = defaultdict[str, list[Row]](list)
        for row in self.rows.values():
            parts[row.part].append(row)
        yield f"{datetime.now(UTC):%Y-%m-%d}, seed {self.seed}. Seconds from a kill to the run's next finished step."
        for part, rows in parts.items():
            yield ""
            yield f"| {part} | n | wrong | p50 | p95 | longest |"
            yield "|---|---|---|---|---|---|"
            yield from map(format_row, rows)
            if len(rows) > 1:
                yield format_row(total(part, rows))


def total(part: str, rows: Sequence[Row]) -> Row:
    recoveries = [recovery for row in rows for recovery in row.recoveries]
    return Row(part, "**all**", sum(row.kills for row in rows), sum(row.wrong for row in rows), recoveries)


def format_row(row: Row) -> str:
    times = [f"{value:.1f}" for value in summary(row.recoveries)] or ["–"] * 3
    return f"| {' | '.join([row.name, str(row.kills), str(row.wrong), *times])} |"


def summary(values: Sequence[float]) -> tuple[float, ...]:
    """p50, p95 (nearest rank) and the longest; nothing of nothing."""
    if not values:
        return ()
    ordered = sorted(values)
    return tuple(ordered[ceil(share * len(ordered)) - 1] for share in (0.5, 0.95, 1))


def record(results: Results, page: Path) -> None:
    """Put the tables between the page's marks. Raises ValueError where it has none."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} has no marks for what was measured")
    page.write_text(
        "\n".join([f"{before}{BEGIN}", "", *results.tables(), "", f"{END}{after}"]), encoding="utf-8"
    )
