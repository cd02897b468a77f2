"""How much is tried: in `make test` a part of what is heavy, in `make test-full` (PLUMBLINE_TEST_FULL) all of it."""

import os
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

IS_FULL = bool(os.environ.get("PLUMBLINE_TEST_FULL"))
EXAMPLES = int(os.environ.get("PLUMBLINE_TEST_EXAMPLES", "100" if IS_FULL else "30"))


def often(full: int, **more: object) -> settings:
    """Return the settings of a test that draws `full` examples where all are wanted, else as few as others."""
    return settings(max_examples=full if IS_FULL else min(full, EXAMPLES), **more)


def one_in(step: int, cases: Iterable[object]) -> list[object | ParameterSet]:
    """Return parameters of which `make test` tries the first and each `step`-th after it; a tuple is several."""
    return [
        case if number % step == 0 else pytest.param(*_values(case), marks=pytest.mark.full)
        for number, case in enumerate(cases)
    ]


def _values(case: object) -> tuple[object, ...]:
    return case if isinstance(case, tuple) else (case,)
