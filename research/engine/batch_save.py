"""Joint saving of a run's steps that end together: the rows of ten steps take as many statements as those of one.

    save=Joint(store_rows, row)     # store_rows gets the rows of all steps of the group that have this `act`

Everything is stored in the transaction that finishes the steps, or nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class BatchSave(Generic[P, R]):
    """Rows of a step that are stored together with those of other steps.

    `act` gets the parts of all steps of the run that end in one transaction, in their order, and returns a result for
    each. Calling the object stores the step by itself.
    """

    act: Callable[[Sequence[P]], Sequence[R]]
    part: P

    def __call__(self) -> R:
        return self.act([self.part])[0]


def run_in_batches(acts: Sequence[Callable[[], R]]) -> list[R]:
    """Call each of `acts`, the batched ones together with those of their kind, and return the results in the order
    of `acts`.
    """
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
