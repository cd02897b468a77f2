"""Structured log lines through Python's logging: an event and its facts, never the text of a source or an
answer.
"""

import logging

import structlog
from structlog.stdlib import BoundLogger


def logger(name: str) -> BoundLogger:
    """Where the lines go and from which level on, the settings' LOGGING says."""
    wrapped: BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        wrapper_class=BoundLogger,
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["event"]),
        ],
    )
    return wrapped
