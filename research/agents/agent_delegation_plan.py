"""A plan of steps for several agents, validated on creation so that every step can be carried out.

An input may refer to the output of an earlier step, `{{step_1.output}}`, or to a part of it,
`{{step_1.output.name}}`. References are replaced once, as data: the inserted text is not scanned for references
again. Pure functions.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from pydantic import Field, JsonValue, model_validator

from research.models import AgentRole
from research.models.schemas import StoredSchema

Json: TypeAlias = JsonValue
MAX_STEPS = 30
MAX_OUTPUT_LENGTH = 20_000  # characters of an earlier output that are inserted into an input
STEP_ID = r"[a-z][a-z0-9_]{0,30}"
_REFERENCE = re.compile(rf"\{{\{{\s*({STEP_ID})\.output((?:\.[A-Za-z0-9_]{{1,60}})*)\s*\}}\}}")
# The planner writes this plan and the orchestrator executes it, so neither can be given a step of it.
DELEGABLE = frozenset(AgentRole) - {AgentRole.PLANNER, AgentRole.ORCHESTRATOR}


class StepInput(StoredSchema):
    name: str = Field(min_length=1, max_length=60)
    value: str = Field(max_length=4_000)

    @property
    def references(self) -> frozenset[str]:
        """Return the ids of the steps that the input refers to."""
        return frozenset(match[1] for match in _REFERENCE.finditer(self.value))


class PlannedStep(StoredSchema):
    """One agent's work, which it can do alone. `fallback`: what to do if it fails; empty: go on without it."""

    id: str = Field(pattern=f"^{STEP_ID}$")
    title: str = Field(min_length=1, max_length=200)
    description: str = Field(default="", max_length=2_000)
    role: AgentRole
    depends_on: list[str] = Field(default_factory=list, max_length=MAX_STEPS)
    inputs: list[StepInput] = Field(default_factory=list, max_length=10)
    expected_output: str = Field(default="", max_length=1_000)
    fallback: str = Field(default="", max_length=1_000)
    parallel_safe: bool = True

    @property
    def waits_for(self) -> frozenset[str]:
        """Return the ids of the steps that it depends on: those it names and those it refers to."""
        return frozenset(self.depends_on).union(*(step_input.references for step_input in self.inputs))


class AgentPlan(StoredSchema):
    """The work of several agents. Raises ValidationError for unknown dependencies and references, and for cycles."""

    steps: list[PlannedStep] = Field(min_length=1, max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _can_be_carried_out(self) -> "AgentPlan":
        ids = [step.id for step in self.steps]
        if len(set(ids)) < len(ids):
            raise ValueError("two steps have one id")
        for step in self.steps:
            _check(step, frozenset(ids))
        try:
            in_order(self.steps)
        except CycleError:
            raise ValueError("the steps wait for each other in a circle") from None
        return self


def _check(step: PlannedStep, step_ids: frozenset[str]) -> None:
    if step.role not in DELEGABLE:
        raise ValueError(f"{step.id}: no step is given to the {step.role}")
    if not step.waits_for <= step_ids:
        raise ValueError(f"{step.id} depends on a step that does not exist")
    for step_input in step.inputs:
        if "{{" in _REFERENCE.sub("", step_input.value):
            raise ValueError(f"{step.id}: only {{{{step.output}}}} can be referred to")


def in_order(steps: Sequence[PlannedStep]) -> list[PlannedStep]:
    """Return the steps, each after its dependencies. Raises CycleError for circular dependencies."""
    known = {step.id: step for step in steps}
    return [known[id] for id in TopologicalSorter({step.id: step.waits_for for step in steps}).static_order()]


def ready(steps: Sequence[PlannedStep], ended: Collection[str], most: int) -> list[PlannedStep]:
    """Return the steps to run once those in `ended` have ended.

    These are all that can run in parallel, at most `most`; else a single one. Empty when all have ended.
    """
    waiting = [step for step in in_order(steps) if step.id not in ended and step.waits_for <= set(ended)]
    together = [candidate for candidate in waiting if candidate.parallel_safe]
    return together[:most] or waiting[:1]


def resolve_references(value: str, outputs: Mapping[str, Json]) -> str:
    """Return the value with its references replaced by outputs; missing ones are marked as such.

    The result is untrusted data, which belongs in a data block.
    """
    return _REFERENCE.sub(lambda match: _output(match, outputs), value)


def _output(match: re.Match[str], outputs: Mapping[str, Json]) -> str:
    if match[1] not in outputs:
        return "(not available)"
    value = outputs[match[1]]
    for name in _names(match[2]):
        value = value.get(name) if isinstance(value, dict) else None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_OUTPUT_LENGTH else f"{text[:MAX_OUTPUT_LENGTH]} … (cut)"


def _names(path: str) -> Iterator[str]:
    yield from filter(None, path.split("."))
