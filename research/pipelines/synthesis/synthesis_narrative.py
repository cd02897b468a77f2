"""The structured form of a synthesis that programs send and receive: sections of claims that name their studies.

The older form is plain text.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from exports.document.document_tree import Document
from research.pipelines.synthesis.store_synthesis_evidence_table import TABLE_HEADING
from research.pipelines.synthesis.synthesis_result import StudyRow, Synthesis
from research.pipelines.synthesis.synthesis_study_rows import Study, labels_of

MAX_SECTIONS, MAX_CLAIMS, MAX_WARNINGS = 20, 200, 50
StudyName = str | int  # a study's id, label, DOI, or row number from 1


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class NarrativeClaim(_Given):
    """A claim and the studies on which it is based. Strength and confidence are computed; given values are ignored."""

    text: str = Field(max_length=2_000, validation_alias=AliasChoices("text", "claim", "statement"))
    studies: list[StudyName] = Field(
        default_factory=list,
        max_length=500,
        validation_alias=AliasChoices(
            "studies",
            "study_ids",
            "studyIds",
            "supporting_studies",
            "supportingStudies",
            "citations",
            "sources",
        ),
    )
    strength: Literal["strong", "moderate", "limited", ""] = ""
    confidence: float | None = None


class NarrativeSection(_Given):
    heading: str = Field(
        default="", max_length=300, validation_alias=AliasChoices("heading", "title", "name", "section")
    )
    claims: list[NarrativeClaim] = Field(max_length=MAX_CLAIMS)


class NarrativeWarning(_Given):
    """A warning. `type`: a gap, or a weakness of the studies. `computed`: counted from the rows, not proposed."""

    type: str = "quality"
    text: str = Field(max_length=2_000, validation_alias=AliasChoices("text", "message", "description"))
    computed: bool = True


class NarrativeSynthesis(_Given):
    sections: list[NarrativeSection] = Field(max_length=MAX_SECTIONS)
    warnings: list[NarrativeWarning] = Field(default_factory=list, max_length=MAX_WARNINGS)


class SynthesisAnswer(BaseModel):
    """A finished synthesis for programs. In the older form `narrative_synthesis` is its text, in Markdown."""

    title: str
    form: Literal["studies", "text"]
    studies: list[StudyRow]
    narrative_synthesis: NarrativeSynthesis | str


def read_narrative(given: object) -> NarrativeSynthesis | str:
    """Return a narrative synthesis, or the text of an older one. Raises ValidationError.

    A structured form that was stored as text is JSON in a string.
    """
    if isinstance(given, str):
        if given.lstrip().startswith("{"):
            try:
                return NarrativeSynthesis.model_validate(json.loads(given))
            except (ValueError, ValidationError, RecursionError):
                return given
        return given
    return NarrativeSynthesis.model_validate(given)


def number_studies(claims: Sequence[StudyName], studies: Sequence[Study]) -> Iterator[int]:
    """Yield the row numbers, from 1, of the named studies; unknown names are skipped."""
    numbers = name_rows(studies)
    for name in claims:
        number = numbers.get(_key(str(name)))
        if number is None and str(name).isdigit() and 1 <= int(name) <= len(studies):
            number = int(name)
        if number is not None:
            yield number


def name_rows(studies: Sequence[Study]) -> Mapping[str, int]:
    """Return row numbers by every name of the row."""
    numbers: dict[str, int] = {}
    for number, (study, label) in enumerate(zip(studies, labels_of(studies), strict=True), 1):
        for name in (study.id, label, study.doi, study.title):
            if name:
                numbers.setdefault(_key(name), number)
    return numbers


def _key(name: str) -> str:
    return " ".join(name.strip(" []()").casefold().split())


def synthesis_answer(document: Document, own: Synthesis) -> SynthesisAnswer:
    """Return a synthesis in the form for programs. Pure."""
    return SynthesisAnswer(
        title=document.title,
        form=own.form,
        studies=own.studies,
        narrative_synthesis=own.text if own.form == "text" else _narrative(document, own),
    )


def _narrative(document: Document, own: Synthesis) -> NarrativeSynthesis:
    names = {row.source: row.id or row.number for row in own.studies}
    sections = [
        NarrativeSection(
            heading=section.heading,
            claims=[
                NarrativeClaim(
                    text=claim.text,
                    studies=list(
                        dict.fromkeys(
                            names[str(citation.source.id)]
                            for citation in claim.citations
                            if str(citation.source.id) in names
                        )
                    ),
                    strength=claim.strength,
                    confidence=claim.confidence,
                )
                for claim in section.claims
            ],
        )
        for section in document.sections
        if section.heading != TABLE_HEADING
    ]
    warnings = [
        NarrativeWarning(type=kind, text=concern.text, computed=concern.computed)
        for kind, concerns in (("quality", document.warnings), ("gap", document.gaps))
        for concern in concerns
    ]
    return NarrativeSynthesis(sections=sections, warnings=warnings)
