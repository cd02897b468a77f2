"""The forms that start a table: the question and the list, then the definition derived from them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exports.stored.translate_exported_sentences import translate_stored_text
from research.engine.pipeline_registry import Json
from research.llm.model_settings import engine
from research.pipelines.table.decomposing.read_uploaded_table_files import FileRefused, as_csv
from research.pipelines.table.decomposing.table_request_decomposition import INPUT, MAX_ITEM_LENGTH, MAX_ITEMS
from research.runs.start_and_cancel import MAX_TOPIC, MIN_TOPIC_LENGTH, InvalidTopic, validate_topic
from research.search.chosen_search_services import list_configured_services
from research.web.ask.ask_question_form import offer_folders
from research.web.ask.run_form_choices import SOURCES_WITH_SEARCH, provider_choices
from research.web.ask.run_option_fields import RunOptions
from research.web.site.line_list_form_field import LinesField

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

MAX_FILE = 2_000_000  # bytes; a list of 2,000 items is far smaller
MAX_LIST = 1_000_000  # of the pasted text
MAX_AT_ONCE = 50  # items processed concurrently
MAX_PAGES = 10  # sources for one item
# Options that tables share with other runs; those of the web only if it can be searched.
WEB_ONLY = ("sources", "providers", "priority_domains", "excluded_domains")
KEPT = ("folders", *WEB_ONLY, "languages", "budget_credits")
OWN = ("concurrency", "pages_per_item")


def item_of(line: str) -> str:
    """Return a line of the list as an item. Raises ValueError with a message for the user."""
    item = " ".join(line.split())
    if len(item) > MAX_ITEM_LENGTH:
        text = gettext("“%(item)s…” is longer than %(most)d characters.")
        raise ValueError(text % {"item": item[:40], "most": MAX_ITEM_LENGTH})
    return item


class ListForm(forms.Form):
    """The form for the question and the items: in words, pasted, or from a file.

    `notes` says what is used of the file.
    """

    notes: tuple[str, ...] = ()

    prompt = forms.CharField(
        label=_("What do you want to know about each?"),
        max_length=MAX_TOPIC,
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "dir": "auto",
                "minlength": MIN_TOPIC_LENGTH,
                "placeholder": _("Capital, population and date of independence of each country"),
            }
        ),
        error_messages={"required": _("Say what you want to know about each.")},
    )
    text = forms.CharField(
        label=_("The list"),
        required=False,
        max_length=MAX_LIST,
        help_text=_("One item per line, or rows copied from a spreadsheet. Up to 2,000."),
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=_("… or from a file"),
        required=False,
        help_text=_("CSV, XLSX or text. A column is proposed; you can choose another."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
        error_messages={"empty": _("The file is empty.")},
    )
    client_key = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput, initial=lambda: str(uuid4())
    )

    def clean_prompt(self) -> str:
        try:
            return validate_topic(str(self.cleaned_data["prompt"]))
        except InvalidTopic as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def clean_file(self) -> str:
        """Return the file's rows as CSV; empty if none was sent."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        if (file.size or 0) > MAX_FILE:
            text = gettext("The file is larger than %(most)d MB.")
            raise forms.ValidationError(text % {"most": MAX_FILE // 1_000_000})
        try:
            listed = as_csv(file.name or "", bytes(file.read()))
        except FileRefused as refusal:
            raise forms.ValidationError(translate_stored_text(str(refusal))) from refusal
        self.notes = (listed.note,) if listed.note else ()
        return listed.text

    def clean(self) -> None:
        """Use the file only if nothing was pasted."""
        if self.cleaned_data.get("file") and self.cleaned_data.get("text", "").strip():
            self.add_error("file", gettext("Paste the list or choose a file, not both."))


class TableForm(RunOptions):
    """The form for the definition of a table, which can be changed before anything is spent."""

    prompt = ListForm.base_fields["prompt"]
    items = LinesField(_("Items"), _("One per line; each becomes a row."), MAX_ITEMS, item_of)
    template = forms.CharField(
        label=_("Question for each item"),
        required=False,
        max_length=2_000,
        help_text=_("{{input}} stands for the item."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    concurrency = forms.IntegerField(
        label=_("Side by side"),
        required=False,
        initial=10,
        min_value=1,
        max_value=MAX_AT_ONCE,
        help_text=_("How many items are worked on at once, from 1 to 50."),
        widget=forms.NumberInput(attrs={"min": 1, "max": MAX_AT_ONCE}),
    )
    pages_per_item = forms.IntegerField(
        label=_("Sources per item"),
        required=False,
        initial=3,
        min_value=1,
        max_value=MAX_PAGES,
        help_text=_("How many are read for each item, from 1 to 10."),
        widget=forms.NumberInput(attrs={"min": 1, "max": MAX_PAGES}),
    )
    text = forms.CharField(required=False, max_length=MAX_LIST, widget=forms.HiddenInput)
    client_key = forms.CharField(required=False, max_length=36, widget=forms.HiddenInput)
    proposal = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput
    )  # the run that it repeats

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, object] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}))
        hidden = set(RunOptions.base_fields) - set(KEPT)
        hidden |= set() if list_configured_services() else set(WEB_ONLY)
        # Without a model there is nothing to spend.
        hidden |= {"budget_credits"} if engine() == "extractive" else set()
        hidden |= set() if offer_folders(self) else {"folders"}
        hidden |= set() if self._offer("providers", provider_choices()) else {"providers"}
        for name in hidden:
            del self.fields[name]
        self.fields["items"].widget.attrs |= {"rows": 10, "dir": "auto"}
        if "sources" in self.fields:
            self._offer("sources", SOURCES_WITH_SEARCH)
            self.fields["sources"].initial, self.fields["sources"].required = "library", False

    def _offer(self, name: str, choices: Sequence[tuple[str, str | Promise]]) -> bool:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices
        return bool(choices)

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in (*KEPT, *OWN) if name in self.fields and name != "folders"]

    @property
    def is_open(self) -> bool:
        """Return True if an option is wrong, so that the options must not be hidden."""
        return any(name in self.errors for name in (*KEPT, *OWN))

    def clean_items(self) -> list[str]:
        items = list(self.cleaned_data["items"])
        if not items:
            raise forms.ValidationError(gettext("Name at least one item."))
        return items

    def clean_template(self) -> str:
        template = str(self.cleaned_data["template"]).strip()
        if template and INPUT not in template:
            raise forms.ValidationError(gettext("Write {{input}} where the item belongs."))
        return template

    def request_values(self) -> dict[str, Json]:
        """Return the values of a valid form that distinguish one request from another."""
        return self.config() | {name: self.cleaned_data[name] for name in ("items", "template")}

    def config(self) -> dict[str, Json]:
        """Return the configuration from a valid form, without empty fields."""
        cleaned = self.cleaned_data
        return {name: cleaned[name] for name in (*KEPT, *OWN) if cleaned.get(name) not in (None, "", [])}
