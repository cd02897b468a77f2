"""Draws the state machine as a Mermaid state diagram from its table (docs/lifecycle.md)."""

from collections.abc import Iterator

from research.engine.states.state_machine import PATH, STATES
from research.models import FINISHED, WAITING, State


def mermaid() -> str:
    """Return the diagram: an arrow for each two states that an exit joins, labelled with the exits in their order."""
    return "\n".join(["stateDiagram-v2", *(f"    {line}" for line in _lines())])


def _lines() -> Iterator[str]:
    yield f"[*] --> {PATH[0]}"
    for state in STATES:
        yield from _arrows(state)
    for state in (end for end in STATES if end in FINISHED):
        yield f"{state} --> [*]"
    yield "classDef waits stroke-dasharray: 5 5"
    yield f"class {','.join(state for state in STATES if state in WAITING)} waits"


def _arrows(state: State) -> Iterator[str]:
    spec = STATES[state]
    exits: dict[State, list[str]] = {}
    for way_out in spec.exits:
        exits.setdefault(way_out.to, []).append(way_out.when.__name__)
    if spec.rollback is not None:
        exits.setdefault(spec.rollback, []).append(f"not {spec.needs.__name__}")
    for to, names in exits.items():
        yield f"{state} --> {to}: {_words(names)}"


def _words(names: list[str]) -> str:
    """Join the names of the exits, each once."""
    return "<br/>".join(name.replace("_", " ") for name in dict.fromkeys(names))
