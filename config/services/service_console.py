"""Writes the output of many processes to one terminal, each line with the name of its process."""

import os
import threading
from dataclasses import dataclass, field
from typing import IO, TextIO

WIDTH = 8
COLOURS = (36, 33, 32, 35, 34, 96, 93, 92)
OWN_COLOUR = 1  # bold
MAX_LINE_LENGTH = 4_000  # characters


@dataclass(slots=True)
class Console:
    """Writes whole lines, so that two processes never share one."""

    output: TextIO
    coloured: bool
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _names: list[str] = field(default_factory=list)

    @classmethod
    def on(cls, output: TextIO) -> "Console":
        """Return a console for the output: coloured on a terminal, unless NO_COLOR is set."""
        return cls(output, coloured=output.isatty() and not os.environ.get("NO_COLOR"))

    def say(self, line: str) -> None:
        """Write a line of the supervisor."""
        self.write("plumbline", line, colour=OWN_COLOUR)

    def write(self, name: str, line: str, *, colour: int | None = None) -> None:
        with self._lock:
            prefix = f"{name:<{WIDTH}} │ "
            if self.coloured:
                prefix = f"\x1b[{colour or self._colour_of(name)}m{prefix}\x1b[0m"
            self._write(prefix + line)

    def _write(self, line: str) -> None:
        try:
            self.output.write(line + "\n")
            self.output.flush()
        except (OSError, ValueError):
            return  # the terminal or the disk is gone or full; work continues without a log

    def _colour_of(self, name: str) -> int:
        if name not in self._names:
            self._names.append(name)
        return COLOURS[self._names.index(name) % len(COLOURS)]

    def follow(self, name: str, pipe: IO[bytes]) -> None:
        """Pass on the output of a process until it closes its end. Control characters are made visible."""
        with pipe:
            for raw in iter(lambda: pipe.readline(MAX_LINE_LENGTH), b""):
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
                self.write(
                    name, "".join(char if char.isprintable() or char == "\t" else "�" for char in line)
                )
