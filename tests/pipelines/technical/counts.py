"""How many examples property tests of this folder draw: a few in each run, all with PLUMBLINE_TEST_FULL."""

import os

from hypothesis import settings

IS_FULL = bool(os.environ.get("PLUMBLINE_TEST_FULL"))
FEW = 15


def often(full: int) -> settings:
    return settings(max_examples=full if IS_FULL else FEW)
