"""The form that asks: one question, and details that all have a default."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from research.acquisition.providers.catalogue import configured
from research.estimating import DEFAULT_SOURCES
from research.governance.limits import most
from research.library.folders import library_folders
from research.lifecycle.recipe import Json
from research.models import Run
from research.recipes.report.config import MOST_QUOTES
from research.recipes.report.must_read import pasted_address, site_name, why_not_read
from research.runs import LONGEST_TOPIC, SHORTEST_TOPIC, InvalidTopic, checked_topic
from research.tools.evidence.allowed import MOST_SITES, MOST_URLS
from research.web.line_fields import LinesField
from research.web.words import word

# Without a web search, the web is what is pasted.
SOURCES_WITH_SEARCH = [("library", _("Your library")), ("web", _("The web")), ("both", _("Both"))]
SOURCES_WITHOUT = [
    ("both", _("Your library and the pages named below")),
    ("library", _("Your library alone")),
    ("web", _("The pages named below alone")),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was cleaned, ready to start."""

    topic: str
    config: Mapping[str, Json]
    client_key: str | None  # None: the form had none


class QuestionForm(forms.Form):
    """The question alone, as the first page asks for it."""

    question = forms.CharField(
        label=_("What do you want to know?"),
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "dir": "auto",
                "autocomplete": "off",
                "minlength": SHORTEST_TOPIC,
                "maxlength": LONGEST_TOPIC,
                "placeholder": _("Ask in a full sentence. Names, versions, years and places help."),
            }
        ),
        error_messages={"required": _("Write a question first.")},
    )
    # Made for each form: a second click on the same question finds the first one's run.
    client_key = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput, initial=lambda: str(uuid4())
    )

    def clean_question(self) -> str:
        try:
            return checked_topic(str(self.cleaned_data["question"]))
        except InvalidTopic as refusal:
            raise forms.ValidationError(str(refusal), code="invalid_topic") from refusal


class NewRunForm(QuestionForm):
    """A question; everything else has a default."""

    sources = forms.ChoiceField(label=_("Where to look"), widget=forms.RadioSelect)
    urls = LinesField(
        _("Pages that must be read"),
        _("One address a line. A page is fetched where your library holds no copy of it."),
        MOST_URLS,
        pasted_address,
    )
    excluded_domains = LinesField(
        _("Sites to leave out of the search"),
        _("One a line, such as example.org. What lies under it is left out as well."),
        MOST_SITES,
        site_name,
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
    details: ClassVar = (
        "sources",
        "urls",
        "excluded_domains",
        "folders",
        "target_sources",
        "max_quotes",
        "fact_check",
    )

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, object] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.can_search = bool(configured())
        folders = folder_choices()
        self.has_documents = bool(folders)
        self._offer("folders", folders)
        self._offer("sources", SOURCES_WITH_SEARCH if self.can_search else SOURCES_WITHOUT)
        self.fields["sources"].initial = "library" if self.can_search else "both"
        if not self.can_search:
            del self.fields["excluded_domains"]
        if data is not None:
            self.data = self._completed(data)

    def _completed(self, data: QueryDict) -> QueryDict:
        """With the defaults of what was not sent: the first page sends the question alone."""
        completed = data.copy()
        for name in ("sources", "target_sources", "max_quotes", "fact_check"):
            completed.setdefault(name, str(self.fields[name].initial))
        return completed

    def _offer(self, name: str, choices: Sequence[tuple[str, str | Promise]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    @property
    def shown_details(self) -> list[forms.BoundField]:
        """Fields that are there, but for folders where there are none to choose from."""
        hidden = () if self.has_documents else ("folders",)
        return [self[name] for name in self.details if name in self.fields and name not in hidden]

    @property
    def is_detailed(self) -> bool:
        """Something in the details was changed or is wrong: they must not be hidden."""
        touched = {*self.changed_data, *self.errors} if self.is_bound else self.initial
        return any(name in touched for name in self.details)

    def clean(self) -> None:
        super().clean()
        urls, sources = self.cleaned_data.get("urls"), self.cleaned_data.get("sources")
        if urls and sources:
            for fault in filter(None, (why_not_read(url, sources) for url in urls)):
                self.add_error("urls", fault)
        elif sources == "web" and not self.can_search and "urls" not in self.errors:
            self.add_error("urls", gettext("Name a page to read, or draw on your library as well."))

    def asked(self) -> Asked:
        """For a valid form. What was left as it was is left out."""
        cleaned = self.cleaned_data
        config = {name: cleaned[name] for name in self.details if name in self.changed_data and cleaned[name]}
        config.pop("sources", None)
        if cleaned["sources"] != "library" and (self.can_search or cleaned["urls"]):
            config["sources"] = cleaned["sources"]
        return Asked(cleaned["question"], config, _key(cleaned["client_key"], cleaned["question"], config))


def _key(form_key: str, question: str, config: Mapping[str, Json]) -> str | None:
    """Of a form and what was asked with it: who goes back and asks something else gets another run."""
    asked = json.dumps([question, config], sort_keys=True).encode()
    return f"{form_key}.{sha256(asked).hexdigest()[:32]}" if form_key else None


def asked_before(run: Run) -> dict[str, object]:
    """The form's first values for asking the same again."""
    initial: dict[str, object] = {"question": run.topic}
    for name in NewRunForm.details:
        if name in run.config:
            is_typed = isinstance(NewRunForm.base_fields[name], LinesField)
            initial[name] = "\n".join(run.config[name]) if is_typed else run.config[name]
    return initial


def folder_choices() -> list[tuple[str, str]]:
    """Folders of the library that hold a document ready to be used, with how many."""
    ready = (folder for folder in library_folders() if folder.ready)
    return [(folder.key, f"{word(folder.name, 'folder')} ({_documents(folder.ready)})") for folder in ready]


def _documents(count: int) -> str:
    return ngettext("%(count)d document", "%(count)d documents", count) % {"count": count}
