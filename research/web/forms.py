"""Forms: the only door for what people type and upload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar
from uuid import uuid4

from django import forms
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from research.estimating import DEFAULT_SOURCES
from research.governance.limits import most
from research.library.folders import library_folders
from research.lifecycle.recipe import Json
from research.recipes.report.config import MOST_QUOTES
from research.runs import LONGEST_TOPIC, SHORTEST_TOPIC, InvalidTopic, checked_topic
from research.web.words import DOCUMENT_STATUSES, word


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was cleaned, ready to start."""

    topic: str
    config: Mapping[str, Json]
    client_key: str


class NewRunForm(forms.Form):
    """A question; everything else has a default."""

    template_name = "research/_fields.html"

    question = forms.CharField(
        label=_("What do you want to know?"),
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "dir": "auto",
                "autocomplete": "off",
                "minlength": SHORTEST_TOPIC,
                "maxlength": LONGEST_TOPIC,
            }
        ),
        error_messages={"required": _("Write a question first.")},
    )
    folders = forms.MultipleChoiceField(
        label=_("Documents to draw on"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: the whole library."),
    )
    target_sources = forms.IntegerField(
        label=_("Sources at most"),
        initial=DEFAULT_SOURCES,
        min_value=1,
        max_value=most("sources"),
        required=False,
        help_text=_("More sources take more time and, with a model, more credits."),
        widget=forms.NumberInput(
            attrs={
                "hx-get": reverse_lazy("research:new_run"),
                "hx-trigger": "input delay:300ms",
                "hx-target": "#estimate",
            }
        ),
    )
    max_quotes = forms.IntegerField(
        label=_("Quotes at most"),
        initial=MOST_QUOTES,
        min_value=1,
        max_value=200,
        required=False,
        help_text=_("Between 1 and 200."),
    )
    fact_check = forms.ChoiceField(
        label=_("Checking"),
        required=False,
        initial="standard",
        choices=[
            ("basic", _("Basic: figures and names")),
            ("standard", _("Standard: also quotes and dates")),
            ("strict", _("Strict: also across sources")),
        ],
    )
    client_key = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    details: ClassVar = ("folders", "target_sources", "max_quotes", "fact_check")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        folders = self.fields["folders"]
        if isinstance(folders, forms.MultipleChoiceField):
            folders.choices = folder_choices()
        self.initial.setdefault("client_key", str(uuid4()))  # a second click finds the first one's run

    def clean_question(self) -> str:
        try:
            return checked_topic(str(self.cleaned_data["question"]))
        except InvalidTopic as refusal:
            raise forms.ValidationError(str(refusal), code="invalid_topic") from refusal

    def asked(self) -> Asked:
        """For a valid form."""
        cleaned = self.cleaned_data
        config = {name: cleaned[name] for name in self.details if cleaned.get(name)}
        return Asked(cleaned["question"], config, cleaned["client_key"])


def folder_choices() -> list[tuple[str, str]]:
    """Folders of the library that hold a document ready to be used, with how many."""
    ready = (folder for folder in library_folders() if folder.ready)
    return [(folder.key, f"{word(folder.name, 'folder')} ({_documents(folder.ready)})") for folder in ready]


def _documents(count: int) -> str:
    return ngettext("%(count)d document", "%(count)d documents", count) % {"count": count}


class RunFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Search questions"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("All")),
            ("active", _("Running")),
            ("waiting", _("Waiting for a person")),
            ("done", _("Done")),
            ("failed", _("Failed")),
            ("cancelled", _("Cancelled")),
        ],
    )


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class UploadForm(forms.Form):
    """The field only: each file is judged by itself, so that one bad file does not refuse the others."""

    documents = forms.FileField(label=_("Files"), widget=ManyFiles(attrs={"multiple": True}))


class LibraryFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Search titles and files"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    folder = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *DOCUMENT_STATUSES.items()]
    )
