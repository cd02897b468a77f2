"""Twenty words that must never leave where they were put: personal data and secrets, made up, each unmistakable.

Put together here, so that no search for secrets finds one in a file.
"""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

CANARIES = (
    "sk-" + "canary0aa91f27b3",
    "plumb_" + "canary1f00d5eed",
    "whsec_" + "Y2FuYXJ5MmJlZWY0ZmFjZQ==",
    "ghp_" + "canary3a8Kd92LmQpX7vTz",
    "AKIA" + "CANARY4QPLZ7XW",
    "xoxb-" + "canary5-7742-9916",
    "pass" + "word=canary6-Tr0ub4dor",
    "Bearer " + "canary7.eyJhbGciOi.zz9",
    "canary8.lovelace@mail.example",
    "canary9.turing@post.example",
    "CH93 0076 2011 6238 5295 7",
    "DE89 3704 0044 0532 0130 00",
    "4111 1111 1111 1111",
    "5500 0055 5555 5559",
    "756.9217.0769.85",
    "078-05-1120",
    "+41 44 668 18 00",
    "198.51.100.77",
    "Dear Mr Canaryworth",
    "passport X7734915K",
)


def find_markers(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text]


@contextmanager
def capture_logs() -> Iterator[io.StringIO]:
    """All that any library logs, at every level, with tracebacks."""
    lines, root = io.StringIO(), logging.getLogger()
    listener, level = logging.StreamHandler(lines), root.level
    listener.setLevel(logging.DEBUG)
    ours = [
        logging.getLogger(name) for name in ("config", "research", "citations", "exports", "slides", "django")
    ]
    levels = [our.level for our in ours]
    root.addHandler(listener)
    for one in (root, *ours):
        one.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.removeHandler(listener)
        for one, before in zip((root, *ours), (level, *levels), strict=True):
            one.setLevel(before)
