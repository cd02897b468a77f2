"""Starting a synthesis, whoever asks for it."""

from collections.abc import Mapping
from pathlib import PurePath
from uuid import UUID

from django.contrib.auth.models import User
from pydantic import BaseModel, ConfigDict, Field

from citations.credibility.authority_rules import SourceType
from research.models import Kind, Run, Source
from research.pipelines.common.input_errors import InputRefused, read_object
from research.pipelines.kinds import RunKind
from research.pipelines.synthesis.config import LONGEST_TEXT, SynthesisConfig, parse_config
from research.pipelines.synthesis.files import LARGEST, read_grid
from research.pipelines.synthesis.studies import LONGEST_TITLE, MOST_STUDIES, Study, bare_doi
from research.pipelines.synthesis.study_columns import (
    MappedStudies,
    StudyTable,
    conclusion_of,
    guess_mapping,
    map_rows,
    study_of,
)
from research.runs.start_and_cancel import start_run

TITLE = "What {count} studies find"


class SynthesisInput(BaseModel):
    """The input of a synthesis: studies, a finished report whose academic sources they are, or an older text."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=300)
    studies: list[Study] = Field(default_factory=list, max_length=MOST_STUDIES)
    notes: list[str] = Field(default_factory=list, max_length=2 * MOST_STUDIES)  # what a file left open
    report: UUID | None = None
    text: str = Field(default="", max_length=LONGEST_TEXT)


def read_file(name: str, data: bytes) -> SynthesisInput:
    """A CSV, TSV, XLSX, BibTeX or RIS file by the columns it has; JSON of the input; Markdown of the older form.

    Raises ConfigError (InputRefused among them).
    """
    suffix = PurePath(name).suffix.casefold()
    if suffix == ".json" or data.lstrip()[:1] == b"{":
        return _from_json(data)
    if suffix in (".md", ".markdown", ".txt"):
        return SynthesisInput(title=PurePath(name).stem, text=data.decode("utf-8", "replace")[:LONGEST_TEXT])
    grid = read_grid(name, data)
    return input_of(map_rows(grid, guess_mapping(grid.headers)))


def input_of(mapped: MappedStudies, title: str = "") -> SynthesisInput:
    notes = [
        *map(str, mapped.problems),
        *(f"Row {row}: an earlier row is about the same study." for row in mapped.repeated),
    ]
    return KIND.read_input(
        {"title": title, "studies": list(mapped.studies), "notes": notes[: 2 * MOST_STUDIES]}
    )


def _from_json(data: bytes) -> SynthesisInput:
    """Also rows with other names of columns, under “studies”."""
    given = read_object(data, LARGEST)
    if isinstance(older := given.get("synthesis"), str):
        return KIND.read_input({"title": str(given.get("title") or ""), "text": older})
    rows = given.get("studies")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return KIND.read_input(given)
    headers = tuple(dict.fromkeys(str(key) for row in rows for key in row))
    cells = tuple(tuple(_cell(row.get(key)) for key in headers) for row in rows)
    if not rows:
        raise InputRefused("no_rows", "The input holds no study.")
    return input_of(
        map_rows(StudyTable(headers, cells), guess_mapping(headers)), str(given.get("title") or "")
    )


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(_cell, value))
    return "" if value is None else str(value)


def start_synthesis(
    *, owner: User, asked: SynthesisInput, config: Mapping[str, object], client_key: str | None = None
) -> Run:
    """Raises ConfigError (InputRefused among them), InvalidTopic and StartRefused."""
    studies = list(asked.studies) or (studies_of(asked.report) if asked.report else [])
    if not studies and not asked.text.strip():
        raise InputRefused("no_rows", "A synthesis needs at least one study.")
    given = {
        "studies": [study.model_dump(mode="json", exclude_defaults=True) for study in studies],
        "text": "" if studies else asked.text,
        "notes": asked.notes,
    }
    checked = parse_config({**given, **config})
    return start_run(
        owner=owner,
        kind=Kind.SYNTHESIS,
        topic=asked.title.strip() or TITLE.format(count=len(studies) or "older"),
        config=checked.model_dump(mode="json", exclude_defaults=True),
        client_key=client_key,
    )


def studies_of(report: UUID) -> list[Study]:
    """A finished report's academic sources. Needs the tenant set. Raises InputRefused: no_report, no_academic."""
    run = Run.objects.filter(pk=report, kind=Kind.REPORT).first()
    if run is None:
        raise InputRefused("no_report", "There is no such report here.")
    rows = Source.objects.filter(run=run, source_type=SourceType.ACADEMIC.value, content__isnull=False)
    found = rows.select_related("content").order_by("-quality_score", "pk")[:MOST_STUDIES]
    studies = {one.key: one for one in map(_study, found) if one is not None}
    if not studies:
        raise InputRefused("no_academic", "That report has read no academic source.")
    return list(studies.values())


def _study(source: Source) -> Study | None:
    """Return a source as a study; None if it can't be one.

    Values that a study can't have are left out: pages say of themselves what they like.
    """
    told: dict[str, object] = {
        "title": (source.title.strip() or source.canonical_url)[:LONGEST_TITLE],
        "authors": source.author,
        "year": source.published_date[:4] or None,
        "doi": bare_doi(source.url or source.canonical_url),
        "journal": source.publisher,
        "finding": conclusion_of(source.text[:20_000]),
        "url": source.url,
    }
    return study_of(told, lambda _field, _message: None)


KIND = RunKind(
    kind=Kind.SYNTHESIS,
    config=SynthesisConfig,
    input=SynthesisInput,
    start=start_synthesis,
    read_file=read_file,
)
