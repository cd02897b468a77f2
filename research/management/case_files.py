"""Labelled cases out of a file that a person named."""

from pathlib import Path

from django.core.management.base import CommandError

from research.evaluation.labelled_cases import AnyCase, BadLine, read_cases


def cases_in(path: Path, form: type[AnyCase]) -> list[AnyCase]:
    """Raises CommandError, which names the file, where it cannot be read or one of its lines is no case."""
    try:
        with path.open(encoding="utf-8") as lines:
            return list(read_cases(lines, form))
    except (OSError, UnicodeDecodeError, BadLine) as error:
        raise CommandError(f"{path}: {error}") from error
