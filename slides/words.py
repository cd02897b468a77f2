"""Words of decks for the values that they hold; the same as those of the report."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_STRENGTHS: dict[str, Promise] = {"strong": _("Strong"), "moderate": _("Moderate"), "limited": _("Limited")}


def strength_of(value: str) -> str:
    """A word that is not known stands for itself."""
    return str(_STRENGTHS.get(value, value))
