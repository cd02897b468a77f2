"""Garbage collection settings of long-running processes."""

import gc


def leave_alone() -> None:
    """Exclude everything loaded so far from garbage collection, and collect later objects less often.

    Examining the loaded objects again and again took a twelfth of a process's time. Later objects are examined after
    20,000 of them, not 700: a page or a model call creates thousands.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
