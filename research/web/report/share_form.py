"""The form for sharing a report by a link."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

DAYS = [(7, _("a week")), (30, _("30 days")), (90, _("90 days")), (365, _("a year"))]


class ShareForm(forms.Form):
    days = forms.TypedChoiceField(label=_("Valid for"), choices=DAYS, coerce=int, initial=30)
    note = forms.CharField(
        label=_("For whom"),
        required=False,
        max_length=100,
        help_text=_("A note for yourself, to tell links apart."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


def is_sharing_allowed() -> bool:
    """Return True if the operator allows share links."""
    return bool(settings.PLUMBLINE_SHARE_LINKS)
