"""Divide work among agents where searches found too little: by the orchestrator, or one task per subtopic. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from research.agents.agent_delegation_plan import AgentPlan, PlannedStep, in_order
from research.models import AgentRole
from research.models.schemas import Subtopic

MAX_TASKS = 6
# What can be given out before anything is read: writers and verifiers have nothing to work on yet.
GIVEN_OUT = frozenset({AgentRole.RESEARCHER, AgentRole.EXTRACTOR, AgentRole.ANALYZER, AgentRole.EXECUTOR})


@dataclass(frozen=True, slots=True)
class Short:
    """A subtopic with too few sources, and the queries searched for it."""

    name: str
    description: str
    queries: tuple[str, ...]
    found: int
    wanted: int


def divide_work(answer: AgentPlan | None, short: Sequence[Short]) -> list[PlannedStep]:
    """Return the first steps of the division, none without those it waits for; a plain one if no agent can do it."""
    if answer is None or any(step.role not in GIVEN_OUT for step in answer.steps):
        return plain(short)
    return in_order(answer.steps)[:MAX_TASKS]


def plain(short: Sequence[Short]) -> list[PlannedStep]:
    """Return a researcher's step for each subtopic."""
    return [
        PlannedStep(
            id=f"step_{number}",
            title=f"Find sources on {shortage.name}"[:200],
            description=_describe_shortage(shortage)[:2_000],
            role=AgentRole.RESEARCHER,
            expected_output="Sources that were read, and the passages of them that matter, kept.",
        )
        for number, shortage in enumerate(short[:MAX_TASKS], start=1)
    ]


def divide_by_subtopic(subtopics: Sequence[Subtopic]) -> list[PlannedStep]:
    """Return a researcher's step for each subtopic of a plan, before anything was searched for."""
    return [
        PlannedStep(
            id=f"step_{number}",
            title=f"Research {subtopic.name}"[:200],
            description=_describe_subtopic(subtopic, subtopics)[:2_000],
            role=AgentRole.RESEARCHER,
            expected_output="Sources that were read, and the passages of them that matter, kept.",
        )
        for number, subtopic in enumerate(subtopics, start=1)
    ]


def _describe_subtopic(subtopic: Subtopic, subtopics: Sequence[Subtopic]) -> str:
    about = f"{subtopic.description.rstrip('.')}. " if subtopic.description else ""
    others = "; ".join(other.name for other in subtopics if other is not subtopic)
    beside = f" Others research: {others}." if others else ""
    return (
        f"{about}Look where plain searches for these words do not lead: {'; '.join(subtopic.queries)}."
        f" Wanted are {subtopic.target_sources} good sources, also such as speak against it.{beside}"
    )


def _describe_shortage(shortage: Short) -> str:
    about = f"{shortage.description.rstrip('.')}. " if shortage.description else ""
    return (
        f"{about}{shortage.found} of {shortage.wanted} sources were found by: {'; '.join(shortage.queries)}."
    )
