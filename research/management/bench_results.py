"""Results of a benchmark: written as JSON for machines and as a Markdown table for readers."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from research.evaluation.evaluation_overhead_growth import GrowthMeasurement, exponent

_COSTS = tuple(f"{cost} a call, a source or row" for cost in ("CPU ms", "commits", "statements"))
# As they were measured once, by others' means; they store nothing and check nothing.
PEERS = (
    "Peers, which store and check nothing, as given and not measured here:",
    "",
    "| peer | run/limit | CPU ms a call |",
    "|---|---|---|",
    "| gpt-researcher | 1.1 to 2.0 | 17 to 46 |",
    "| open_deep_research | 2.1 to 2.6 | 17 |",
    "| ninety lines of asyncio | 1.01 to 1.03 | 3 |",
)
BEGIN, END = "<!-- what `make bench` found -->", "<!-- to here -->"
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class BenchmarkPart:
    """One benchmark command: its wall time in seconds including start-up, the load average after it, and
    its output.

    `figures` holds what the command printed as JSON, `told` its other lines.
    """

    name: str
    seconds: float
    load: float
    figures: Mapping[str, object] = field(default_factory=dict)
    told: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The results of a whole benchmark.

    `growth` maps each kind of run to the exponent of its overhead; None if there are too few sizes.
    """

    date: str
    commit: str
    machine: str
    parts: Sequence[BenchmarkPart]
    grown: Sequence[GrowthMeasurement] = ()

    @property
    def growth(self) -> dict[str, float | None]:
        kinds = dict.fromkeys(measurement.kind for measurement in self.grown)
        return {
            kind: exponent(
                (measurement.size, measurement.overhead_s)
                for measurement in self.grown
                if measurement.kind == kind
            )
            for kind in kinds
        }

    def as_json(self) -> str:
        grown = [
            {
                **asdict(measurement),
                "overhead_s": round(measurement.overhead_s, 2),
                "ratio": round(measurement.ratio, 2),
            }
            for measurement in self.grown
        ]
        found = {**asdict(self), "grown": grown, "exponents": self.growth}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"

    def as_table(self) -> str:
        """Return the results as a Markdown table; every row includes the load average."""
        head = f"{self.date}, {self.commit}, {self.machine}."
        rows = ["| what | found | took | load |", "|---|---|---|---|"]
        rows += [
            f"| {part.name} | {_format_figures(part)} | {part.seconds:.0f} s | {part.load:.0f} |"
            for part in self.parts
        ]
        return "\n".join([head, "", *rows, *_growth_table(self.grown, self.growth)]) + "\n"


def _format_figures(part: BenchmarkPart) -> str:
    figures = [f"{name.replace('_', ' ')} {_short(value)}" for name, value in part.figures.items()]
    return "; ".join([*figures, *part.told]).replace("|", "\\|")


def _short(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(each)}" for name, each in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def _growth_table(grown: Sequence[GrowthMeasurement], growth: Mapping[str, float | None]) -> Iterable[str]:
    if not grown:
        return
    columns = ("run", "calls", "s", "limit s", "overhead s", "run/limit", *_COSTS)
    yield from ("", _row(columns), "|---" * len(columns) + "|")
    for run in grown:
        figures = (f"{run.wall_s:.1f}", f"{run.limit_s:.1f}", f"{run.overhead_s:.1f}", f"{run.ratio:.2f}")
        costs = (1000 * run.cpu_s, run.commits, run.statements)
        shares = (f"{cost / run.calls:.1f}, {cost / run.size:.1f}" for cost in costs)
        yield _row((f"{run.kind}, {run.size}", str(run.calls), *figures, *shares))
    yield from ("", *PEERS)
    told = (f"{kind} {'–' if power is None else f'{power:.2f}'}" for kind, power in growth.items())
    yield from ("", f"Overhead grows with the size to the power of: {', '.join(told)} (goal ≤ 1.1).")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def part_of(name: str, output: str, seconds: float) -> BenchmarkPart:
    """Build a part from the output of a command: JSON objects become figures, all other lines text."""
    figures, notes = dict[str, object](), list[str]()
    for line in filter(None, map(str.strip, output.splitlines())):
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if isinstance(found, dict):
            figures |= found
        else:
            notes.append(line)
    return BenchmarkPart(name, round(seconds, 1), round(os.getloadavg()[0], 1), figures, notes)


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def commit() -> str:
    """Return the short commit hash of the checkout, or “unknown” if there is none."""
    asked = ["git", "-C", str(settings.BASE_DIR), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True)  # noqa: S603 - names of our own
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def machine() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    system = f"{platform.system()} {platform.machine()}, CPython {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GB, {system}"


def write_between(page: Path, table: str) -> None:
    """Replace the text between the markers. Raises ValueError if the page does not have them."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} has no place for figures: “{BEGIN}” and “{END}”.")
    page.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")
