"""cite: format the run's sources as references in a citation style, and as BibTeX."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from pydantic import Field

from citations.bibliography.bibliography_by_pandoc import PandocError
from citations.bibliography.csl_references import Reference
from citations.citation_styles import CitationStyle, bibtex
from exports.building.build_document_evidence import source_entry
from exports.building.build_document_references import load_formatted_references, references
from research.agents.tools.evidence.tool_source_handles import resolve_sources, source_handle
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant

LIMIT_S = 60.0
MOST = 100  # sources per call


class CiteInput(ToolInput):
    """Write references."""

    sources: list[str] = Field(min_length=1, max_length=MOST, description="Ids of sources (src-…).")
    style: CitationStyle = CitationStyle.APA
    access_date: date | None = Field(None, description="When the pages were read; empty: as recorded.")


class WrittenReference(ToolOutput):
    source: str
    formatted: str
    inline: str


class CiteOutput(ToolOutput):
    references: list[WrittenReference]
    bibtex: str


async def cite(given: CiteInput, use: Use) -> CiteOutput:
    listed = await in_tenant(use.step.tenant_id, partial(_references, given, use))
    return await asyncio.to_thread(_format_references, listed, given.style)


def _references(given: CiteInput, use: Use) -> list[Reference]:
    """Return the references in the requested order, with handles as ids."""
    found = resolve_sources(use.step.run_id, given.sources)
    entries = [source_entry(source, None) for source in found]
    dated = [replace(entry, retrieved=given.access_date or entry.retrieved) for entry in entries]
    return [
        replace(reference, id=source_handle(entry.id))
        for entry, reference in zip(entries, references(dated), strict=True)
    ]


def _format_references(listed: Sequence[Reference], style: CitationStyle) -> CiteOutput:
    try:
        lines = {line.id: line for line in load_formatted_references(listed, style)}
        entries = bibtex(listed)
    except PandocError as error:
        raise ToolError(ToolCode.EXTRACTION_FAILED, f"The references could not be written: {error}") from None
    shown = [
        WrittenReference(
            source=reference.id, formatted=lines[reference.id].text, inline=lines[reference.id].in_text
        )
        for reference in listed
    ]
    return CiteOutput(references=shown, bibtex=entries)


def cite_tool() -> Tool[CiteInput, CiteOutput]:
    return Tool("cite", "Write references to the run's sources in a style.", CiteInput, cite, LIMIT_S)
