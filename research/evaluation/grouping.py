"""Claims to measure the grouping by: how long it takes for how many (spec: grounding.md, Contradictions)."""

import time
from dataclasses import dataclass

import numpy as np

from citations.grouping import group
from citations.neighbours import Vectors
from citations.profiles import profile_for
from citations.similarity import Statement

_OFTEN = 4  # half of the claims tell a fact told so often: as it is, reworded, with another figure, of another year
_DIMENSION = 384
_SPREAD = 0.25  # length of what parts two statements of one fact, of vectors of length 1
_SUBJECTS = "rainfall harvest traffic revenue attendance emissions turnout output demand mortality".split()
_PLACES = "Oslo Lima Accra Hanoi Quito Dublin Vienna Nairobi Bergen Porto Malmo Tampere".split()
_VERBS = "reached averaged totalled exceeded hit".split()


@dataclass(frozen=True, slots=True)
class GroupingTime:
    claims: int
    groups: int
    conflicts: int
    seconds: float


def time_grouping(count: int = 10_000) -> GroupingTime:
    """Group `count` claims with given embeddings; always the same claims."""
    statements, vectors = sample_claims(count)
    start = time.perf_counter()
    found = group(statements, vectors, profile_for("all-MiniLM-L6-v2"))
    return GroupingTime(count, len(found.groups), len(found.conflicts), time.perf_counter() - start)


def sample_claims(count: int) -> tuple[dict[str, Statement], Vectors]:
    """Claims in mixed order, half of which tell a fact of their own; unit vectors near each other for one fact."""
    source = np.random.default_rng(0)
    told = [_of_fact(number) for number in range(count)]
    order = source.permutation(count).tolist()
    facts = source.standard_normal((count, _DIMENSION)) / np.sqrt(_DIMENSION)
    apart = source.standard_normal((count, _DIMENSION)) * _SPREAD / np.sqrt(_DIMENSION)
    vectors = facts[[told[number][0] for number in order]] + apart
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    statements = {f"c{place}": Statement(_told(*told[number])) for place, number in enumerate(order)}
    return statements, vectors.astype(np.float32)


def _of_fact(number: int) -> tuple[int, int]:
    """The fact that a claim tells, and the way it tells it."""
    is_shared = number // _OFTEN % 2 == 0
    return (number - number % _OFTEN, number % _OFTEN) if is_shared else (number, 0)


def _told(fact: int, way: int) -> str:
    subject, place = _SUBJECTS[fact % 10], _PLACES[fact // 10 % 12]
    verb, year = _VERBS[fact // 120 % 5], 1950 + fact % 70
    value = 100 + 7 * (fact % 1_000)
    if way == 0:
        return f"In {year}, {subject} in district {fact} of {place} {verb} {value} units, said the office."
    if way == 1:
        return f"The {subject} of district {fact} in {place} {verb} {value} units in {year}."
    if way == 2:
        return (
            f"In {year}, {subject} in district {fact} of {place} {verb} {2 * value} units, said the office."
        )
    return (
        f"In {year + 1}, {subject} in district {fact} of {place} {verb} {value + 31} units, said the office."
    )
