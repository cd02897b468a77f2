"""Store the evidence table as a part of the paper, so that every file of a synthesis has it."""

from collections.abc import Sequence

from research.pipelines.synthesis.synthesis_result import StudyRow

TABLE_HEADING = "Evidence table"
COLUMNS = (
    ("year", "Year", "number"),
    ("design", "Design", "string"),
    ("population", "Population", "string"),
    ("sample_size", "Sample size", "number"),
    ("outcome", "Outcome", "string"),
    ("finding", "Finding", "string"),
    ("direction", "Direction", "string"),
    ("peer_reviewed", "Peer reviewed", "boolean"),
)
WITHOUT = "(exposure missing or reduced)"  # after the direction of a study on doing without something
NOT_STATED = "The table does not say."


def to_stored_table(rows: Sequence[StudyRow]) -> dict[str, object]:
    """Return the table as stored in a block of a section; see `exports.building.build_document_section_tables`."""
    return {
        "columns": [{"name": name, "title": title, "type": kind} for name, title, kind in COLUMNS],
        "rows": [
            {
                "number": row.number,
                "input": f"{row.label}: {row.title}",
                "cells": [_cell(row, name) for name, _, _ in COLUMNS],
            }
            for row in rows
        ],
    }


def _cell(row: StudyRow, name: str) -> dict[str, object]:
    value = getattr(row, name)
    if value in (None, ""):
        return {"reason": NOT_STATED}
    if name == "direction" and row.is_without:
        return {"text": f"{value} {WITHOUT}", "value": value}
    text = (
        ("yes" if value else "no")
        if isinstance(value, bool)
        else f"{value:,}"
        if name == "sample_size"
        else str(value)
    )
    return {"text": text, "value": value}
