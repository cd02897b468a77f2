"""Write the section of the comparison table: its cells in reading order, each a claim, and their layout."""

from exports.stored.exported_headings import ASPECT
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import Run
from research.pipelines.report.report_outline import read_outline
from research.pipelines.report.synthesizing.compose_report_section import list_claims
from research.pipelines.report.synthesizing.report_section_claims import as_they_are
from research.pipelines.report.synthesizing.store_report_section import WrittenSection
from research.pipelines.technical.answer.technical_answer import StoredComparison, read_answer


def write_table(work: StepWork) -> StepResult:
    """Write the table by rules, even if a model writes the rest: each cell keeps the words chosen for it."""
    index = int(str(work.input["section"]))
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        planned = read_outline(run.outline)[index]
        claims = as_they_are(planned)
    answer = read_answer(run.outcome)
    table = answer.comparison if answer else None
    written = WrittenSection(
        index, planned, list_claims(claims.stated), claims.left_out, table=layout_of(table) if table else None
    )
    return StepResult(
        {"cells": len(claims.stated)},
        save=lambda: written.store(run),
        activity=f"Writing “{planned.heading}”"[:300],
    )


def layout_of(table: StoredComparison) -> dict[str, object]:
    """Return the table as a block of a section: aspects in rows, things in columns, cells by the ids of claims."""
    return {
        "head": ASPECT,
        "columns": table.things,
        "rows": [
            {"input": aspect, "cells": [str(cell) if cell else None for cell in cells]}
            for aspect, cells in zip(table.aspects, zip(*table.cells, strict=True), strict=True)
        ],
    }
