"""export: write the run's report to a file; only the document tree as JSON is supported."""

import asyncio
import hashlib
import json
from enum import StrEnum
from functools import partial

from pydantic import Field

from exports.answer_json import answer
from exports.building.build_document import build_document
from research.agents.tools.tool_interface import Tool, ToolCode, ToolError, ToolInput, ToolOutput, Use
from research.db.tenancy import in_tenant
from research.storage.object_store import ObjectError, put_object

LIMIT_S = 60.0


class ExportToolFormat(StrEnum):
    JSON = "json"
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    MARKDOWN = "markdown"
    HTML = "html"
    CSV = "csv"
    XLSX = "xlsx"


class ExportInput(ToolInput):
    """Write the report to a file."""

    format: ExportToolFormat = ExportToolFormat.JSON
    sources: bool = Field(True, description="With the list of sources.")


class ExportOutput(ToolOutput):
    holds_source_text = False

    name: str
    media_type: str
    size: int
    sha256: str
    key: str = Field(description="Where the file is kept.")


async def export(given: ExportInput, use: Use) -> ExportOutput:
    if given.format is not ExportToolFormat.JSON:
        raise ToolError(ToolCode.NOT_AVAILABLE, f"Reports can't be written as {given.format.value} here.")
    data = await in_tenant(use.step.tenant_id, partial(_as_json, given, use))
    try:
        key = await asyncio.to_thread(put_object, use.step.tenant_id, data)
    except ObjectError as error:
        raise ToolError(ToolCode.EXTRACTION_FAILED, str(error)) from None
    return ExportOutput(
        name=f"report-{use.step.run_id}.json",
        media_type="application/json",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        key=key,
    )


def _as_json(given: ExportInput, use: Use) -> bytes:
    written = answer(build_document(use.step.run_id, with_context=False))
    if not given.sources:
        written["sources"] = []
    return json.dumps(written, ensure_ascii=False, indent=2).encode()


def export_tool() -> Tool[ExportInput, ExportOutput]:
    return Tool("export", "Write the run's report to a file.", ExportInput, export, LIMIT_S)
