"""Event logs through Python's logging: an event and its fields, never the text of a source or an answer."""

import logging
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventLog:
    """Writes "event fact=value …".

    Control characters in values are escaped, so that no value can forge a line.
    """

    logger: logging.Logger

    def info(self, event: str, **facts: object) -> None:
        self.logger.info("%s", _line(event, facts), extra={"event": event, "facts": facts})

    def warning(self, event: str, *, exc_info: BaseException | None = None, **facts: object) -> None:
        told = {"event": event, "facts": facts}
        self.logger.warning("%s", _line(event, facts), exc_info=exc_info, extra=told)


def logger(name: str) -> EventLog:
    """Return the event log of this name; the settings' LOGGING configures its handlers and level."""
    return EventLog(logging.getLogger(name))


def _line(event: str, facts: dict[str, object]) -> str:
    return " ".join((event, *(f"{name}={value!r}" for name, value in facts.items())))
