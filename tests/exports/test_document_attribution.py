"""A claim's attribution in a few words: made of what is known of its sources, never more."""

from dataclasses import replace

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from exports.document.document_attribution import (
    NAME,
    TITLE,
    attribution,
    date_of,
    makers_of,
    newest_of,
    shorten_title,
)
from exports.document.document_tree import ANSWER, SectionEntry
from exports.formats.export_options import ExportOptions
from exports.labels.format_document_values import describe_attribution, newest_source
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_nodes import Bullets, Paragraph, plain
from tests.exports.drafting import Draft, prose

NIST = "National Institute of Standards and Technology"
ARGON = "Argon2: the memory-hard function for password hashing and other applications (version 1.3)"


def source(title="Django 5.2 release notes", publisher="", published="2025-04-02", **columns):
    return Draft(title).source(title or "x", publisher=publisher, published=published, **columns)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (source(), "Django 5.2 release notes, April 2025"),
        (source(published="2017-06"), "Django 5.2 release notes, June 2017"),
        (source(published="2017"), "Django 5.2 release notes, 2017"),
        (source(published=""), "Django 5.2 release notes"),
        (source(published="spring"), "Django 5.2 release notes"),
        (source("Release notes", "Django"), "Django, Release notes, April 2025"),
        (source("Django 5.2 release notes", "Django Software Foundation"), "Django 5.2 release notes, April 2025"),
        (source("The guide of Django", "Django"), "The guide of Django, April 2025"),
        (source("NIST SP 800-63B", NIST, "2017-06"), "NIST SP 800-63B, June 2017"),
        (
            source("Digital Identity Guidelines of the United States", NIST),
            "Digital Identity Guidelines of the United States, April 2025",
        ),
        (source("Cheat Sheet (site as of 2026-08-17)", "OWASP", ""), "OWASP, Cheat Sheet, August 2026"),
        (source("Cheat Sheet (site as of 2026-08-17)", "OWASP", "2024"), "OWASP, Cheat Sheet, 2024"),
        (source("Trends 2025", published="2025"), "Trends 2025"),
        (source("Argon2 (version 1.3, August 2016)", published="2016-08-08"), "Argon2 (version 1.3, August 2016)"),
        (source(ARGON), "Argon2, April 2025"),
        (replace(source(), title="", domain="docs.example"), "docs.example, April 2025"),
        (replace(source(), title="", domain="", file="notes/5.2.txt"), "5.2.txt, April 2025"),
        (replace(source(), title="", domain="", file="", publisher="WHO"), "WHO, April 2025"),
        (replace(source(), title="", domain="", file="", publisher="", published=""), ""),
    ],
)  # fmt: skip
def test_a_source_is_named_by_document_or_publisher_and_date(given, expected):
    assert attribution([given]) == expected


@pytest.mark.parametrize(
    ("author", "publisher", "domain", "expected"),
    [
        ("Eli Collins (Assurance, LLC)", "Assurance, LLC", "", ("Eli Collins (Assurance, LLC)",)),
        ("OpenStack", "The OpenStack Foundation", "", ("The OpenStack Foundation",)),
        ("OpenStack", "openstack", "", ("OpenStack",)),
        ("A. Lind", "Nordhaus", "nordhaus.example", ("A. Lind", "Nordhaus")),
        ("A. Lind", "", "lind.example", ("A. Lind", "lind.example")),
        ("Ann", "Annals", "", ("Ann", "Annals")),
        ("", "", "lind.example", ("lind.example",)),
        ("", "", "", ()),
    ],
)
def test_a_publisher_that_the_author_names_is_not_named_twice(author, publisher, domain, expected):
    assert makers_of(source(author=author, publisher=publisher, domain=domain)) == expected


def test_months_are_those_of_the_readers_language():
    with override("de"):
        assert attribution([source(published="2024-03")]) == "Django 5.2 release notes, März 2024"
        assert attribution([source(), source("B"), source("C")], 3).endswith("April 2025 und 2 weitere")


def test_of_several_independent_sources_the_best_then_the_newest_is_named():
    old, new, best = (
        source("Old", published="2019"),
        source("New", published="2024"),
        source("Best", tier=1, published="2010"),
    )
    assert attribution([old, new], 2) == "New, 2024 and 1 more"
    assert attribution([old, new, best], 3) == "Best, 2010 and 2 more"


def test_copies_and_editions_are_not_counted_as_further_sources():
    first, second = source("First"), source("Second", published="2020")
    assert attribution([first, second], 1) == "First, April 2025"
    assert attribution([first, first], 2) == "First, April 2025"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Django 5.2, April 2025", ""),
        ("Django 5.2 (Apr 2025)", ""),
        ("Django 5.2", "April 2025"),
        ("April 2025", "Django 5.2 release notes"),
        ("Django 4.2, April 2023", "Django 5.2 release notes, April 2025"),
        ("Settings, 2025", "Django 5.2 release notes, April 2025"),
        ("2025", "Django 5.2 release notes"),
        ("Minimum length", "Django 5.2 release notes, April 2025"),
    ],
)
def test_beside_a_head_that_names_it_a_source_is_not_named_again(said, expected):
    assert attribution([source()], said=[said]) == expected


def test_of_several_sources_the_one_that_heads_the_row_is_named_first():
    best, here = source("Best", tier=1), source()
    assert (
        attribution([best, here], 2, said=["Django 5.2"]) == "Django 5.2 release notes, April 2025 and 1 more"
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Short: it stays whole", "Short: it stays whole"),
        (
            "NIST SP 800-63B Digital Identity Guidelines: Authentication and Lifecycle Management",
            "NIST SP 800-63B Digital Identity Guidelines",
        ),
        (
            "Everything that you have ever wanted to know about salt | The Example Magazine for Cooks",
            "Everything that you have ever wanted to know about salt",
        ),
        (
            "On the seasonal performance of air source heat pumps in cold climates of the north",
            "On the seasonal performance of air source heat pumps in…",
        ),
        ("x" * 90, "x" * 59 + "…"),
    ],
)  # fmt: skip
def test_a_long_title_is_cut_where_it_ends_a_phrase_or_a_word(title, expected):
    assert shorten_title(title) == expected


@given(
    st.text(max_size=200), st.text(max_size=100), st.sampled_from(["", "2017", "2017-06", "2017-06-30", "?"]),
    st.integers(0, 9),
)  # fmt: skip
def test_any_source_is_named_in_a_line(title, publisher, published, origins):
    named = attribution([replace(source(), title=title, publisher=publisher, published=published)], origins)
    assert "\n" not in named
    assert len(named) <= max(NAME, TITLE, len(publisher)) + len(", September 2017")


def test_the_newest_cited_source_is_named_with_its_day():
    draft = Draft("newest")
    draft.source("Old", published="2020-01-01")
    draft.source("Dated by its month", published="2025-04")
    newest = draft.source("Dated by its day", published="2025-04-02")
    draft.source("Not cited", is_cited=False, published="2026-01-01")
    draft.source("Undated", published="")
    assert newest_of(draft.sources) == newest
    assert newest_source(draft.document("?")) == "Newest source: Dated by its day, 2 April 2025."


def test_without_a_dated_source_nothing_is_said_of_the_newest():
    draft = Draft("undated")
    draft.source("Undated", published="")
    assert newest_source(draft.document("?")) == ""


def test_a_site_as_of_a_day_is_dated_by_it():
    assert date_of(source("Guide (site as of 2026-08-17)", published="")) == "2026-08-17"
    assert date_of(source("Guide (ISO 8601-17)", published="")) == ""


def test_a_source_that_says_otherwise_is_not_the_one_that_says_it():
    draft = Draft("disputed")
    agreeing, other = draft.source("Agrees"), draft.source("Says otherwise", tier=1)
    claim = draft.claim("It rose.", agreeing, other)
    citations = (claim.citations[0], replace(claim.citations[1], status="disputed"))
    assert replace(claim, citations=citations, origins=1).attribution == "Nordhaus Energy, Agrees, June 2024"


def test_where_citations_are_called_by_author_and_year_that_is_enough():
    draft = Draft("studies")
    claim = draft.claim("It rose.", draft.source())
    named = replace(
        claim, citations=tuple(replace(citation, label="[Lind, 2024]") for citation in claim.citations)
    )
    assert (describe_attribution(claim) != "", describe_attribution(named), named.attribution != "") == (
        True,
        "",
        True,
    )


@pytest.mark.parametrize("kind", ["list", "steps"])
def test_a_list_from_one_document_names_it_once(kind):
    draft = Draft("one document")
    claims = [draft.claim(f"Step {n}.", notes(draft)) for n in range(3)]
    draft.section("A", prose(*claims, kind=kind))
    said = read_paper(draft)
    assert said.count("Django 5.2 release notes, April 2025") == 1
    assert "All from Django 5.2 release notes, April 2025." in said


def test_a_list_from_several_documents_names_each_beside_its_claim():
    draft = Draft("several documents")
    claims = [draft.claim(f"Item {n}.", notes(draft, f"Guide {max(n, 1)}")) for n in range(3)]
    draft.section("A", prose(*claims, kind="list"))
    said = read_paper(draft)
    assert [said.count(f"(Guide {n}, April 2025)") for n in (1, 2)] == [2, 1]
    assert "All from" not in said


def test_an_answer_from_one_document_names_it_once_below():
    draft = Draft("answer")
    claims = [draft.claim(f"Fact {n}.", notes(draft)) for n in range(3)]
    draft.sections.append(SectionEntry(1, "In short", 1, (prose(*claims),), ANSWER))
    said = read_paper(draft)
    assert said.index("Fact 2.") < said.index("All from Django 5.2 release notes, April 2025.")
    assert said.count("Django 5.2 release notes, April 2025") == 1


def notes(draft, title="Django 5.2 release notes"):
    return draft.source(title, publisher="", published="2025-04-02")


def read_paper(draft):
    """Return the words of the answer and the sections, line by line."""
    nodes = build_paper(draft.document("?"), ExportOptions()).nodes
    lines = [
        plain(line)
        for node in nodes
        for line in (
            node.items
            if isinstance(node, Bullets)
            else (node.content,)
            if isinstance(node, Paragraph)
            else ()
        )
    ]
    return "\n".join(lines[: next(n for n, line in enumerate(lines) if line.startswith("How to read this"))])
