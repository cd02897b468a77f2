"""How a line of the log is written: one event is one line, whatever it tells of."""

import logging
from types import TracebackType

_Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_CONTINUED = "    | "  # before each line of a traceback


class LineFormatter(logging.Formatter):
    """Escapes what is not printable in a message: line ends, terminal controls, marks that turn writing round.

    A traceback keeps its lines, each marked as one; what an exception says cannot pass for an event.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        return one_line(super().formatMessage(record))

    def formatException(self, ei: _Raised) -> str:
        return "\n".join(f"{_CONTINUED}{one_line(line)}" for line in super().formatException(ei).splitlines())

    def formatStack(self, stack_info: str) -> str:
        return "\n".join(f"{_CONTINUED}{one_line(line)}" for line in stack_info.splitlines())


def one_line(text: str) -> str:
    """With what is not printable as Python writes it: "\\n" for a line end."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
