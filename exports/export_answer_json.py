"""The output of `manage.py research --json`: one object, for programs and scoring."""

from collections.abc import Sequence
from typing import TypedDict

from exports.building.build_document_authorship import describe_authorship
from exports.document.document_tree import (
    CellEntry,
    CitationEntry,
    ClaimEntry,
    ColumnEntry,
    DegradationEntry,
    Document,
    RowEntry,
    SearchedEntry,
    SectionEntry,
    SourceEntry,
    SufficiencyEntry,
    TableEntry,
    WarningEntry,
)
from exports.labels.document_labels import folder_name


class CitationAnswer(TypedDict):
    source: str
    url: str
    title: str
    quote: str
    start: int
    end: int
    page: int | None
    row: str  # as its table calls it; empty where the quote comes from no table
    columns: list[str]
    match_type: str
    confidence: float | None


class ReportClaimAnswer(TypedDict):
    id: str
    text: str
    attribution: str  # source and date
    claim_type: str
    strength: str
    sources: int  # number of independent sources
    sources_wanted: int
    confidence: float | None
    verification_status: str
    citations: list[CitationAnswer]


class ReportSectionAnswer(TypedDict):
    heading: str
    level: int
    role: str  # answer: the short answer; commentary: no source says it
    text: list[str]  # sentences that are not claims
    by: str  # model or rules; empty: no model was to take part
    claims: list[ReportClaimAnswer]


class SourceAnswer(TypedDict):
    id: str
    file: str
    url: str
    title: str
    status: str
    reason: str
    published: str  # empty: unknown
    quality: float | None
    credibility: int | None


class FolderAnswer(TypedDict):
    name: str
    documents: int


class SearchedAnswer(TypedDict):
    folders: list[FolderAnswer]
    whole_library: bool
    web: bool


class CheckAnswer(TypedDict):
    name: str
    score: float | None
    passed: bool
    detail: str


class SufficiencyAnswer(TypedDict):
    enough: bool
    score: float
    rounds: int
    checks: list[CheckAnswer]


class UnreadAnswer(TypedDict):
    name: str
    reason: str


class ContradictionAnswer(TypedDict):
    kind: str
    a: ReportClaimAnswer
    b: ReportClaimAnswer
    resolution: str
    note: str


class WarningAnswer(TypedDict):
    code: str
    kind: str
    severity: str
    text: str
    computed: bool


class LeftOutAnswer(TypedDict):
    text: str
    reason: str
    attribution: str


class DegradationAnswer(TypedDict):
    code: str
    reason: str
    quality_impact: float


class StageAnswer(TypedDict):
    name: str  # planned, read, wrote, checked
    by: str  # model, rules, both
    answered: int  # steps
    unanswered: int
    tokens: int


class AuthorshipAnswer(TypedDict):
    words: str
    stages: list[StageAnswer]
    cause: str
    advice: str


class ReportCellAnswer(TypedDict):
    state: str
    value: str | float | bool | list[str] | None
    text: str
    reason: str
    disputed: bool
    claim: ReportClaimAnswer | None


class RowAnswer(TypedDict):
    number: int
    input: str
    status: str
    error: str
    cells: dict[str, ReportCellAnswer]  # computed over all rows of a column


class StatisticAnswer(TypedDict):
    column: str
    name: str
    text: str
    value: float | None


class ReportInsightAnswer(TypedDict):
    text: str
    rows: list[int]


class ReportTableAnswer(TypedDict):
    columns: list[str]
    rows: list[RowAnswer]
    statistics: list[StatisticAnswer]
    insights: list[ReportInsightAnswer]


class ReportAnswer(TypedDict):
    """A run's report as plain data."""

    run: str
    status: str
    searched: SearchedAnswer | None
    reasons: list[str]
    looked_for: list[str]
    summary: list[str]
    sections: list[ReportSectionAnswer]
    table: ReportTableAnswer | None
    sources: list[SourceAnswer]
    contradictions: list[ContradictionAnswer]
    gaps: list[WarningAnswer]
    warnings: list[WarningAnswer]
    left_out: list[LeftOutAnswer]
    engine: str  # what wrote it: extractive, model
    authorship: AuthorshipAnswer | None  # None if no model was to take part
    degradations: list[DegradationAnswer]
    sufficiency: SufficiencyAnswer | None
    unread: list[UnreadAnswer]  # must-reads that could not be fetched
    follow_ups: list[str]  # suggested next questions
    cost: float | None
    seconds: float | None


def answer(document: Document) -> ReportAnswer:
    return ReportAnswer(
        run=str(document.run_id),
        status=document.status,
        searched=_build_searched_answer(document.searched) if document.searched else None,
        reasons=list(document.reasons),
        looked_for=list(document.looked_for),
        summary=list(document.summary),
        sections=[_section(section) for section in document.sections],
        table=_table(document.table) if document.table else None,
        sources=[_source(source) for source in document.sources],
        contradictions=[
            ContradictionAnswer(
                kind=contradiction.kind,
                a=_claim(contradiction.a),
                b=_claim(contradiction.b),
                resolution=contradiction.resolution,
                note=contradiction.note,
            )
            for contradiction in document.contradictions
        ],
        gaps=[_warning(gap) for gap in document.gaps],
        warnings=[_warning(warning) for warning in document.warnings],
        left_out=[
            LeftOutAnswer(text=sentence.text, reason=sentence.reason, attribution=sentence.attribution)
            for sentence in document.left_out
        ],
        engine=document.engine,
        authorship=_authorship(document),
        degradations=[_degradation(degradation) for degradation in document.degradations],
        sufficiency=_sufficiency(document.sufficiency) if document.sufficiency else None,
        unread=[UnreadAnswer(name=source.name, reason=source.reason) for source in document.unread],
        follow_ups=list(document.follow_ups),
        cost=document.cost_usd,
        seconds=document.seconds,
    )


def _authorship(document: Document) -> AuthorshipAnswer | None:
    authorship = document.authorship
    if authorship is None:
        return None
    stages = [
        StageAnswer(
            name=stage.name,
            by=stage.by,
            answered=stage.answered,
            unanswered=stage.unanswered,
            tokens=stage.tokens,
        )
        for stage in authorship.stages
    ]
    return AuthorshipAnswer(
        words=describe_authorship(document), stages=stages, cause=authorship.cause, advice=authorship.advice
    )


def _build_searched_answer(entry: SearchedEntry) -> SearchedAnswer:
    return SearchedAnswer(
        folders=[
            FolderAnswer(name=folder_name(folder.key), documents=folder.documents) for folder in entry.folders
        ],
        whole_library=entry.is_whole,
        web=entry.has_web,
    )


def _section(section: SectionEntry) -> ReportSectionAnswer:
    return ReportSectionAnswer(
        heading=section.heading,
        level=section.level,
        role=section.role,
        by=section.by,
        text=[
            sentence.text for block in section.blocks for sentence in block.sentences if not sentence.claim
        ],
        claims=[_claim(claim) for claim in section.claims],
    )


def _table(table: TableEntry) -> ReportTableAnswer:
    return ReportTableAnswer(
        columns=[column.name for column in table.columns],
        rows=[_row(row, table.columns) for row in table.rows],
        statistics=[
            StatisticAnswer(
                column=statistic.column, name=statistic.name, text=statistic.text, value=statistic.value
            )
            for statistic in table.statistics
        ],
        insights=[
            ReportInsightAnswer(text=insight.text, rows=list(insight.rows)) for insight in table.insights
        ],
    )


def _row(row: RowEntry, columns: Sequence[ColumnEntry]) -> RowAnswer:
    return RowAnswer(
        number=row.number,
        input=row.input,
        status=row.status,
        error=row.error,
        cells={column.name: _cell(cell) for column, cell in zip(columns, row.cells, strict=True)},
    )


def _cell(cell: CellEntry) -> ReportCellAnswer:
    return ReportCellAnswer(
        state=cell.state,
        value=list(cell.value) if isinstance(cell.value, tuple) else cell.value,
        text=cell.text,
        reason=cell.reason,
        disputed=cell.is_disputed,
        claim=_claim(cell.claim) if cell.claim else None,
    )


def _claim(claim: ClaimEntry) -> ReportClaimAnswer:
    return ReportClaimAnswer(
        id=str(claim.id),
        text=claim.text,
        attribution=claim.attribution,
        claim_type=claim.claim_type,
        strength=claim.strength,
        sources=claim.origins,
        sources_wanted=claim.sources_wanted,
        confidence=claim.confidence,
        verification_status=claim.verification_status,
        citations=[_citation(citation) for citation in claim.citations],
    )


def _citation(citation: CitationEntry) -> CitationAnswer:
    return CitationAnswer(
        source=str(citation.source.id),
        url=citation.source.url,
        title=citation.source.title,
        quote=citation.quote,
        start=citation.start,
        end=citation.end,
        page=citation.page,
        row=citation.row,
        columns=list(citation.columns),
        match_type=citation.match_type,
        confidence=citation.confidence,
    )


def _source(source: SourceEntry) -> SourceAnswer:
    return SourceAnswer(
        id=str(source.id),
        file=source.file,
        url=source.url,
        title=source.title,
        status=source.status,
        reason=source.reason,
        published=source.published,
        quality=source.assessment.quality if source.assessment else None,
        credibility=source.assessment.credibility if source.assessment else None,
    )


def _sufficiency(found: SufficiencyEntry) -> SufficiencyAnswer:
    return SufficiencyAnswer(
        enough=found.is_enough,
        score=found.score,
        rounds=found.rounds,
        checks=[
            CheckAnswer(name=check.name, score=check.score, passed=check.is_passed, detail=check.detail)
            for check in found.checks
        ],
    )


def _warning(warning: WarningEntry) -> WarningAnswer:
    return WarningAnswer(
        code=warning.code,
        kind=warning.kind,
        severity=warning.severity,
        text=warning.text,
        computed=warning.computed,
    )


def _degradation(entry: DegradationEntry) -> DegradationAnswer:
    return DegradationAnswer(code=entry.code, reason=entry.reason, quality_impact=entry.quality_impact)
