"""Audit pages with Lighthouse, which npm installs (package.json) and which runs as a subprocess."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from pydantic import BaseModel, Field

PROGRAM = Path(settings.BASE_DIR) / "node_modules" / "lighthouse" / "cli" / "index.js"
GOALS: Mapping[str, int] = {"performance": 95, "accessibility": 100, "best-practices": 95, "seo": 95}  # ui.md
TIMEOUT_S = 240
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage"
MAX_PAINT = "largest-contentful-paint"


class Audit(BaseModel):
    """The result of one audit. `score` is from 0 to 1; None if the audit does not apply."""

    title: str
    score: float | None = None
    value: float | None = Field(
        default=None, alias="numericValue"
    )  # in the audit's unit, mostly milliseconds


class Weight(BaseModel):
    id: str
    weight: float


class LighthouseCategory(BaseModel):
    """A category of audits. `score` is from 0 to 1; None if it could not be measured."""

    score: float | None
    audits: list[Weight] = Field(alias="auditRefs")


class LighthouseResult(BaseModel):
    """The part of Lighthouse's answer that is used."""

    audits: dict[str, Audit]
    categories: dict[str, LighthouseCategory]

    def points(self, category: str) -> int:
        """Return the score from 0 to 100, rounded down, so that 99.6 is not shown as 100."""
        return int(100 * (self.categories[category].score or 0))

    @property
    def missed_goals(self) -> tuple[str, ...]:
        return tuple(name for name, goal in GOALS.items() if self.points(name) < goal)

    @property
    def paint_s(self) -> float | None:
        """Return the seconds until the largest contentful paint on the throttled line that Lighthouse
        simulates.
        """
        value = self.audits[MAX_PAINT].value
        return None if value is None else value / 1000

    def weak(self, category: str) -> list[str]:
        """Return the titles of the audits that cost the category points."""
        costly = [audit.id for audit in self.categories[category].audits if audit.weight]
        return [f"{name}: {self.audits[name].title}" for name in costly if _is_weak(self.audits[name])]


def _is_weak(audit: Audit) -> bool:
    return audit.score is not None and audit.score < 0.9


@dataclass(frozen=True, slots=True)
class Lighthouse:
    """Lighthouse with the cookies of a signed-in user. `browser` is the path of a Chromium."""

    node: str
    browser: str
    cookies: str

    def measure(self, url: str, folder: Path) -> LighthouseResult:
        """Audit a page, with temporary files in `folder`. Raises CommandError if Lighthouse fails."""
        headers, answer = folder / "headers.json", folder / "answer.json"
        headers.write_text(json.dumps({"Cookie": self.cookies}), encoding="utf-8")
        _run([self.node, str(PROGRAM), url, *_options(headers, answer)], self.browser)
        return LighthouseResult.model_validate_json(answer.read_bytes())


def _options(headers: Path, answer: Path) -> Sequence[str]:
    return (
        "--quiet",
        "--output=json",
        f"--output-path={answer}",
        f"--extra-headers={headers}",
        f"--only-categories={','.join(GOALS)}",
        f"--chrome-flags={FLAGS}",
        "--no-enable-error-reporting",
    )


def _run(command: Sequence[str], browser: str) -> None:
    environment = {**os.environ, "CHROME_PATH": browser}
    try:
        done = subprocess.run(  # noqa: S603 - a program that package-lock.json pins
            command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired as late:
        raise CommandError(f"Lighthouse took more than {TIMEOUT_S} seconds.") from late
    if done.returncode:
        raise CommandError(f"Lighthouse failed: {done.stderr.strip()[-2000:]}")


def node_for_lighthouse() -> str:
    """Return the path of node. Raises CommandError with instructions if it or Lighthouse is missing."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None or not PROGRAM.exists():
        raise CommandError("Lighthouse is not installed: install nodejs and npm, then run .ci/install node.")
    return node
