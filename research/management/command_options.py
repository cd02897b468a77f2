"""Command-line options that several commands share."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from pathlib import Path

from research.pipelines.report.config import ConfigError


def settings_of(texts: Iterable[str]) -> dict[str, object]:
    """Parse settings from texts of the form KEY=VALUE. Raises ConfigError."""
    return dict(_setting(text) for text in texts)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"--set takes KEY=VALUE, not “{text}”")
    return key.strip(), value.strip()


def whole(least: int = 1, most: int | None = None) -> Callable[[str], int]:
    """Return a type for argparse: a whole number within these limits."""
    wanted = f"from {least} to {most}" if most is not None else f"of at least {least}"

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            raise ArgumentTypeError(f"a whole number {wanted}, not “{text}”")
        return value

    return number


def above_zero(text: str) -> float:
    """Parse a number above zero for argparse, such as seconds, or things a second."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (value > 0 and math.isfinite(value)):
        raise ArgumentTypeError(f"a number above 0, not “{text}”")
    return value


def folder(text: str) -> Path:
    """Parse the path of an existing folder for argparse, so that a wrong one fails before minutes of work."""
    path = Path(text).expanduser()
    if not path.is_dir():
        raise ArgumentTypeError(f"a folder, and there is none “{text}”")
    return path
