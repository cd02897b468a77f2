"""Compute the differences between two plans, shown after a replan or an edit. Pure functions.

Subtopics match by name or, if that changed, by their queries; sections by their heading.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from research.models.schemas import Plan, PlannedSection, StoredSchema, Subtopic

T = TypeVar("T", bound=StoredSchema)


@dataclass(frozen=True, slots=True)
class ItemChange(Generic[T]):
    """An item before and after, with its positions, counted from 1. `fields` names what differs."""

    before: T
    after: T
    place_before: int
    place_after: int
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows(Generic[T]):
    """The changes of a list. `moved` has the fewest items that explain the new order; these may have changed, too."""

    added: tuple[T, ...] = ()
    removed: tuple[T, ...] = ()
    changed: tuple[ItemChange[T], ...] = ()
    moved: tuple[ItemChange[T], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.moved)


@dataclass(frozen=True, slots=True)
class Estimates:
    """The estimated effort of a plan. A cost of None is unknown."""

    sources: int
    minutes: float
    tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class PlanDifference:
    subtopics: Rows[Subtopic]
    sections: Rows[PlannedSection]
    goal: tuple[str, str] | None  # before and after; None: unchanged
    before: Estimates
    after: Estimates

    @property
    def is_empty(self) -> bool:
        return self.subtopics.is_empty and self.sections.is_empty and self.goal is None

    @property
    def added_queries(self) -> tuple[str, ...]:
        """The queries that only the new plan has, in its order."""
        new = [query for subtopic in self.subtopics.added for query in subtopic.queries]
        for change in self.subtopics.changed:
            new += [query for query in change.after.queries if query not in change.before.queries]
        return tuple(dict.fromkeys(new))


def difference(old: Plan, new: Plan) -> PlanDifference:
    return PlanDifference(
        subtopics=_rows(old.subtopics, new.subtopics, _subtopic_pairs(old.subtopics, new.subtopics)),
        sections=_rows(old.outline, new.outline, _pairs(old.outline, new.outline, _normalize_heading)),
        goal=None if old.goal == new.goal else (old.goal, new.goal),
        before=estimates_of(old),
        after=estimates_of(new),
    )


def estimates_of(plan: Plan) -> Estimates:
    return Estimates(
        plan.estimated_sources, plan.estimated_minutes, plan.estimated_tokens, plan.estimated_cost_usd
    )


def _normalize_heading(section: PlannedSection) -> str:
    return " ".join(section.heading.split()).casefold()


def _name(subtopic: Subtopic) -> str:
    return " ".join(subtopic.name.split()).casefold()


def _queries(subtopic: Subtopic) -> Hashable:
    return tuple(subtopic.queries)


def _subtopic_pairs(old: Sequence[Subtopic], new: Sequence[Subtopic]) -> Mapping[int, int]:
    """Map old positions to new ones: subtopics of the same name first, then those with the same queries."""
    pairs = dict(_pairs(old, new, _name))
    taken = set(pairs.values())
    old_rest = [place for place in range(len(old)) if place not in pairs]
    new_rest = [place for place in range(len(new)) if place not in taken]
    renamed = _pairs([old[place] for place in old_rest], [new[place] for place in new_rest], _queries)
    return pairs | {old_rest[place]: new_rest[other] for place, other in renamed.items()}


def _pairs(old: Sequence[T], new: Sequence[T], name: Callable[[T], Hashable]) -> Mapping[int, int]:
    """Map old positions to new ones by name; repeated names are matched in order."""
    places = {key: place for place, key in enumerate(_number_occurrences(map(name, new)))}
    return {
        place: places[key] for place, key in enumerate(_number_occurrences(map(name, old))) if key in places
    }  # fmt: skip


def _number_occurrences(names: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    seen = Counter[Hashable]()
    numbered = []
    for name in names:
        numbered.append((name, seen[name]))
        seen[name] += 1
    return numbered


def _rows(old: Sequence[T], new: Sequence[T], pairs: Mapping[int, int]) -> Rows[T]:
    kept = [_build_change(old, new, place, pairs[place]) for place in sorted(pairs)]
    staying = _longest_rise([change.place_after for change in kept])
    return Rows(
        added=tuple(row for place, row in enumerate(new) if place not in set(pairs.values())),
        removed=tuple(row for place, row in enumerate(old) if place not in pairs),
        changed=tuple(change for change in kept if change.fields),
        moved=tuple(change for number, change in enumerate(kept) if number not in staying),
    )


def _build_change(old: Sequence[T], new: Sequence[T], place: int, other: int) -> ItemChange[T]:
    before, after = old[place], new[other]
    names = type(before).model_fields
    fields = tuple(name for name in names if getattr(before, name) != getattr(after, name))
    return ItemChange(before, after, place + 1, other + 1, fields)


def _longest_rise(numbers: Sequence[int]) -> frozenset[int]:
    """Return the positions of a longest increasing subsequence of distinct numbers.

    Patience sorting (Fredman, 1975).
    """
    ends: list[int] = []  # the position at which the best subsequence of each length ends
    before: list[int | None] = []
    for place, number in enumerate(numbers):
        length = bisect_left([numbers[end] for end in ends], number)
        before.append(ends[length - 1] if length else None)
        ends[length : length + 1] = [place]
    rise = set[int]()
    place_or_none = ends[-1] if ends else None
    while place_or_none is not None:
        rise.add(place_or_none)
        place_or_none = before[place_or_none]
    return frozenset(rise)
