"""A form field for a list with one entry a line, such as addresses of pages."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.utils.translation import gettext as _

from research.fetching.strict_urls import UrlRefused
from research.pipelines.report.report_required_sources import shorten_text

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class LinesField(forms.CharField):
    """A field whose cleaned value is the result of `read` for each line, in order, without duplicates and blank
    lines.

    `read` raises UrlRefused, or ValueError with a message for the user. One error names all invalid lines.
    """

    attributes: ClassVar = {"rows": 3, "dir": "ltr", "spellcheck": "false", "autocapitalize": "none"}

    def __init__(
        self, label: "_StrPromise", help_text: "_StrPromise", most: int, read: Callable[[str], str]
    ) -> None:
        widget = forms.Textarea(attrs=self.attributes)
        super().__init__(required=False, label=label, help_text=help_text, widget=widget)
        self.most, self.read = most, read

    def clean(self, value: object) -> list[str]:
        lines = [line.strip() for line in str(value or "").splitlines()]
        values, faults = self._read([line for line in lines if line])
        if len(values) > self.most:
            text = _("You gave %(count)d entries; at most %(most)d are allowed.")
            faults.append(text % {"count": len(values), "most": self.most})
        if faults:
            raise forms.ValidationError(faults)
        return values

    def _read(self, lines: list[str]) -> tuple[list[str], list[str]]:
        """Return the values that were read, without duplicates, and the error messages."""
        values: dict[str, None] = {}
        faults = []
        for line in lines:
            try:
                values[self.read(line)] = None
            except UrlRefused as refusal:
                said = {"line": shorten_text(line), "reason": str(refusal)}
                faults.append(_("“%(line)s” is not a valid site: %(reason)s.") % said)
            except ValueError as refusal:
                faults.append(str(refusal))
        return list(values), faults
