"""The number of examples that property tests draw: a few in each run, all with PLUMBLINE_TEST_FULL."""

import os

from hypothesis import settings

IS_FULL = bool(os.environ.get("PLUMBLINE_TEST_FULL"))
EXAMPLES = int(os.environ.get("PLUMBLINE_TEST_EXAMPLES", "100" if IS_FULL else "30"))


def often(full: int, **more: object) -> settings:
    """Return the settings of a test that draws `full` examples where all are wanted, else as few as others."""
    return settings(max_examples=full if IS_FULL else min(full, EXAMPLES), **more)
