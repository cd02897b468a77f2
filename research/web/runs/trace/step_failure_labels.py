"""Describes the consequence of a step's failure, by its definition. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from pydantic import JsonValue

from exports.stored.translate_exported_sentences import translate_stored_text
from research.engine.states.step_failures import DEFINITIONS, Then

FOLLOWS: Mapping[Then, Promise] = {
    Then.CONTINUE: gettext_lazy("the run continues without it"),
    Then.FAIL_RUN: gettext_lazy("the run ends"),
    Then.REDUCE_SCOPE: gettext_lazy("the report covers less"),
    Then.SKIP_SOURCE: gettext_lazy("the source is skipped"),
    Then.REMOVE_UNVERIFIED: gettext_lazy("what did not hold is removed from the report"),
    Then.STRICT_MODE: gettext_lazy("the section is written again, strictly"),
}


@dataclass(frozen=True, slots=True)
class PastFailure:
    """A failed execution and its consequence. Tracebacks are for operators, in the admin."""

    attempt: int
    code: str
    message: str
    follows: str

    def __str__(self) -> str:
        sentences = {
            "number": self.attempt,
            "why": translate_stored_text(self.message),
            "code": self.code,
            "follows": self.follows,
        }
        return _("Attempt %(number)s failed: %(why)s (%(code)s): %(follows)s") % sentences


def past_failures(output: Mapping[str, object]) -> tuple[PastFailure, ...]:
    """Return the failures of a step's output, skipping malformed ones."""
    found = output.get("failures")
    rows = [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []
    return tuple(_failures(rows, is_completed=len(output) > 1))


def _failures(rows: Sequence[Mapping[str, object]], *, is_completed: bool) -> Iterator[PastFailure]:
    for number, row in enumerate(rows, start=1):
        is_newest = number == len(rows) and not is_completed
        is_last = row["retry_in_s"] is None if "retry_in_s" in row else is_newest
        code = str(row.get("code", ""))
        follows = what_follows(code, row.get("retry_in_s"), is_last=is_last)
        yield PastFailure(_int_or_zero(row.get("attempt")), code, str(row.get("message", "")), follows)


def what_follows(code: str, retry_in_s: object, *, is_last: bool) -> str:
    """Return the consequence of a failure.

    `retry_in_s` is the step's value; steps of earlier versions lack it, and then `is_last` decides.
    """
    if isinstance(retry_in_s, int | float):
        seconds = round(retry_in_s)
        words = ngettext("tried again after %(count)d second", "tried again after %(count)d seconds", seconds)
        return _("tried again at once") if seconds == 0 else words % {"count": seconds}
    if not is_last:
        return _("tried again")
    definition = DEFINITIONS.get(code)
    return str(FOLLOWS[definition.then if definition else Then.CONTINUE])


def _int_or_zero(value: object) -> int:
    return value if isinstance(value, int) else 0


def without_failures(output: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the output without failures, which the page describes beside it without tracebacks."""
    return {name: value for name, value in output.items() if name != "failures"}
