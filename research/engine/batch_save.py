"""Joint saving of steps that end together, with the same statements: a group of ten costs what one did.

    save=Joint(store_rows, row)     # store_rows gets the rows of all steps of the group that have this `act`

Nothing else changes: all of it is in the transaction that finishes the steps, or none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class BatchSave(Generic[P, R]):
    """`act` gets the parts of all steps of one run that end in one transaction, in their order, and returns what came
    of each. Called by itself it acts for its own step alone.
    """

    act: Callable[[Sequence[P]], Sequence[R]]
    part: P

    def __call__(self) -> R:
        return self.act([self.part])[0]


def run_in_batches(acts: Sequence[Callable[[], R]]) -> list[R]:
    """Call each, joint ones with those of their kind; what came of each, in their order."""
    groups: dict[object, list[int]] = {}
    for place, act in enumerate(acts):
        groups.setdefault(act.act if isinstance(act, BatchSave) else place, []).append(place)
    results: dict[int, R] = {}
    for places in groups.values():
        results |= zip(places, _run_batch([acts[place] for place in places]), strict=True)
    return [results[place] for place in range(len(acts))]


def _run_batch(same: Sequence[Callable[[], R]]) -> Sequence[R]:
    first = same[0]
    if not isinstance(first, BatchSave):
        return [act() for act in same]
    return cast("Sequence[R]", first.act([save.part for save in same if isinstance(save, BatchSave)]))
