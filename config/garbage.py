"""Garbage collection settings of long-running processes."""

import gc


def leave_alone() -> None:
    """Exclude everything loaded so far from garbage collection, and collect later objects less often.

    What is loaded now stays; looking through all of it again and again took a twelfth of a process's time. Objects
    created later are examined after 20 000 of them, not 700: a page or a call of a model creates thousands.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
