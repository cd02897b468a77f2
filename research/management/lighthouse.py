"""Audits of a page by Lighthouse, which is run as a program, installed by npm (package.json)."""

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
LARGEST_PAINT = "largest-contentful-paint"


class Audit(BaseModel):
    """One thing that was looked at. `score` is from 0 to 1; None: it does not apply."""

    title: str
    score: float | None = None
    value: float | None = Field(
        default=None, alias="numericValue"
    )  # in the audit's unit, mostly milliseconds


class Weight(BaseModel):
    id: str
    weight: float


class LighthouseCategory(BaseModel):
    """`score` is from 0 to 1; None: it could not be measured."""

    score: float | None
    audits: list[Weight] = Field(alias="auditRefs")


class LighthouseResult(BaseModel):
    """The part of Lighthouse's answer that is told."""

    audits: dict[str, Audit]
    categories: dict[str, LighthouseCategory]

    def points(self, category: str) -> int:
        """Return 0 to 100 points, rounded down, so that 99.6 does not show as 100."""
        return int(100 * (self.categories[category].score or 0))

    @property
    def missed_goals(self) -> tuple[str, ...]:
        return tuple(name for name, goal in GOALS.items() if self.points(name) < goal)

    @property
    def paint_s(self) -> float | None:
        """Until the largest part is there, on the slowed-down line that Lighthouse assumes."""
        value = self.audits[LARGEST_PAINT].value
        return None if value is None else value / 1000

    def weak(self, category: str) -> list[str]:
        """Titles of the audits that cost the category points."""
        costly = [audit.id for audit in self.categories[category].audits if audit.weight]
        return [f"{name}: {self.audits[name].title}" for name in costly if _is_weak(self.audits[name])]


def _is_weak(audit: Audit) -> bool:
    return audit.score is not None and audit.score < 0.9


@dataclass(frozen=True, slots=True)
class Lighthouse:
    """Ready to measure pages as somebody who is signed in. `browser` is the path of a Chromium."""

    node: str
    browser: str
    cookies: str

    def measure(self, url: str, folder: Path) -> LighthouseResult:
        """Raises CommandError when it cannot; `folder` takes its files."""
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
    """Path of node. Raises CommandError, with what to do, where something is missing."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None or not PROGRAM.exists():
        raise CommandError("Lighthouse is not installed: install nodejs and npm, then run .ci/install node.")
    return node
