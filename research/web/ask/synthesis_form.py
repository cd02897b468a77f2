"""The form that requests a synthesis: of a table of studies, whose columns are mapped in a second step, a report, or
a text.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from research.models import Kind, Run, State
from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.report.report_config import ConfigError
from research.pipelines.synthesis.read_synthesis_files import LARGEST, grid_of, read_grid
from research.pipelines.synthesis.start_synthesis import SynthesisInput, input_of, read_file, start_synthesis
from research.pipelines.synthesis.synthesis_study_columns import (
    MappedStudies,
    StudyTable,
    guess_mapping,
    map_rows,
)
from research.web.ask.ask_question_form import key_of
from research.web.ask.run_kind_pages import FormRefused, KindForm
from research.web.site.uploaded_form_file import read_uploaded_file

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FIRST_SHOWN = 5  # rows of the preview
OLDER = (".md", ".markdown")
NAMES: Mapping[str, "_StrPromise"] = {
    "title": pgettext_lazy("study", "Title"),
    "authors": pgettext_lazy("study", "Authors"),
    "year": pgettext_lazy("study", "Year"),
    "doi": _("DOI"),
    "journal": pgettext_lazy("study", "Journal"),
    "design": pgettext_lazy("study", "Design"),
    "population": pgettext_lazy("study", "Population"),
    "sample_size": pgettext_lazy("study", "Sample size"),
    "outcome": pgettext_lazy("study", "Outcome"),
    "finding": pgettext_lazy("study", "Finding"),
    "direction": pgettext_lazy("study", "Direction"),
    "preprint": pgettext_lazy("study", "Preprint"),
    "url": pgettext_lazy("study", "Address"),
    "evidence": pgettext_lazy("study", "Own words or abstract"),
}


class SynthesisForm(KindForm):
    """First asks for the file; with `grid` filled in, for the meaning of its columns."""

    title = forms.CharField(
        label=_("What is it about?"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    file = forms.FileField(
        label=_("The studies, as a file"),
        required=False,
        help_text=_(
            "CSV, XLSX, BibTeX or RIS; or Markdown: a synthesis of the older form. Up to 500 studies."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.xlsx,.bib,.ris,.txt,.json,.md"}),
        error_messages={"empty": _("The file is empty.")},
    )
    text = forms.CharField(
        label=_("… or pasted"),
        required=False,
        max_length=LARGEST,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto", "spellcheck": "false"}),
    )
    report = forms.ChoiceField(label=_("… or the academic sources of a report"), required=False)
    grid = forms.CharField(required=False, max_length=3 * LARGEST, widget=forms.HiddenInput)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        self.table = self._parse_table()
        self.read: StudyTable | None = None
        if self.table is None:
            self.fields["report"].choices = [("", "—"), *_reports()]  # type: ignore[attr-defined]  # a ChoiceField
            return
        for name in ("file", "text", "report"):
            del self.fields[name]
        guessed = guess_mapping(self.table.headers, self.table.rows)
        for field, label in NAMES.items():
            self.fields[f"column_{field}"] = forms.ChoiceField(
                label=label,
                required=field == "title",
                choices=[("", "—"), *((header, header) for header in self.table.headers)],
                initial=guessed.get(field, ""),
            )

    def _parse_table(self) -> StudyTable | None:
        given = self.data.get("grid") or self.initial.get("grid") or ""
        try:
            headers, rows = json.loads(str(given)) if given else ((), ())
            table = StudyTable(tuple(headers), tuple(map(tuple, rows)))
        except (ValueError, TypeError, RecursionError):
            return None
        is_text = all(isinstance(cell, str) for row in (table.headers, *table.rows) for cell in row)
        return table if table.headers and is_text else None

    @property
    def sample(self) -> str:  # type: ignore[override]  # only if there is a table to show
        return "research/ask/_synthesis_sample.html" if self.table else ""

    @property
    def action(self) -> str:  # type: ignore[override]  # depends on the step
        return gettext("Make the synthesis") if self.table else ""

    @property
    def asked_fields(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if not field.name.startswith("column_")]

    @property
    def columns(self) -> list[forms.BoundField]:
        """Return the fields that assign a meaning to each column, which are shown side by side."""
        return [field for field in self.visible_fields() if field.name.startswith("column_")]

    @property
    def first_rows(self) -> tuple[tuple[str, ...], ...]:
        return self.table.rows[:FIRST_SHOWN] if self.table else ()

    @property
    def problems(self) -> list[str]:
        """Return the problems of the current mapping, at most ten."""
        if self.table is None:
            return []
        try:
            found = map_rows(self.table, self._read_mapping())
        except InputRefused as refusal:
            return [refusal.message]
        return [str(problem) for problem in found.problems[:10]]

    def _read_mapping(self) -> dict[str, str]:
        values = {field: str(self[f"column_{field}"].value() or "") for field in NAMES}
        return {field: column for field, column in values.items() if column}

    def clean_file(self) -> tuple[str, bytes] | None:
        return read_uploaded_file(self.cleaned_data["file"], LARGEST)

    def clean(self) -> None:
        if self.table is not None:
            self._check_columns()
            return
        given = [name for name in ("file", "text", "report") if self.cleaned_data.get(name)]
        if not given and not self.errors:
            self.add_error("file", gettext("Give the studies: a file, pasted, or those of a report."))
        elif len(given) > 1:
            self.add_error(given[1], gettext("Give the studies in one way, not in several."))
        elif given:
            self._read(given[0])

    def _check_columns(self) -> None:
        if not self.errors and self.table is not None:
            try:
                map_rows(self.table, self._read_mapping())
            except InputRefused as refusal:
                self.add_error("column_title", refusal.message)

    def _read(self, name: str) -> None:
        try:
            if name == "file" and not self._is_whole:
                self.read = read_grid(*self.cleaned_data["file"])
            elif name == "text":
                self.read = grid_of("", self.cleaned_data["text"])
        except InputRefused as refusal:
            self.add_error(name, ValidationError(refusal.message))

    @property
    def _is_whole(self) -> bool:
        """Return True for a file without columns to choose from."""
        file = self.cleaned_data.get("file")
        return file is not None and file[0].casefold().endswith((*OLDER, ".json"))

    def next_form(self) -> "SynthesisForm | None":
        if self.read is None:
            return None
        grid = json.dumps([self.read.headers, self.read.rows], ensure_ascii=False)
        return SynthesisForm(
            initial={
                "grid": grid,
                "title": self.cleaned_data["title"],
                "client_key": self.cleaned_data["client_key"],
            }
        )

    def start(self, owner: User) -> Run:
        """Start the run. Raises FormRefused, InvalidTopic and StartRefused."""
        try:
            asked = self._build_input()
            key = key_of(self.cleaned_data["client_key"], asked.title, asked.model_dump(mode="json"))
            return start_synthesis(owner=owner, asked=asked, config={}, client_key=key)
        except InputRefused as error:
            raise FormRefused(error.message) from error
        except ConfigError as error:
            raise FormRefused(str(error)) from error

    def _build_input(self) -> SynthesisInput:
        title = self.cleaned_data["title"]
        if self.table is not None:
            found: MappedStudies = map_rows(self.table, self._read_mapping())
            return input_of(found, title)
        if self.cleaned_data["report"]:
            return SynthesisInput(title=title, report=self.cleaned_data["report"])
        read = read_file(*self.cleaned_data["file"])
        return read.model_copy(update={"title": title or read.title})


def _reports() -> Iterator[tuple[str, str]]:
    rows = Run.objects.filter(kind=Kind.REPORT, state=State.COMPLETED).order_by("-created_at")
    for pk, topic in rows.values_list("pk", "topic")[:20]:
        yield str(pk), topic[:80]
