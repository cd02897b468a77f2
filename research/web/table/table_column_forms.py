"""Forms for the columns of a table, including a column that is added later."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from research.pipelines.table.table_columns import (
    MAX_DESCRIPTION_LENGTH,
    MAX_FIELDS,
    MAX_FORMAT,
    MAX_NAME,
    MAX_PATTERN,
    MAX_TITLE,
    TableField,
    name_of,
)
from research.web.table.table_view import TYPES

PREFIX = "field"
DESCRIBING = ("title", "type", "format", "description")  # number of columns
EXAMPLES = _("Such as year, day, km², EUR, %")


class FieldForm(forms.Form):
    """The form for a column; a form without a title defines none."""

    title = forms.CharField(
        label=_("Title"),
        required=False,
        max_length=MAX_TITLE,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    type = forms.ChoiceField(label=_("Kind of value"), choices=list(TYPES.items()), initial="string")
    format = forms.CharField(
        label=_("Format or unit"),
        required=False,
        max_length=MAX_FORMAT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": EXAMPLES}),
    )
    description = forms.CharField(
        label=_("What exactly to find"),
        required=False,
        max_length=MAX_DESCRIPTION_LENGTH,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    many = forms.BooleanField(label=_("Several values"), required=False)
    name = forms.CharField(
        label=_("Name in files"),
        required=False,
        max_length=MAX_NAME,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    pattern = forms.CharField(required=False, max_length=MAX_PATTERN, widget=forms.HiddenInput)

    def clean(self) -> None:
        """Derive a name from the title if none is given."""
        super().clean()
        cleaned = self.cleaned_data
        if not cleaned.get("title"):
            if any(cleaned.get(name) for name in ("name", "description", "format")):
                self.add_error("title", gettext("Give the column a title."))
            return
        cleaned["name"] = cleaned.get("name") or name_of(cleaned["title"])
        if not cleaned["name"]:
            self.add_error(
                "name", gettext("Give a name in Latin letters: none can be derived from the title.")
            )
        elif not self.errors:
            self._check(cleaned)

    def _check(self, cleaned: dict[str, object]) -> None:
        try:
            self.field = TableField.model_validate({name: cleaned[name] for name in TableField.model_fields})
        except ValidationError as error:
            for fault in error.errors():
                name = str(fault["loc"][0]) if fault["loc"] else "name"
                self.add_error(
                    name, gettext("Use lowercase letters, digits and underscores, starting with a letter.")
                )

    @property
    def is_blank(self) -> bool:
        return not self.cleaned_data.get("title")

    @property
    def shown_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in DESCRIBING]


if TYPE_CHECKING:
    FieldForms = BaseFormSet[FieldForm]
else:
    FieldForms = BaseFormSet


class FieldFormSet(FieldForms):
    """The columns of a table in their order, and an empty form for another."""

    def clean(self) -> None:
        if any(self.errors):
            return
        names = [field.name for field in self.table_fields]
        if not names:
            raise forms.ValidationError(gettext("A table needs at least one column."))
        if twice := {name for name in names if names.count(name) > 1}:
            text = gettext("Two columns have the name “%(name)s”.")
            raise forms.ValidationError(text % {"name": min(twice)})

    @property
    def table_fields(self) -> list[TableField]:
        """Return the columns of a valid formset, without those marked for removal and blank ones."""
        kept = [form for form in self.forms if form not in self.deleted_forms and not form.is_blank]
        return [form.field for form in kept]


_made = formset_factory(
    FieldForm,
    formset=FieldFormSet,
    extra=1,
    max_num=MAX_FIELDS,
    absolute_max=MAX_FIELDS + 1,
    can_delete=True,
)


def fields_of(data: QueryDict) -> FieldFormSet:
    """Return the submitted columns."""
    return cast("FieldFormSet", _made(data, prefix=PREFIX))


def fields_for(fields: Sequence[TableField]) -> FieldFormSet:
    """Return the forms of proposed columns."""
    proposed = [field.model_dump(mode="json") for field in fields]
    return cast("FieldFormSet", _made(initial=proposed, prefix=PREFIX))
