"""Bibliographies: what other libraries read in them, and that no text of a source ends its entry."""

import json

import pytest
import rispy
from pybtex.database import parse_string

from citations.bibliography.csl_references import clean
from exports.document.document_tree import select_cited_sources
from exports.formats import to_bibtex, to_csl_json, to_ris
from exports.formats.export_options import ExportOptions
from tests.exports.generated import NAMES, document

WRITERS = {"ris": to_ris.write, "bibtex": to_bibtex.write, "csl_json": to_csl_json.write}


def write_bibliography(form: str, name: str) -> str:
    return WRITERS[form](document(name), ExportOptions(), lambda _share: None).decode()


def titles_of(name: str) -> list[str]:
    return [clean(source.title) for source in select_cited_sources(document(name).sources)]


@pytest.mark.parametrize("name", NAMES)
def test_every_cited_source_has_one_record_of_ris(name):
    assert [load.get("title", "") for load in rispy.loads(write_bibliography("ris", name))] == titles_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_cited_source_has_one_entry_of_csl_json(name):
    assert [load.get("title", "") for load in json.loads(write_bibliography("csl_json", name))] == titles_of(
        name
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_cited_source_has_one_entry_of_bibtex(name):
    entries = parse_string(write_bibliography("bibtex", name), "bibtex").entries
    assert list(entries) == [
        f"source{source.number}" for source in select_cited_sources(document(name).sources)
    ]


def test_an_entry_says_what_is_known_of_its_source():
    [record] = rispy.loads(write_bibliography("ris", "one_claim"))
    assert (record["title"], record["authors"], record["year"]) == (
        "Report 1 on heat pumps",
        ["Lind, A."],
        "2024",
    )
    assert (record["urls"], record["notes"]) == (["https://nordhaus.example/reports/1"], ["Claim 1"])


def test_no_record_links_elsewhere_than_to_the_web():
    for form in WRITERS:
        text = write_bibliography(form, "hostile_sources").casefold()
        assert "= {javascript" not in text
        assert '"url": "javascript' not in text
        assert "ur  - javascript" not in text


def test_a_report_without_sources_gives_an_empty_list():
    assert [write_bibliography(form, "empty") for form in WRITERS] == ["", "", "[]\n"]
