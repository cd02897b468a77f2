"""Parts of the JSON file's schema: claims with their quotes, as W3C annotations target them, and sources."""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

PDF_FRAGMENTS: Literal["http://tools.ietf.org/rfc/rfc3778"] = "http://tools.ietf.org/rfc/rfc3778"


class ExportSchema(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, from_attributes=True, validate_by_name=True, validate_by_alias=True
    )


class NamedValue(ExportSchema):
    """A named part of a figure, 0–1."""

    name: str
    value: float


class Part(ExportSchema):
    """A stretch of a claim, as the source of one of its citations has it."""

    start: int
    end: int
    text: str
    kind: str
    state: Literal["matched", "missing", "conflicting"]
    source: str
    citation: UUID
    source_start: int | None
    source_end: int | None


class TextQuote(ExportSchema):
    """https://www.w3.org/TR/annotation-model/#text-quote-selector"""

    type: Literal["TextQuoteSelector"] = "TextQuoteSelector"
    exact: str
    prefix: str
    suffix: str


class TextPosition(ExportSchema):
    """https://www.w3.org/TR/annotation-model/#text-position-selector, in the text as it was read."""

    type: Literal["TextPositionSelector"] = "TextPositionSelector"
    start: int
    end: int


class Fragment(ExportSchema):
    """https://www.w3.org/TR/annotation-model/#fragment-selector: a page, as `page=3`."""

    type: Literal["FragmentSelector"] = "FragmentSelector"
    conforms_to: Literal["http://tools.ietf.org/rfc/rfc3778"] = Field(PDF_FRAGMENTS, alias="conformsTo")
    value: str


Selector = Annotated[TextQuote | TextPosition | Fragment, Field(discriminator="type")]


class Target(ExportSchema):
    """The words of a source, as a W3C annotation targets them."""

    type: Literal["SpecificResource"] = "SpecificResource"
    source: str  # its URL, or urn:uuid: with its id if it has none
    selector: list[Selector]


class Recheck(ExportSchema):
    outcome: str
    on: date
    now: str


class CellNames(ExportSchema):
    """The names of the table row and columns that a quote is from; either may be empty."""

    row: str
    columns: list[str]


class Citation(ExportSchema):
    """Evidence for a claim: `target` holds the quote, `source` is the id of an entry of `sources`."""

    id: UUID
    source: UUID
    number: int | None  # number of the source in the report
    label: str
    target: Target
    page: int | None  # of the file, from 1
    page_label: str = ""  # the printed page number, if it differs
    section: str
    cell: CellNames | None = None  # of a quote from a table
    match_type: str
    similarity: float
    confidence: float | None
    factors: list[NamedValue]
    caps: list[str]
    status: str
    note: str
    recheck: Recheck | None


class Computation(ExportSchema):
    formula: str  # with the figures in the spelling of their sources
    value: str
    code: str  # Python code that computed the figure in the sandbox; empty if none did
    step: UUID | None  # the step of the run in which the code ran


class Claim(ExportSchema):
    id: UUID
    number: int  # in the report, from 1; 0 for the side of a contradiction that the report does not state
    text: str
    attribution: str  # author or publisher and date, composed from the metadata of its sources
    claim_type: str
    strength: str
    origins: int
    sources_wanted: int = 1  # number of independent sources that the run requires for each claim
    confidence: float | None
    factors: list[NamedValue]
    caps: list[str]
    verification_status: str
    verification_note: str
    contradiction_status: str
    computation: Computation | None = None  # of a figure that no source states
    parts: list[Part]
    citations: list[Citation]


class ScorePart(ExportSchema):
    name: str
    value: float | None
    weight: float | None


class Assessment(ExportSchema):
    day: str
    reason: str
    quality: float | None
    authority: float | None
    credibility: int | None
    quality_parts: list[ScorePart]
    authority_parts: list[ScorePart]
    credibility_parts: list[ScorePart]


class Source(ExportSchema):
    """A source of the run, cited (then it has a number) or not."""

    id: UUID
    number: int | None
    title: str
    author: str
    publisher: str
    published: str
    url: str
    file: str
    domain: str
    source_type: str
    tier: int
    status: str
    reason: str
    media_type: str
    language: str
    sha256: str  # of its text at the time of reading, in UTF-8
    retrieved: date | None
    region: str
    must_read: bool
    assessment: Assessment | None
