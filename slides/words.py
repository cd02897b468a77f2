"""Labels of values in decks, which are those of reports."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_STRENGTHS: dict[str, Promise] = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}


def strength_of(value: str) -> str:
    """Return the label of a strength; an unknown value itself."""
    return str(_STRENGTHS.get(value, value))
