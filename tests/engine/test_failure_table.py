"""The table of failures is the one that docs/failures.md shows, and that holds the specification's rows."""

import re
from pathlib import Path

import pytest

from research.engine.states.step_failures import DEFINITIONS, Backoff, FailureDefinition, FailureType, Then

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROW = re.compile(
    r"^\| (?P<code>[A-Z_]+) \| [^|]+ \| (?P<type>\w+) \| (?P<retries>\d+) \| (?P<backoff>[^|]+) \| (?P<then>[^|]+) \|$"
)
BACKOFFS = {"": Backoff.CONSTANT, "× 2ⁿ": Backoff.EXPONENTIAL, "× (n + 1)": Backoff.LINEAR}
THEN = {
    "continue without": Then.CONTINUE,
    "the run fails": Then.FAIL_RUN,
    "reduce the scope": Then.REDUCE_SCOPE,
    "skip the source": Then.SKIP_SOURCE,
    "remove unverified claims": Then.REMOVE_UNVERIFIED,
    "write the section strictly": Then.STRICT_MODE,
}

# The rows of the specification: type, retries, backoff, what follows, whether a person is told.
SPECIFIED = {
    "INVALID_REQUEST": "hard 0 – fail_run",
    "BUDGET_EXCEEDED_HARD": "hard 0 – fail_run told",
    "DATA_CORRUPTION": "hard 0 – fail_run told",
    "SECURITY_VIOLATION": "hard 0 – fail_run told",
    "INSUFFICIENT_SOURCES": "soft 3 constant:5 reduce_scope",
    "EXTRACTION_FAILED": "soft 3 constant:2 skip_source",
    "VERIFICATION_FAILED": "soft 2 – remove_unverified told",
    "HALLUCINATION_DETECTED": "soft 2 – strict_mode told",
    "LLM_RATE_LIMIT": "transient 5 exponential:10 continue",
    "BROWSER_TIMEOUT": "transient 3 exponential:5 continue",
    "DATABASE_ERROR": "transient 3 exponential:2 continue",
}  # fmt: skip
TOOLS = {
    "RATE_LIMITED": (3, Backoff.EXPONENTIAL),
    "TIMEOUT": (2, Backoff.LINEAR),
    "BLOCKED": (3, Backoff.EXPONENTIAL),
    **dict.fromkeys(
        ("NO_RESULTS", "INVALID_QUERY", "PAGE_NOT_FOUND", "PAYWALL", "CAPTCHA"), (0, Backoff.NONE)
    ),
}


def read_documented_failures() -> dict[str, FailureDefinition]:
    rows = (ROW.match(line) for line in (DOCS / "failures.md").read_text(encoding="utf-8").splitlines())
    return {row["code"]: definition(row) for row in rows if row is not None}


def definition(row: re.Match[str]) -> FailureDefinition:
    kind, base_s = backoff(row["backoff"].strip())
    then, _, told = row["then"].strip().partition("; ")
    assert told in ("", "notify the owner")
    return FailureDefinition(
        FailureType(row["type"]), int(row["retries"]), kind, base_s, THEN[then], tell_a_person=bool(told)
    )


def backoff(words: str) -> tuple[Backoff, float]:
    if words == "–":
        return Backoff.NONE, 0
    seconds, _, growth = words.partition(" s")
    return BACKOFFS[growth.strip()], float(seconds)


def in_short(code: str) -> str:
    one = DEFINITIONS[code]
    pause = "–" if one.backoff is Backoff.NONE else f"{one.backoff}:{one.base_s}"
    return f"{one.type} {one.retries} {pause} {one.then}{' told' if one.tell_a_person else ''}"


def test_the_documents_have_every_code_and_no_other():
    assert sorted(read_documented_failures()) == sorted(DEFINITIONS)


@pytest.mark.parametrize("code", DEFINITIONS)
def test_each_row_of_the_documents_is_the_row_of_the_code(code):
    assert read_documented_failures()[code] == DEFINITIONS[code]


@pytest.mark.parametrize("code", SPECIFIED)
def test_each_row_of_the_specification_is_kept(code):
    assert in_short(code) == SPECIFIED[code]


@pytest.mark.parametrize("code", TOOLS)
def test_each_code_of_a_tool_is_tried_as_often_as_the_specification_says(code):
    assert (DEFINITIONS[code].retries, DEFINITIONS[code].backoff) == TOOLS[code]


def test_what_a_definition_can_lead_to_is_led_to_by_some_code():
    assert {one.then for one in DEFINITIONS.values()} == set(Then)
