"""Start a synthesis."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from uuid import UUID

from django.contrib.auth.models import User
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.config import JsonDict

from citations.credibility.source_authority_rules import SourceType
from research.extractive.question.question_translation import detect_language
from research.models import Kind, Run, Source
from research.pipelines.common.pipeline_input_errors import InputRefused, read_object
from research.pipelines.pipeline_kinds import RunKind
from research.pipelines.synthesis.read_synthesis_files import LARGEST, read_grid
from research.pipelines.synthesis.synthesis_config import MAX_TEXT, SynthesisConfig, parse_config
from research.pipelines.synthesis.synthesis_finding_directions import direction_of
from research.pipelines.synthesis.synthesis_narrative import (
    NarrativeSection,
    NarrativeSynthesis,
    number_studies,
    read_narrative,
)
from research.pipelines.synthesis.synthesis_study_columns import (
    MappedStudies,
    StudyTable,
    conclusion_of,
    guess_mapping,
    map_rows,
    study_of,
)
from research.pipelines.synthesis.synthesis_study_rows import (
    MAX_STUDIES,
    MAX_TITLE,
    Direction,
    DistinctStudies,
    Study,
    bare_doi,
    merge_duplicates,
)
from research.runs.start_and_cancel import start_run

TITLES = {
    "en": "What {count} studies find",
    "de": "Was {count} Studien ergeben",
}  # in the language of their findings
TITLES_OF_ONE = {"en": "What one study finds", "de": "Was eine Studie ergibt"}


def _publish_other_names(schema: JsonDict) -> None:
    """Add to the schema that rows may have other field names, like the columns of tables."""
    schema["items"] = {"anyOf": [schema["items"], {"type": "object", "minProperties": 1}]}


class SynthesisInput(BaseModel):
    """The input of a synthesis: studies, a finished report with academic sources, or a text of the older form.

    `narrative_synthesis` was written elsewhere: sections of claims that name their studies, or plain text. The fields
    of studies may be named like the columns of a table, in any spelling.
    """

    model_config = ConfigDict(extra="forbid")

    title: str = Field(default="", max_length=300)
    studies: list[Study] = Field(
        default_factory=list, max_length=MAX_STUDIES, json_schema_extra=_publish_other_names
    )
    notes: list[str] = Field(default_factory=list, max_length=2 * MAX_STUDIES)  # notes on reading its file
    report: UUID | None = None
    text: str = Field(default="", max_length=MAX_TEXT)
    narrative_synthesis: NarrativeSynthesis | str | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_rows(cls, given: object) -> object:
        return read_given(given, is_exact=True) if isinstance(given, dict) else given


def read_given(given: Mapping[str, object], *, is_exact: bool) -> dict[str, object]:
    """Return the input with the fields of its rows renamed to those of a study, mapped like a table's columns.

    `is_exact`: rows that already have these names are kept, so that each value is validated. Raises InputRefused and
    ValidationError.
    """
    values = {name: value for name, value in given.items() if (name, value) != ("title", None)}
    for name in ("narrativeSynthesis", "synthesis"):
        if name in values and "narrative_synthesis" not in values:
            values["narrative_synthesis"] = values.pop(name)
    if values.get("narrative_synthesis") is not None:
        values["narrative_synthesis"] = read_narrative(values["narrative_synthesis"])
    rows = values.get("studies")
    if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
        has_names = {str(key) for row in rows for key in row} <= Study.model_fields.keys()
        has_lists = any(isinstance(value, list | dict) for row in rows for value in row.values())
        if not (is_exact and has_names) or has_lists:
            mapped = _map_records(rows)
            values["studies"] = list(mapped.studies)
            values["notes"] = _notes_on(mapped)[: 2 * MAX_STUDIES]
    return values


def _map_records(rows: Sequence[Mapping[object, object]]) -> MappedStudies:
    headers = tuple(dict.fromkeys(str(key) for row in rows for key in row))
    cells = tuple(tuple(_cell(row.get(key)) for key in headers) for row in rows)
    # Claims refer to the rows as given, so rows of one study are merged later.
    return map_rows(StudyTable(headers, cells), guess_mapping(headers, cells), is_joined=False)


def _notes_on(mapped: MappedStudies) -> list[str]:
    return [
        *map(str, mapped.problems),
        *(f"Row {row}: an earlier row is about the same study." for row in mapped.repeated),
    ]


def read_file(name: str, data: bytes) -> SynthesisInput:
    """Read a table (CSV, TSV, XLSX, BibTeX, RIS), the input as JSON, or Markdown of the older form.

    Raises ConfigError (InputRefused among them).
    """
    suffix = PurePath(name).suffix.casefold()
    if suffix == ".json" or data.lstrip()[:1] == b"{":
        return _from_json(data)
    if suffix in (".md", ".markdown", ".txt"):
        return SynthesisInput(title=PurePath(name).stem, text=data.decode("utf-8", "replace")[:MAX_TEXT])
    grid = read_grid(name, data)
    return input_of(map_rows(grid, guess_mapping(grid.headers, grid.rows)))


def input_of(mapped: MappedStudies, title: str = "") -> SynthesisInput:
    notes = _notes_on(mapped)[: 2 * MAX_STUDIES]
    return KIND.read_input({"title": title, "studies": list(mapped.studies), "notes": notes})


def _from_json(data: bytes) -> SynthesisInput:
    """Read the input as JSON; rows under “studies” may have other field names."""
    given = read_object(data, LARGEST)
    if given.get("studies") == [] and not given.get("text"):
        raise InputRefused("no_rows", "The input holds no study.")
    return KIND.read_input(read_given(given, is_exact=False))


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(_cell, value))
    if isinstance(value, dict):  # an author given as an object
        name = value.get("name") or ", ".join(
            filter(None, map(str, (value.get("family"), value.get("given"))))
        )
        return str(name or "")
    return "" if value is None else str(value)


def start_synthesis(
    *, owner: User, asked: SynthesisInput, config: Mapping[str, object], client_key: str | None = None
) -> Run:
    """Start a run that makes a synthesis.

    Raises ConfigError (InputRefused among them), InvalidTopic and StartRefused.
    """
    given_studies = list(asked.studies) or (studies_of(asked.report) if asked.report else [])
    narrative = asked.narrative_synthesis
    text = asked.text or (narrative if isinstance(narrative, str) else "")
    if not given_studies and not text.strip():
        raise InputRefused("no_rows", "A synthesis needs at least one study.")
    distinct = merge_duplicates([_with_direction(study) for study in given_studies])
    studies = distinct.studies
    given = {
        "studies": [study.model_dump(mode="json", exclude_defaults=True) for study in studies],
        "text": text if not studies or isinstance(narrative, str) else "",
        "notes": [
            *asked.notes,
            *(f"Row {at + 1}: an earlier row is about the same study." for at in distinct.repeated_places),
        ],
    }
    if isinstance(narrative, NarrativeSynthesis):
        given["sections"] = [
            _draft_section(section, given_studies, distinct) for section in narrative.sections
        ]
        given["gaps"] = [warning.text for warning in narrative.warnings if warning.type == "gap"]
    checked = parse_config({**given, **config})
    return start_run(
        owner=owner,
        kind=Kind.SYNTHESIS,
        topic=asked.title.strip() or _title(studies),
        config=checked.model_dump(mode="json", exclude_defaults=True),
        client_key=client_key,
    )


def _title(studies: Sequence[Study]) -> str:
    if not studies:  # a synthesis of the older form, whose studies are not listed
        return "What older studies find"
    language = detect_language(" ".join(study.finding for study in studies))
    titles = TITLES_OF_ONE if len(studies) == 1 else TITLES
    return titles.get(language, titles["en"]).format(count=len(studies))


def _with_direction(study: Study) -> Study:
    """Return the study with a direction; if none was given, it follows from the words of the finding."""
    if study.direction is not Direction.UNCLEAR or "direction" in study.model_fields_set:
        return study
    return study.model_copy(update={"direction": direction_of(study.finding, study.outcome)})


def _draft_section(
    section: NarrativeSection, given_studies: Sequence[Study], distinct: DistinctStudies
) -> dict[str, object]:
    """Return a section whose claims are bound to distinct studies; its claims name rows by their original numbers."""
    claims = [
        {
            "text": claim.text,
            "rows": list(
                dict.fromkeys(
                    distinct.places[number - 1] + 1 for number in number_studies(claim.studies, given_studies)
                )
            ),
        }
        for claim in section.claims
    ]
    return {"heading": section.heading, "claims": claims}


def studies_of(report: UUID) -> list[Study]:
    """Return a finished report's academic sources as studies. Needs the tenant set.

    Raises InputRefused: no_report, no_academic.
    """
    run = Run.objects.filter(pk=report, kind=Kind.REPORT).first()
    if run is None:
        raise InputRefused("no_report", "There is no such report here.")
    rows = Source.objects.filter(run=run, source_type=SourceType.ACADEMIC.value, content__isnull=False)
    sources = rows.select_related("content").order_by("-quality_score", "pk")[:MAX_STUDIES]
    studies = [study for study in map(_study, sources) if study is not None]
    if not studies:
        raise InputRefused("no_academic", "That report has read no academic source.")
    return studies


def _study(source: Source) -> Study | None:
    """Return a source as a study; None if it cannot be one.

    Invalid values are left out, since the metadata of pages is unreliable.
    """
    values: dict[str, object] = {
        "title": (source.title.strip() or source.canonical_url)[:MAX_TITLE],
        "authors": source.author,
        "year": source.published_date[:4] or None,
        "doi": bare_doi(source.url or source.canonical_url),
        "journal": source.publisher,
        "finding": conclusion_of(source.text[:20_000]),
        "url": source.url,
    }
    return study_of(values, lambda _field, _message: None)


KIND = RunKind(
    kind=Kind.SYNTHESIS,
    config=SynthesisConfig,
    input=SynthesisInput,
    start=start_synthesis,
    read_file=read_file,
)
