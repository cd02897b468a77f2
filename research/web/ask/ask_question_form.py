"""The form for a question, with details that all have a default."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exports.files.request_export import available
from research.engine.pipeline_registry import Json
from research.library.library_contents import stock
from research.library.library_folders import Folder, library_folders
from research.library.sample.sample_library_progress import is_under_way
from research.llm.model_settings import engine
from research.models import LibraryDocument, Run
from research.pipelines.report.report_config import DEPTHS, ConfigError, ReportConfig, parse_config
from research.pipelines.report.report_required_sources import why_not_read
from research.runs.start_and_cancel import MAX_TOPIC, MIN_TOPIC_LENGTH, InvalidTopic, validate_topic
from research.search.chosen_search_services import list_configured_services
from research.web.ask.library_scope_field import ScopeField, as_choice
from research.web.ask.run_form_choices import (
    SOURCES_WITH_SEARCH,
    SOURCES_WITHOUT,
    provider_choices,
    source_counts,
)
from research.web.ask.run_option_fields import CONTENT, FILTERS, LENGTH, SEARCH_ONLY, WHERE, RunOptions
from research.web.site.line_list_form_field import LinesField

# Suggestions for a more specific question are shown while it is typed.
SHARPENING = {
    "hx-post": reverse_lazy("research:new_run"),
    "hx-trigger": "input changed delay:600ms",
    "hx-target": "#sharper",
    "hx-swap": "innerHTML",
}

_NOT_YET_READ = _(
    "The library is still being read, and no document is ready yet. Try again in a moment: your question is "
    "kept here."
)
_NOTHING_THERE = _(
    "The library is empty, so there is nothing to answer from: add documents to it, or name a page to read."
)


@dataclass(frozen=True, slots=True)
class CleanedQuestion:
    """A cleaned question with its configuration, ready to start a run."""

    topic: str
    config: Mapping[str, Json]
    client_key: str | None  # None: the form had no key


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that belong together; `is_open` if one of them was changed or is wrong."""

    key: str
    fields: Sequence[forms.BoundField]
    is_open: bool


class QuestionForm(forms.Form):
    """The question and the folders to search, as on the first page."""

    question = forms.CharField(
        label=_("What do you want to know?"),
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "dir": "auto",
                "autocomplete": "off",
                "minlength": MIN_TOPIC_LENGTH,
                "maxlength": MAX_TOPIC,
                "placeholder": _("Ask in a full sentence. Names, versions, years and places help."),
            }
        ),
        error_messages={"required": _("Write a question first.")},
    )
    # Generated for each form: a second click finds the run of the first.
    client_key = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput, initial=lambda: str(uuid4())
    )

    folders = ScopeField()

    def clean_question(self) -> str:
        try:
            return validate_topic(str(self.cleaned_data["question"]))
        except InvalidTopic as refusal:
            raise forms.ValidationError(str(refusal), code="invalid_topic") from refusal


class NewRunForm(QuestionForm, RunOptions):
    """A question with optional details, which `ReportConfig` defines."""

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, object] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.config: ReportConfig | None = None
        self.can_search = bool(list_configured_services())
        self.has_documents = offer_folders(self)
        self.fields["question"].widget.attrs |= SHARPENING
        self._offer("providers", provider_choices())
        self._offer("sources_per_claim", source_counts())
        self._offer("exports", [(writer.format.value, writer.format.label) for writer in available()])
        self._offer("sources", SOURCES_WITH_SEARCH if self.can_search else SOURCES_WITHOUT)
        self.fields["sources"].initial = "library" if self.can_search else "both"
        if not self.can_search:
            for name in SEARCH_ONLY:
                del self.fields[name]
        if engine() == "extractive":  # without a model there is nothing to spend
            del self.fields["budget_credits"]
        if data is not None:
            self.data = self._fill_defaults(data)

    def _fill_defaults(self, data: QueryDict) -> QueryDict:
        """Add defaults for fields that were not sent: the first page sends the question only.

        With a draft of the plan, the plan must be approved before it is carried out.
        """
        completed = data.copy()
        for name, field in self.fields.items():
            if name in DETAILS and field.initial is not None:
                completed.setdefault(name, str(field.initial))
        if "draft" in data:
            completed["plan_approval"] = "ask"
        return completed

    def _offer(self, name: str, choices: Sequence[tuple[str, str | Promise]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    @property
    def groups(self) -> list[FieldGroup]:
        """Return the groups of details; documents and search services only if there is a choice."""
        hidden = set() if self.has_documents else {"documents"}
        hidden |= {"providers"} if len(list_configured_services()) < 2 else set()
        touched = {*self.changed_data, *self.errors} if self.is_bound else set(self.initial)
        shown = {
            key: [name for name in names if name in self.fields and name not in hidden]
            for key, names in (
                ("content", CONTENT),
                ("where", WHERE),
                ("filters", FILTERS),
                ("length", LENGTH),
            )
        }
        return [
            FieldGroup(key, [self[name] for name in names], not touched.isdisjoint(names))
            for key, names in shown.items()
        ]

    @property
    def is_detailed(self) -> bool:
        """Return True if a detail was changed or is wrong, so that it must not be hidden."""
        return any(group.is_open for group in self.groups)

    def clean(self) -> None:
        super().clean()
        self._check_pages()
        if "urls" not in self.errors:
            self._check_config()
        self._check_stock()

    def _check_pages(self) -> None:
        urls, sources = self.cleaned_data.get("urls"), self.cleaned_data.get("sources")
        if urls and sources:
            for fault in filter(None, (why_not_read(url, sources) for url in urls)):
                self.add_error("urls", fault)
        elif sources == "web" and not self.can_search and "urls" not in self.errors:
            self.add_error("urls", gettext("Name a page to read, or use your library as well."))

    def _check_stock(self) -> None:
        """Add an error if there is nothing to search; the form keeps the input."""
        named = any(self.cleaned_data.get(name) for name in ("urls", "folders", "documents"))
        if self.errors or named or "schedule" in self.data:
            return
        if self.can_search and self.cleaned_data.get("sources") != "library":
            return
        in_stock = stock()
        if not in_stock.ready:
            self.add_error(None, _NOT_YET_READ if in_stock.waiting or is_under_way() else _NOTHING_THERE)

    def _check_config(self) -> None:
        """Assign each error of the configuration to the field that causes it."""
        try:
            self.config = parse_config(self._values())
        except ConfigError as error:
            for complaint in error.complaints:
                name = complaint.name.partition(".")[0]
                if name not in self.errors:
                    self.add_error(name if name in self.fields else None, complaint.message)

    def _values(self) -> dict[str, object]:
        """Return the submitted values, keyed by their names in the configuration."""
        cleaned = self.cleaned_data
        values = {name: cleaned[name] for name in DETAILS if cleaned.get(name) not in (None, "", [])}
        if not self.can_search and not cleaned.get("urls"):
            values.pop("sources", None)  # the web is the pasted pages
        return values

    def build_question(self) -> CleanedQuestion:
        """Return the input of a valid form, without values that equal their defaults."""
        if self.config is None:
            raise ValueError("an invalid form asks nothing")
        config = self.config.model_dump(mode="json", exclude_defaults=True)
        question = self.cleaned_data["question"]
        return CleanedQuestion(question, config, key_of(self.cleaned_data["client_key"], question, config))


DETAILS = ("folders", *CONTENT, *WHERE, *FILTERS, *LENGTH)


def key_of(form_key: str, question: str, config: Mapping[str, Json]) -> str | None:
    """Return the client key of a form and its input; None if the form has no key.

    Different input gets a different key, so that going back and asking something else starts another run.
    """
    asked = json.dumps([question, config], sort_keys=True).encode()
    return f"{form_key}.{sha256(asked).hexdigest()[:32]}" if form_key else None


def build_initial_values(run: Run) -> dict[str, object]:
    """Return the form's initial values for repeating a run. Needs the tenant set."""
    initial: dict[str, object] = {"question": run.topic}
    config = dict(run.config)
    if config.get("target_sources") == DEPTHS[config.get("depth", "standard")]:
        config.pop("target_sources")
    if config.get("documents"):
        rows = LibraryDocument.objects.in_bulk(config["documents"])
        config["documents"] = [row.path for row in rows.values()]
    for name in DETAILS:
        if name in config:
            initial[name] = as_typed(NewRunForm.base_fields[name], config[name])
    initial["folders"] = as_choice(config.get("folders", []), library_folders())
    return initial


def as_typed(field: forms.Field, value: object) -> object:
    """Format a stored setting as a person would type it."""
    if not isinstance(value, list) or isinstance(field, forms.MultipleChoiceField):
        return value
    return ("\n" if isinstance(field, LinesField) else ", ").join(map(str, value))


def offer_folders(form: forms.Form, there: Sequence[Folder] | None = None) -> bool:
    """Offer the library's folders in the form; return False if there is none. Needs the tenant set."""
    field = form.fields["folders"]
    return isinstance(field, ScopeField) and field.offer(library_folders() if there is None else there)
