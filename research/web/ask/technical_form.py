"""The form that asks a technical question. `TechnicalConfig` defines its limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from research.library.library_folders import library_folders
from research.models import Run
from research.pipelines.report.report_config import ConfigError
from research.pipelines.technical.start_technical import TechnicalInput, start_technical
from research.pipelines.technical.technical_config import (
    MAX_RESULTS,
    Preference,
    QuestionType,
    TechnicalConfig,
    config_of,
    flat,
    parse_config,
    to_run_config,
)
from research.runs.start_and_cancel import MAX_TOPIC, MIN_TOPIC_LENGTH
from research.search.chosen_search_services import list_configured_services
from research.web.ask.ask_question_form import as_typed, key_of, offer_folders
from research.web.ask.library_scope_field import ScopeField, as_choice, first_choice
from research.web.ask.run_form_choices import SOURCES_WITH_SEARCH, Choices
from research.web.ask.run_kind_pages import FormRefused, KindForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

TYPES: Choices = [
    (QuestionType.DOCUMENTATION, _("Documentation: how something works")),
    (QuestionType.BEST_PRACTICES, _("Best practices")),
    (QuestionType.COMPARISON, _("Comparison")),
    (QuestionType.ERROR_RESOLUTION, _("An error and how to fix it")),
    (QuestionType.CODE_EXAMPLES, _("Code examples")),
    (QuestionType.PAPER_SUMMARY, _("What a paper says")),
    (QuestionType.DEPENDENCY, _("Versions and dependencies")),
]
PROJECTS: Choices = [
    ("", _("Any")),
    ("frontend", _("Frontend")),
    ("backend", _("Backend")),
    ("ml", _("Machine learning")),
    ("analytics", _("Analytics")),
    ("fullstack", _("Full stack")),
]
RECENCIES: Choices = [
    ("any", _("Any age")),
    ("latest", _("The latest first")),
    ("year", _("From the last twelve months")),
]
PREFERENCES: Choices = [
    (Preference.OFFICIAL, _("Official documentation")),
    (Preference.GITHUB, _("GitHub")),
    (Preference.STACKOVERFLOW, _("Stack Overflow")),
    (Preference.ACADEMIC, _("Papers")),
    (Preference.BLOGS, _("Blogs")),
]
DEPTHS: Choices = [
    ("quick", _("Quick: one search")),
    ("standard", _("Standard: three searches")),
    ("comprehensive", _("Comprehensive: five searches")),
]
FORMATS: Choices = [("markdown", _("Markdown")), ("json", _("JSON")), ("text", _("Plain text"))]
ASKED = (
    "type",
    "technologies",
    "keywords",
    "problem",
    "project_type",
    "recency",
    "prefer",
    "depth",
    "max_results",
    "include_code",
    "include_diagrams",
    "synthesize",
    "format",
    "sources",
    "folders",
)


def _words(label: "_StrPromise", help_text: "_StrPromise") -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"})
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=1_000, widget=widget)


class TechnicalForm(KindForm):
    rarely_set = frozenset(
        ("project_type", "recency", "prefer", "depth", "max_results")
        + ("include_code", "include_diagrams", "synthesize", "format")
    )
    question = forms.CharField(
        label=_("What do you want to know?"),
        widget=forms.Textarea(
            attrs={"rows": 3, "dir": "auto", "minlength": MIN_TOPIC_LENGTH, "maxlength": MAX_TOPIC}
        ),
        error_messages={"required": _("Write a question first.")},
    )
    type = forms.ChoiceField(label=_("Kind of answer"), choices=TYPES, initial="documentation")
    technologies = _words(
        _("Technologies"), _("Such as pgvector, Faiss. A comparison sets these side by side.")
    )
    keywords = _words(_("Keywords"), _("Words that pages should contain; in a comparison, what is compared."))
    problem = forms.CharField(
        label=_("The problem in its own words"),
        help_text=_("An error message, or what goes wrong."),
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto", "spellcheck": "false"}),
    )
    project_type = forms.ChoiceField(label=_("Kind of project"), choices=PROJECTS, required=False)
    recency = forms.ChoiceField(label=_("Age of sources"), choices=RECENCIES, initial="any")
    prefer = forms.MultipleChoiceField(
        label=_("Sources to prefer"), choices=PREFERENCES, required=False, widget=forms.CheckboxSelectMultiple
    )
    depth = forms.ChoiceField(label=_("Depth"), choices=DEPTHS, initial="standard")
    max_results = forms.IntegerField(
        label=_("Maximum results"), min_value=1, max_value=MAX_RESULTS, initial=10
    )
    include_code = forms.BooleanField(label=_("Show code examples"), required=False, initial=True)
    include_diagrams = forms.BooleanField(label=_("Show diagrams"), required=False)
    synthesize = forms.BooleanField(
        label=_("Summarize: takeaways, and a table for a comparison"), required=False, initial=True
    )
    format = forms.ChoiceField(label=_("Export format"), choices=FORMATS, initial="markdown")
    sources = forms.ChoiceField(
        label=_("Where to look"), choices=SOURCES_WITH_SEARCH, initial="library", widget=forms.RadioSelect
    )
    folders = ScopeField()

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: Mapping[str, object] | None = None,
        *,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, files, initial=dict(initial or {}))  # type: ignore[arg-type]  # values as in a request
        self.config: TechnicalConfig | None = None
        if not offer_folders(self):
            del self.fields["folders"]
        if not list_configured_services():
            del self.fields["sources"]  # without a web search there is no choice

    @property
    def asked_fields(self) -> list[forms.BoundField]:
        """Return all fields except the folders, which are placed below the question."""
        return [field for field in super().asked_fields if field.name != "folders"]

    @classmethod
    def first_values(cls, owner: User) -> Mapping[str, object]:
        return {"folders": first_choice(owner, library_folders())}

    @classmethod
    def again(cls, run: Run) -> Mapping[str, object]:
        config = flat(run.config)
        given = {name: config[name] for name in ASKED if name in config}
        typed = {name: as_typed(cls.base_fields[name], value) for name, value in given.items()}
        folders = as_choice(config_of(run).folders, library_folders())
        return {"question": run.topic, **typed, "folders": folders}

    def clean(self) -> None:
        """Assign each error to the field that causes it."""
        super().clean()
        values = {name: self.cleaned_data[name] for name in ASKED if name in self.cleaned_data}
        try:
            self.config = parse_config(
                {name: value for name, value in values.items() if value not in ("", [])}
            )
        except ConfigError as error:
            for complaint in error.complaints:
                name = complaint.name.partition(".")[0]
                if name not in self.errors:
                    self.add_error(name if name in self.fields else None, complaint.message)

    def start(self, owner: User) -> Run:
        if self.config is None:
            raise ValueError("an invalid form starts nothing")
        question, config = self.cleaned_data["question"], flat(to_run_config(self.config))
        key = key_of(self.cleaned_data["client_key"], question, config)
        try:
            asked = TechnicalInput.model_construct(question=question)
            return start_technical(owner=owner, asked=asked, config=config, client_key=key)
        except ConfigError as error:
            raise FormRefused(str(error)) from error
