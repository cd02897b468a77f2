"""Load labelled cases from a file given on the command line."""

from pathlib import Path

from django.core.management.base import CommandError

from research.evaluation.labelled_cases import AnyCase, BadLine, read_cases


def cases_in(path: Path, form: type[AnyCase]) -> list[AnyCase]:
    """Return the cases in a file. Raises CommandError, naming the file, if it or one of its lines can't be
    read.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            return list(read_cases(lines, form))
    except (OSError, UnicodeDecodeError, BadLine) as error:
        raise CommandError(f"{path}: {error}") from error
