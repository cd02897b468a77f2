"""Labels of values in decks, which are the same as in reports."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_STRENGTHS: dict[str, Promise] = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}


def strength_of(value: str) -> str:
    """Return the label of a strength, or the value itself if it is unknown."""
    return str(_STRENGTHS.get(value, value))
