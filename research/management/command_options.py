"""Command-line options that several commands share."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from pathlib import Path

from research.pipelines.report.report_config import ConfigError


def settings_of(texts: Iterable[str]) -> dict[str, object]:
    """Return the settings given as KEY=VALUE. Raises ConfigError."""
    return dict(_parse_setting(text) for text in texts)


def _parse_setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"--set takes KEY=VALUE, not “{text}”")
    return key.strip(), value.strip()


def whole(least: int = 1, most: int | None = None) -> Callable[[str], int]:
    """Return an argparse type for whole numbers within these bounds."""
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
    """Parse a finite number above zero, such as seconds or a rate; an argparse type."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (value > 0 and math.isfinite(value)):
        raise ArgumentTypeError(f"a number above 0, not “{text}”")
    return value


def folder(text: str) -> Path:
    """Return an existing folder; an argparse type, so that a typo fails before minutes of work."""
    path = Path(text).expanduser()
    if not path.is_dir():
        raise ArgumentTypeError(f"a folder, and there is none “{text}”")
    return path
