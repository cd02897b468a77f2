"""The published JSON Schema of the JSON file. `python -m exports.formats.export_json_schema` writes it."""

import json
from pathlib import Path

from exports.formats.export_json_shape import SCHEMA, VERSION, Report

# Served as a static file; a test compares it with the models.
PUBLISHED = Path(__file__).resolve().parents[2] / "static" / "plumbline" / f"report-{VERSION}.schema.json"


def schema() -> str:
    """Return the JSON Schema (draft 2020-12) of the files that `exports.formats.to_json` writes."""
    schema_of_report = Report.model_json_schema(mode="serialization")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA}
    return json.dumps(head | schema_of_report, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    PUBLISHED.write_text(schema(), encoding="utf-8")
