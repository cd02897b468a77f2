"""Refusals of actions on a table, with messages for the user."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from research.llm.budgets.credits import CreditsShort
from research.runs.start_and_cancel import RunActionRefused


class TableRefused(RunActionRefused):
    """It can't be done so, or not now; str(error) tells the user why. Nothing was changed."""


@contextmanager
def credits_in_words() -> Iterator[None]:
    """Raises TableRefused for CreditsShort."""
    try:
        yield
    except CreditsShort as short:
        words = {"needed": number_format(short.needed, 2), "available": number_format(short.available, 2)}
        raise TableRefused(
            _("This would take %(needed)s credits; the workspace has %(available)s.") % words
        ) from short
