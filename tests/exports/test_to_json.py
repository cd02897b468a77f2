"""The JSON file: its published shape, what it keeps, and quotes that are their source's own words."""

import json
import re
from dataclasses import replace
from hashlib import sha256

import pytest
from django.conf import settings

from exports.building.build_document import build_document
from exports.formats import to_json
from exports.formats.export_json_schema import PUBLISHED, schema
from exports.formats.export_json_shape import Report
from exports.formats.export_options import ExportOptions
from exports.formats.to_json import write
from research.db.tenancy import tenant_context
from tests.exports.generated import NAMES, document
from tests.people import join
from tests.worlds import make_report


def write_json(name: str) -> bytes:
    return write(document(name), ExportOptions(), lambda _share: None)


def test_the_published_schema_is_that_of_the_file():
    assert PUBLISHED.read_text(encoding="utf-8") == schema()


@pytest.mark.parametrize("name", NAMES)
def test_every_file_has_the_published_shape_and_comes_back_as_it_was(name):
    import jsonschema  # compiles grammars for seconds, which only who runs this waits for

    data = write_json(name)
    published = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    assert list(published.iter_errors(json.loads(data))) == []
    assert Report.model_validate_json(data).model_dump_json(by_alias=True, indent=2).encode() + b"\n" == data


def test_the_same_report_gives_the_same_bytes():
    assert write_json("findings") == write_json("findings")


def test_a_claim_without_a_place_in_the_report_is_kept_for_the_contradiction():
    report = json.loads(write_json("contradictions"))
    claims = {one["id"]: one for one in report["claims"]}
    sides = [claims[pair[side]]["number"] for pair in report["contradictions"] for side in "ab"]
    assert sides == [1, 2, 1, 0]


def test_a_cell_says_its_value_as_its_type_and_names_its_claim():
    report = json.loads(write_json("table"))
    first, claims = report["table"]["rows"][0]["cells"][0], {one["id"] for one in report["claims"]}
    assert (first["value"], first["text"], first["state"]) == (1901.0, "1901.0", "found")
    assert first["claim"] in claims


def test_a_citation_names_the_page_as_it_is_printed():
    entry = document("one_source").claims[0].citations[0]
    shown = to_json._citation(replace(entry, page=4, page_label="iv"))
    assert (shown.page, shown.page_label) == (4, "iv")
    assert any(getattr(selector, "value", "") == "page=4" for selector in shown.target.selector)


def test_a_page_is_a_fragment_of_a_pdf():
    report = json.loads(write_json("one_source"))
    selectors = report["claims"][0]["citations"][0]["target"]["selector"]
    assert [selector["type"] for selector in selectors] == [
        "TextQuoteSelector",
        "TextPositionSelector",
        "FragmentSelector",
    ]
    assert selectors[2]["value"].startswith("page=")


def test_raw_data_are_left_out_unless_asked_for():
    assert json.loads(write_json("one_claim"))["raw"] is None


@pytest.fixture
def report(db):
    """Return the report of a run in the database, with raw data."""
    world = make_report(join("ada"))
    with tenant_context(world.person.tenant.pk):
        tree = build_document(world.run.pk, with_raw=True)
    return json.loads(write(tree, ExportOptions(include_raw_data=True), lambda _share: None))


def test_a_quote_is_its_sources_own_words_at_its_offsets(report):
    texts = report["raw"]["texts"]
    quotes = [citation for claim in report["claims"] for citation in claim["citations"]]
    assert quotes
    for citation in quotes:
        quote, position = citation["target"]["selector"][:2]
        assert texts[citation["source"]][position["start"] : position["end"]] == quote["exact"]


def test_the_hash_of_a_source_is_that_of_its_text(report):
    hashes = {source["id"]: source["sha256"] for source in report["sources"]}
    texts = report["raw"]["texts"]
    assert texts
    assert {one: sha256(text.encode()).hexdigest() for one, text in texts.items()} == {
        one: hashes[one] for one in texts
    }


def test_raw_data_are_the_configuration_and_the_steps(report):
    assert [step["handler"] for step in report["raw"]["steps"]] == ["report.plan"]
    assert isinstance(report["raw"]["configuration"], dict)


def test_every_field_is_documented():
    told = (settings.BASE_DIR / "docs" / "report-json.md").read_text(encoding="utf-8")
    fields = re.findall(r"^\| `([^`]+)` \|", told, re.MULTILINE)
    assert fields == [field.alias or name for name, field in Report.model_fields.items()]
