"""The report as JSON, in its published schema (export_json_shape.py, docs/report-json.md)."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from uuid import UUID

from django.utils.translation import override

from exports.building.build_document_authorship import describe_authorship
from exports.document.document_tree import (
    BlockEntry,
    CellEntry,
    CitationEntry,
    ClaimEntry,
    ContradictionEntry,
    Document,
    RawEntry,
    RowEntry,
    SearchedEntry,
    SectionEntry,
    TableEntry,
)
from exports.formats import export_json_parts as parts
from exports.formats import export_json_shape as shape
from exports.formats.export_options import ExportOptions, Progress
from exports.labels.document_labels import folder_name
from exports.stored.translate_exported_sentences import translate_stored_text

_LAID_OUT = 0.9  # share of the work that is done before the bytes are written


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8, indented. Of the options, only `language` and `include_raw_data` have an effect."""
    with override(options.language):
        report = report_of(document, with_raw=options.include_raw_data)
    tell(_LAID_OUT)
    return report.model_dump_json(by_alias=True, indent=2).encode() + b"\n"


def report_of(document: Document, *, with_raw: bool = False) -> shape.Report:
    return shape.Report(
        run=document.run_id,
        kind=document.kind,
        title=document.title,
        status=document.status,
        engine=document.engine,
        authorship=authorship_shape(document),
        report_version=document.report_version,
        language=document.language,
        made_at=document.made_at,
        summary=document.summary,
        reasons=document.reasons,
        looked_for=document.looked_for,
        sections=[_section(section) for section in document.sections],
        table=_table(document.table),
        claims=[claim_shape(claim) for claim in _all_claims(document)],
        sources=document.sources,
        contradictions=[contradiction_shape(contradiction) for contradiction in document.contradictions],
        gaps=document.gaps,
        warnings=document.warnings,
        verification=document.verification,
        left_out=document.left_out,
        degradations=document.degradations,
        sufficiency=document.sufficiency,
        searched=build_searched_shape(document.searched),
        settings=document.settings,
        instructions=document.instructions,
        queries=document.queries,
        vain_searches=document.vain_searches,
        follow_ups=list(document.follow_ups),
        unread=document.unread,
        counts=document.counts,
        cost_usd=document.cost_usd,
        seconds=document.seconds,
        raw=_raw(document.raw) if with_raw and document.raw else None,
    )


def authorship_shape(document: Document) -> shape.Authorship | None:
    """Return the authorship; None if no model was to take part."""
    authorship = document.authorship
    if authorship is None:
        return None
    stages = [shape.Stage(**asdict(stage)) for stage in authorship.stages]
    return shape.Authorship(
        words=describe_authorship(document),
        stages=stages,
        cause=translate_stored_text(authorship.cause),
        advice=translate_stored_text(authorship.advice),
    )


def build_searched_shape(entry: SearchedEntry | None) -> shape.Searched | None:
    if entry is None:
        return None
    folders = [
        shape.SearchedFolder(name=folder_name(folder.key), documents=folder.documents)
        for folder in entry.folders
    ]
    return shape.Searched(folders=folders, whole_library=entry.is_whole, web=entry.has_web)


def _all_claims(document: Document) -> Iterable[ClaimEntry]:
    """Yield each claim once: those of the report, then the sides of contradictions that it does not state."""
    sides = (side for pair in document.contradictions for side in (pair.a, pair.b))
    return {claim.id: claim for claim in (*document.claims, *sides)}.values()


def _section(section: SectionEntry) -> shape.Section:
    blocks = [_block(block) for block in section.blocks]
    return shape.Section(
        index=section.index,
        heading=section.heading,
        level=section.level,
        blocks=blocks,
        role=section.role,
        by=section.by,
    )


def _block(block: BlockEntry) -> shape.Block:
    sentences = [
        shape.Sentence(text=sentence.text, claim=_id(sentence.claim)) for sentence in block.sentences
    ]
    return shape.Block(kind=block.kind, sentences=sentences, table=_table(block.table), chart=block.chart)


def _id(claim: ClaimEntry | None) -> UUID | None:
    return claim.id if claim else None


def _table(table: TableEntry | None) -> shape.Table | None:
    if table is None:
        return None
    rows = [row_shape(row) for row in table.rows]
    return shape.Table(
        columns=table.columns,
        rows=rows,
        statistics=table.statistics,
        insights=table.insights,
        head=table.head,
    )


def row_shape(row: RowEntry) -> shape.Row:
    return shape.Row(
        number=row.number,
        input=row.input,
        status=row.status,
        error=row.error,
        cells=[_cell(cell) for cell in row.cells],
    )


def _cell(cell: CellEntry) -> shape.Cell:
    return shape.Cell(
        state=cell.state,
        text=cell.text,
        value=list(cell.value) if isinstance(cell.value, tuple) else cell.value,
        reason=cell.reason,
        claim=_id(cell.claim),
        claims=[claim.id for claim in cell.claims],
        is_disputed=cell.is_disputed,
    )


def claim_shape(claim: ClaimEntry) -> parts.Claim:
    return parts.Claim(
        id=claim.id,
        number=claim.number,
        text=claim.text,
        attribution=claim.attribution,
        claim_type=claim.claim_type,
        strength=claim.strength,
        origins=claim.origins,
        sources_wanted=claim.sources_wanted,
        confidence=claim.confidence,
        factors=claim.factors,
        caps=claim.caps,
        verification_status=claim.verification_status,
        verification_note=claim.verification_note,
        contradiction_status=claim.contradiction_status,
        computation=claim.computation,
        parts=claim.alignment.parts,
        citations=[_citation(citation) for citation in claim.citations],
    )


def _citation(citation: CitationEntry) -> parts.Citation:
    return parts.Citation(
        id=citation.id,
        source=citation.source.id,
        number=citation.source.number,
        label=citation.label,
        target=_target(citation),
        page=citation.page,
        page_label=citation.page_label,
        section=citation.section,
        cell=parts.CellNames(row=citation.row, columns=list(citation.columns))
        if citation.is_of_cell
        else None,
        match_type=citation.match_type,
        similarity=citation.similarity,
        confidence=citation.confidence,
        factors=citation.factors,
        caps=citation.caps,
        status=citation.status,
        note=citation.note,
        recheck=citation.recheck,
    )


def _target(citation: CitationEntry) -> parts.Target:
    quote = parts.TextQuote(exact=citation.quote, prefix=citation.prefix, suffix=citation.suffix)
    position = parts.TextPosition(start=citation.start, end=citation.end)
    page = [parts.Fragment(value=f"page={citation.page}")] if citation.page else []
    source = citation.source
    return parts.Target(source=source.url or f"urn:uuid:{source.id}", selector=[quote, position, *page])


def contradiction_shape(pair: ContradictionEntry) -> shape.Contradiction:
    return shape.Contradiction(
        id=pair.id,
        kind=pair.kind,
        a=pair.a.id,
        b=pair.b.id,
        resolution=pair.resolution,
        note=pair.note,
        mine=pair.mine,
        theirs=pair.theirs,
        circumstances=pair.circumstances,
        scores_a=pair.scores_a,
        scores_b=pair.scores_b,
        margin=pair.margin,
        winner=pair.winner,
        decided_by=pair.decided_by,
    )


def _raw(raw: RawEntry) -> shape.Raw:
    return shape.Raw(configuration=json.loads(raw.configuration), steps=raw.steps, texts=dict(raw.texts))
