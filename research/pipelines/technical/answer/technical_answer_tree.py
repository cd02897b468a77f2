"""A technical answer in the form specified in kinds.md: one tree from which all outputs are written."""

from collections.abc import Iterator, Mapping
from datetime import date as Day
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from exports.document.document_tree import ClaimEntry, Document, SourceEntry, TableEntry, select_cited_sources
from exports.stored.exported_headings import ASPECT
from research.pipelines.technical.answer.technical_answer import StoredExample, StoredResult, StoredTechnical
from research.pipelines.technical.technical_advice_kinds import Advice

Status = Literal["success", "partial", "no-results"]
FIELDS: Mapping[Advice, str] = {
    Advice.FINDING: "key_findings",
    Advice.PRACTICE: "best_practices",
    Advice.RECOMMENDATION: "recommendations",
    Advice.WARNING: "warnings",
}


class Result(BaseModel):
    title: str
    url: str
    type: str
    relevance: float
    why: dict[str, float]
    snippet: str
    date: str
    author: str
    summary: str
    link: str
    note: str


class CodeExample(BaseModel):
    language: str
    code: str
    source: str
    url: str
    start: int
    end: int
    description: str
    check: str
    reason: str


class SynthesisStatement(BaseModel):
    """A claim, with the numbers of the sources on which it is based."""

    text: str
    citations: list[int]
    strength: str
    confidence: float | None


class ComparedRow(BaseModel):
    thing: str
    cells: list[SynthesisStatement | None]
    reasons: list[str]  # for each cell why it is empty; "" if it is not


class ComparisonTable(BaseModel):
    aspects: list[str]
    rows: list[ComparedRow]


class TechnicalSynthesis(BaseModel):
    summary: list[str]
    takeaways: list[SynthesisStatement]
    comparison: ComparisonTable | None = None


class CitedSource(BaseModel):
    number: int
    title: str
    author: str
    date: str
    url: str
    accessed: Day | None  # when its text was frozen


class Diagram(BaseModel):
    title: str
    mermaid: str
    source: str = ""


class FollowUp(BaseModel):
    question: str
    type: str


class TechnicalAnswer(BaseModel):
    request_id: str
    question: str
    type: str
    status: Status
    seconds: float | None
    engine: str
    query_used: str
    sources_searched: list[str]
    reasons: list[str]
    results: list[Result]
    code_examples: list[CodeExample]
    code_left_out: list[CodeExample]
    key_findings: list[SynthesisStatement] = Field(default_factory=list)
    best_practices: list[SynthesisStatement] = Field(default_factory=list)
    recommendations: list[SynthesisStatement] = Field(default_factory=list)
    warnings: list[SynthesisStatement] = Field(default_factory=list)
    synthesis: TechnicalSynthesis | None = None
    citations: list[CitedSource]
    diagrams: list[Diagram]
    follow_ups: list[FollowUp]


def status_of(document: Document, own: StoredTechnical | None) -> Status:
    """Return the status: "partial" if there are results, but the answer, a search or the run is incomplete."""
    if own is None or not own.results:
        return "no-results"
    is_whole = document.status == "done" and not document.degradations
    return (
        "success" if is_whole and not any(search.reason for search in document.vain_searches) else "partial"
    )


def answer_of(document: Document, own: StoredTechnical | None) -> TechnicalAnswer:
    """Build the answer, as far as the run has come. Pure."""
    stored = own or StoredTechnical()
    sources = {source.id: source for source in document.sources}
    advice = {field: list(_statements(document, stored, kind)) for kind, field in FIELDS.items()}
    return TechnicalAnswer(
        request_id=stored.request_id,
        question=document.title,
        type=stored.type,
        status=status_of(document, own),
        seconds=document.seconds,
        engine=document.engine,
        query_used=stored.query,
        sources_searched=stored.searched,
        reasons=list(document.reasons),
        results=[_result(result, sources) for result in stored.results if result.source in sources],
        code_examples=[
            _example(example, sources) for example in stored.examples if example.source in sources
        ],
        code_left_out=[_example(broken, sources) for broken in stored.broken if broken.source in sources],
        synthesis=_synthesis(document, stored),
        citations=[_to_cited_source(source) for source in select_cited_sources(document.sources)],
        diagrams=[
            _diagram(diagram.title, diagram.code, diagram.source, sources) for diagram in stored.diagrams
        ],
        follow_ups=[
            FollowUp(question=follow_up.question, type=follow_up.type) for follow_up in stored.follow_ups
        ],
        **advice,
    )


def _statements(document: Document, stored: StoredTechnical, advice: Advice) -> Iterator[SynthesisStatement]:
    heading = stored.headings.get(advice.value)
    for section in document.sections:
        if heading and section.heading == heading:
            yield from map(statement_of, section.claims)


def statement_of(claim: ClaimEntry) -> SynthesisStatement:
    numbers = [citation.source.number for citation in claim.citations if citation.source.number is not None]
    return SynthesisStatement(
        text=claim.plain_text,
        citations=list(dict.fromkeys(numbers)),
        strength=claim.strength,
        confidence=claim.confidence,
    )


def table_in(document: Document) -> TableEntry | None:
    tables = (block.table for section in document.sections for block in section.blocks if block.table)
    return next(tables, None)


def _synthesis(document: Document, stored: StoredTechnical) -> TechnicalSynthesis | None:
    claims = {entry.id: entry for entry in document.claims}
    takeaways = [statement_of(claims[takeaway]) for takeaway in stored.takeaways if takeaway in claims]
    table = table_in(document)
    if not takeaways and table is None:
        return None
    rendered = {claim.text: claim.plain_text for claim in document.claims}
    return TechnicalSynthesis(
        summary=[rendered.get(sentence, sentence) for sentence in document.summary],
        takeaways=takeaways,
        comparison=_to_comparison_table(table) if table else None,
    )


def _to_comparison_table(table: TableEntry) -> ComparisonTable:
    """Return the comparison by things. Tables of earlier versions have the things in their rows."""
    rows = [row.input for row in table.rows]
    columns = [column.title for column in table.columns]
    cells = [row.cells for row in table.rows]
    if table.head == ASPECT:
        rows, columns, cells = columns, rows, list(zip(*cells, strict=True))
    compared = [
        ComparedRow(
            thing=thing,
            cells=[statement_of(cell.claim) if cell.claim else None for cell in own],
            reasons=["" if cell.claim else cell.reason for cell in own],
        )
        for thing, own in zip(rows, cells, strict=True)
    ]
    return ComparisonTable(aspects=columns, rows=compared)


def _result(stored: StoredResult, sources: Mapping[UUID, SourceEntry]) -> Result:
    source = sources[stored.source]
    return Result(
        title=source.title,
        url=source.url,
        type=stored.type,
        relevance=stored.relevance,
        why={part.name: part.value for part in stored.why},
        snippet=stored.snippet,
        date=source.published,
        author=source.author,
        summary=stored.summary,
        link=stored.link,
        note=stored.note,
    )


def _example(stored: StoredExample, sources: Mapping[UUID, SourceEntry]) -> CodeExample:
    source = sources[stored.source]
    return CodeExample(
        language=stored.language,
        code=stored.code,
        source=source.title,
        url=source.url,
        start=stored.start,
        end=stored.end,
        description=stored.description,
        check=stored.check,
        reason=stored.reason,
    )


def _to_cited_source(source: SourceEntry) -> CitedSource:
    return CitedSource(
        number=source.number or 0,
        title=source.title,
        author=source.author,
        date=source.published,
        url=source.url,
        accessed=source.retrieved,
    )


def _diagram(title: str, code: str, source: UUID | None, sources: Mapping[UUID, SourceEntry]) -> Diagram:
    found = sources.get(source) if source else None
    return Diagram(title=title, mermaid=code, source=found.title if found else "")
