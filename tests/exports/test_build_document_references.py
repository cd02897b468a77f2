"""Sources become references: names, dates, types, and the key by which a list of them is cached."""

from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest
from django.core.cache import cache

from citations.bibliography.csl_references import Name, PartialDate, Reference, WorkType
from citations.citation_styles import CitationStyle
from exports.building.build_document_references import (
    authors_in_short,
    format_cited_references,
    load_formatted_references,
    partial_date,
    references,
    work_type,
)
from exports.document.document_tree import SourceEntry

ID = UUID(int=7)
ENTRY = SourceEntry(
    id=ID,
    number=3,
    title="What the trial found",
    author="A. Lind",
    publisher="Nordhaus Energy",
    published="2024-06",
    url="https://nordhaus.example/trial",
    file="",
    domain="nordhaus.example",
    source_type="company",
    tier=3,
    status="processed",
    reason="",
    media_type="text/html",
    language="en",
    sha256="",
    retrieved=date(2026, 11, 2),
)


def reference(**changes: object) -> Reference:
    [found] = references([replace(ENTRY, **changes)])
    return found


def test_a_web_page_is_part_of_its_site_and_has_a_date_of_access():
    assert reference() == Reference(
        id="source3",
        type=WorkType.WEBPAGE,
        title="What the trial found",
        authors=(Name("Lind", "A."),),
        issued=PartialDate(2024, 6),
        accessed=PartialDate(2026, 11, 2),
        container_title="Nordhaus Energy",
        url="https://nordhaus.example/trial",
        language="en",
    )


def test_a_file_without_an_address_has_no_date_of_access():
    found = reference(url="", media_type="application/pdf")
    assert (found.type, found.accessed, found.publisher) == (WorkType.REPORT, None, "Nordhaus Energy")


def test_a_site_that_is_its_own_author_is_not_named_twice():
    assert reference(author="Nordhaus Energy").container_title == ""


def test_the_doi_is_read_from_an_address_of_the_resolver():
    assert reference(url="https://doi.org/10.1234/peat.2023.7").doi == "10.1234/peat.2023.7"


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"source_type": "academic"}, WorkType.JOURNAL_ARTICLE),
        ({"source_type": "news"}, WorkType.NEWSPAPER_ARTICLE),
        ({"source_type": "blog"}, WorkType.POST),
        ({"source_type": "code"}, WorkType.SOFTWARE),
        ({"source_type": "government", "media_type": "application/pdf"}, WorkType.REPORT),
        ({"source_type": "government"}, WorkType.WEBPAGE),
        ({"source_type": "other", "url": ""}, WorkType.DOCUMENT),
        ({"media_type": "text/csv"}, WorkType.DATASET),
    ],
)
def test_the_type_of_a_work_follows_from_what_is_known_of_it(changes, kind):
    assert work_type(replace(ENTRY, **changes)) == kind


@pytest.mark.parametrize(
    ("iso", "expected"),
    [
        ("2024", PartialDate(2024)),
        ("2024-06-03", PartialDate(2024, 6, 3)),
        ("", None),
        ("spring", None),
        ("2024-13", None),
        ("1-2-3-4", None),
    ],
)
def test_a_date_is_as_precise_as_it_is_given(iso, expected):
    assert partial_date(iso) == expected


def test_a_list_is_formatted_once_for_all_processes(monkeypatch):
    cache.clear()
    listed = (reference(),)
    first = load_formatted_references(listed, CitationStyle.APA)
    monkeypatch.setattr("exports.building.build_document_references.format_references", None)
    assert load_formatted_references(listed, CitationStyle.APA) == first
    assert "Nordhaus Energy" in first[0].text


def test_another_style_or_language_is_another_list():
    listed = (reference(published=""),)
    texts = {
        load_formatted_references(listed, style, language)[0].text
        for style, language in (
            (CitationStyle.APA, ""),
            (CitationStyle.MLA, ""),
            (CitationStyle.APA, "de-DE"),
        )
    }
    assert len(texts) == 3


@pytest.mark.parametrize("style", CitationStyle)
def test_a_list_follows_the_readers_numbers_whatever_the_style(style):
    others = [replace(ENTRY, id=UUID(int=number), number=number, title=f"Work {number}") for number in (2, 1)]
    listed = format_cited_references([ENTRY, *others, replace(ENTRY, number=None)], style, "en")
    assert [source.number for source, _reference in listed] == [1, 2, 3]
    assert [source.title.casefold() in one.text.casefold() for source, one in listed] == [True] * 3
    assert not any(one.text.startswith("[") or one.html.startswith("[") for _source, one in listed)


def test_a_style_knows_its_own_english_and_takes_other_languages():
    [(_source, english)] = format_cited_references([ENTRY], CitationStyle.HARVARD, "en")
    [(_source, german)] = format_cited_references([ENTRY], CitationStyle.HARVARD, "de")
    assert "Accessed: 2 November 2026" in english.text
    assert "Zugegriffen: 2 November 2026" in german.text


def test_a_list_too_long_for_one_call_is_written_in_parts(monkeypatch):
    monkeypatch.setattr("exports.building.build_document_references.AT_ONCE", 2)
    entries = [
        replace(ENTRY, id=UUID(int=number), number=number, title=f"Work {number}") for number in range(1, 6)
    ]
    listed = format_cited_references(entries, CitationStyle.APA, "en")
    assert [one.id for _source, one in listed] == [f"source{number}" for number in range(1, 6)]
    assert all(source.title in one.text for source, one in listed)


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("A. Lind", ""),
        ("", ""),
        ("Anna Lind, Bo Berg", "Lind & Berg"),
        ("P. Grassi; J. Fenton; E. Newton", "Grassi et al."),
        ("Ministry of Building", ""),
    ],
)
def test_several_authors_are_told_in_short(line, short):
    assert authors_in_short(replace(ENTRY, author=line)) == short
