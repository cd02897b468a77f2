from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.credibility.source_authority import (
    SourceClass,
    SourceType,
    classify_source,
    is_preprint,
    origin_domain,
    source_authority,
)
from citations.credibility.source_authority_rules import AuthorityRule
from citations.credibility.source_hosts import host_of
from citations.dates.find_dates import Period, parse_iso

TODAY = date(2026, 7, 1)


def kind(**described: str) -> tuple[int, str]:
    found = classify_source(**described)
    return found.tier, found.source_type.value


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://pages.nist.gov/800-63-3/sp800-63b.html", (1, "government")),
        ("https://www.stats.govt.nz/topics", (1, "government")),
        ("https://www.legifrance.gouv.fr/x", (1, "government")),
        ("https://www.defense.mil/a", (1, "government")),
        ("https://www.rfc-editor.org/rfc/rfc2104", (1, "industry")),
        ("https://www.nature.com/articles/1", (1, "academic")),
        ("https://www.reuters.com/world", (1, "news")),
        ("https://cs.stanford.edu/paper", (2, "academic")),
        ("https://www.ox.ac.uk/news", (2, "academic")),
        ("https://www.u-tokyo.ac.jp/", (2, "academic")),
        ("https://docs.djangoproject.com/en/5.2/", (2, "documentation")),
        ("https://passlib.readthedocs.io/en/stable/", (2, "documentation")),
        ("https://www.bbc.co.uk/news", (2, "news")),
        ("https://en.wikipedia.org/wiki/Password", (4, "wiki")),
        ("https://someone.medium.com/post", (4, "blog")),
        ("https://www.reddit.com/r/security", (5, "social")),
        ("https://unheard-of.example.com/", (5, "other")),
        ("https://www.umweltbundesamt.de/themen", (1, "government")),
        ("https://www.bundesnetzagentur.de/x", (1, "government")),
        ("https://www.oesterreich.gv.at/x", (1, "government")),
        ("https://www.tallinn.ee/free-transport", (2, "government")),
        # a league, a trade association, a company that is named like a small town
        ("https://www.bundesliga.de/x", (5, "other")),
        ("https://www.bundesverband-holz.de/x", (5, "other")),
        ("https://www.orange.fr/x", (5, "other")),
    ],
)
def test_tier_and_type_by_domain(url, expected):
    assert kind(url=url) == expected


@pytest.mark.parametrize(
    ("author", "title", "expected"),
    [
        ("P. Grassi; J. Fenton (NIST)", "Digital Identity Guidelines", (1, "government")),
        ("", "NIST SP 800-63B Digital Identity Guidelines", (1, "government")),
        ("Cybersecurity and Infrastructure Security Agency (CISA)", "Common Controls", (1, "government")),
        ("OWASP Cheat Sheets Series Team", "Password Storage", (2, "industry")),
        ("US Department of Energy", "Energy use", (1, "government")),
        ("Django Software Foundation", "Security in Django", (2, "documentation")),
        ("University of Zurich", "A study", (2, "academic")),
        ("Acme Corp.", "Our product", (3, "company")),
        ("Ken Cochrane", "django-defender 0.9.8: README", (3, "documentation")),
        ("Eli Collins", "Passlib 1.7 documentation: Quickstart", (2, "documentation")),
        ("Jo Doe", "Some thoughts", (5, "other")),
    ],
)
def test_tier_and_type_of_a_local_document_by_its_names(author, title, expected):
    assert kind(author=author, title=title) == expected


def test_a_body_named_on_a_shared_host_decides():
    assert kind(url="https://github.com/OWASP/ASVS", title="ASVS") == (2, "industry")
    assert kind(url="https://doi.org/10.6028/NIST.SP.800-63b", author="P. Grassi (NIST)") == (1, "government")


def test_a_name_that_a_title_only_mentions_decides_nothing():
    title = "Why our startup thinks that we should all follow what NIST says"
    assert kind(title=title) == (5, "other")


def test_an_own_domain_goes_before_a_named_body():
    assert kind(url="https://www.reddit.com/r/x", author="NIST") == (5, "social")


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        (
            {"url": "https://pages.nist.gov/x"},
            SourceClass(1, SourceType.GOVERNMENT, "", "its domain nist.gov"),
        ),
        (
            {"url": "https://www.stats.govt.nz/topics"},
            SourceClass(1, SourceType.GOVERNMENT, "", "a government domain (stats.govt.nz)"),
        ),
        (
            {"url": "https://www.ox.ac.uk/news"},
            SourceClass(2, SourceType.ACADEMIC, "", "a university domain (ox.ac.uk)"),
        ),
        (
            {"url": "https://someone.medium.com/post"},
            SourceClass(4, SourceType.BLOG, "", "its domain medium.com"),
        ),
        (
            {"url": "https://unheard-of.example.com/"},
            SourceClass(5, SourceType.OTHER, "", "nothing known about its publisher"),
        ),
        (
            {"url": "https://unheard-of.example.com/", "author": "NIST"},
            SourceClass(1, SourceType.GOVERNMENT, "NIST", "published by NIST"),
        ),
        (
            {"url": "https://github.com/OWASP/ASVS", "title": "ASVS"},
            SourceClass(2, SourceType.INDUSTRY, "OWASP", "published by OWASP"),
        ),
        (
            {"url": "https://github.com/nobody/ASVS", "title": "ASVS"},
            SourceClass(3, SourceType.CODE, "", "a file of a project's repository"),
        ),
        (
            {"url": "https://somebody.github.io/notes.html", "title": "Notes"},
            SourceClass(4, SourceType.OTHER, "", "a page of a project or a person (somebody.github.io)"),
        ),
        (
            {"url": "https://docs.acme.example/start", "title": "Start", "publisher": "Acme"},
            SourceClass(3, SourceType.DOCUMENTATION, "Acme", "its address names it as documentation"),
        ),
        (
            {"url": "https://acme.example/en/5.2/topics/start/", "title": "Start"},
            SourceClass(3, SourceType.DOCUMENTATION, "", "its address names it as documentation"),
        ),
        (
            {"url": "https://acme.example/news/2026/api-keys", "title": "Keys"},
            SourceClass(5, SourceType.OTHER, "", "nothing known about its publisher"),
        ),
        (
            {"author": "Acme Platforms, Inc.", "title": "Engine API: index"},
            SourceClass(
                2, SourceType.DOCUMENTATION, "Acme Platforms, Inc.", "published by Acme Platforms, Inc."
            ),
        ),
        (
            {"author": "A. Author", "title": "RFC 9106: Argon2 Memory-Hard Function"},
            SourceClass(1, SourceType.INDUSTRY, "IETF", "published by IETF"),
        ),
        (
            {"title": "IEEE Std 802.11-2020"},
            SourceClass(1, SourceType.INDUSTRY, "IEEE", "published by IEEE"),
        ),
        (
            {"url": "https://proceedings.mlr.press/v1/x.html", "title": "Results"},
            SourceClass(1, SourceType.ACADEMIC, "", "its domain mlr.press"),
        ),
        (
            {"title": "Correct horse, a web comic"},
            SourceClass(5, SourceType.SOCIAL, "", "its title names it as social"),
        ),
        (
            {"author": "Ken Cochrane", "title": "django-defender 0.9.8: README", "publisher": "Ken"},
            SourceClass(3, SourceType.DOCUMENTATION, "Ken", "its title names it as documentation"),
        ),
        (
            {"publisher": "Acme Corp.", "title": "Our product"},
            SourceClass(3, SourceType.COMPANY, "Acme Corp.", "published by Acme Corp."),
        ),
        (
            {"title": "one two three four five six NIST said"},
            SourceClass(5, SourceType.OTHER, "", "nothing known about its publisher"),
        ),
        (
            {"title": "one two three four five NIST said"},
            SourceClass(1, SourceType.GOVERNMENT, "NIST", "published by NIST"),
        ),
        ({"title": "nist said"}, SourceClass(5, SourceType.OTHER, "", "nothing known about its publisher")),
        ({"author": "nist"}, SourceClass(1, SourceType.GOVERNMENT, "NIST", "published by NIST")),
        (
            {"url": "https://www.reddit.com/r/x", "author": "NIST"},
            SourceClass(5, SourceType.SOCIAL, "NIST", "its domain reddit.com"),
        ),
        (
            {"author": "University of Zurich"},
            SourceClass(2, SourceType.ACADEMIC, "University of Zurich", "published by University of Zurich"),
        ),
    ],
)
def test_a_source_has_tier_type_publisher_and_a_reason(described, expected):
    assert classify_source(**described) == expected


def test_one_publisher_has_one_name():
    one = classify_source(author="National Institute of Standards and Technology")
    other = classify_source(url="https://csrc.nist.gov/x", title="NIST SP 800-69 Guidance")
    assert one.publisher == other.publisher == "NIST"


def test_the_reason_can_be_read():
    assert classify_source(url="https://cs.stanford.edu/").reason == "a university domain (stanford.edu)"
    assert classify_source(author="OWASP").reason == "published by OWASP"


def test_an_admin_rule_goes_before_the_built_in_ones():
    rule = AuthorityRule("wikipedia.org", 2, SourceType.WIKI)
    assert classify_source(url="https://de.wikipedia.org/wiki/X", rules=[rule]).tier == 2


@pytest.mark.parametrize("url", ["", "not a url", "http://[::1", "http://:99999/", "file:///tmp/x", "é://ß"])
def test_a_bad_url_is_just_unknown(url):
    assert kind(url=url) == (5, "other")


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_words_get_a_tier(url, title):
    assert 1 <= classify_source(url=url, title=title).tier <= 5


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://csrc.nist.gov/pubs/x", "nist.gov"),
        ("https://www.bbc.co.uk/news", "bbc.co.uk"),
        ("https://github.com/OWASP/ASVS", "github.com/owasp"),
        ("https://passlib.readthedocs.io/en/", "passlib.readthedocs.io"),
        ("https://alice.github.io/x", "alice.github.io"),
        ("http://localhost:8000/x", "localhost"),
        ("", ""),
    ],
)
def test_origin_domain_names_who_stands_behind_a_url(url, domain):
    assert origin_domain(url) == domain


@pytest.mark.parametrize(
    ("tier", "source_type", "value"),
    [
        (1, SourceType.GOVERNMENT, 1.0),
        (2, SourceType.INDUSTRY, 0.9),
        (2, SourceType.DOCUMENTATION, 0.9),
        (3, SourceType.COMPANY, 0.75),
        (4, SourceType.BLOG, 0.6),
        (4, SourceType.WIKI, 0.6),
        (5, SourceType.OTHER, 0.5),
        (5, SourceType.NEWS, 0.55),
        (5, SourceType.SOCIAL, 0.4),
        (5, SourceType.ACADEMIC, 0.65),
        (5, SourceType.CODE, 0.5),
    ],
)
def test_authority_by_tier_and_type(tier, source_type, value):
    assert source_authority(tier, source_type, today=TODAY) == pytest.approx(value)


def test_a_named_author_adds_a_twentieth():
    assert source_authority(4, SourceType.BLOG, has_author=True, today=TODAY) == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("published", "value"),
    [
        ("2025-12-31", 0.7),
        ("2025-12-30", 0.65),
        ("2025-07-01", 0.65),
        ("2025-06-30", 0.6),
        ("2026-05-01", 0.7),
        ("2025-12-01", 0.65),
        ("2024-01-01", 0.6),
        ("2025", 0.6),
        (None, 0.6),
    ],
)
def test_recency_counts_only_when_the_date_is_surely_young(published, value):
    found = source_authority(4, SourceType.BLOG, published=parse_iso(published), today=TODAY)
    assert found == pytest.approx(value)


@pytest.mark.parametrize("tier", [0, 6])
def test_a_tier_outside_one_to_five_is_an_error(tier):
    with pytest.raises(ValueError, match="no such tier"):
        source_authority(tier, SourceType.OTHER, today=TODAY)


@given(st.integers(1, 4), st.sampled_from(SourceType), st.booleans(), st.integers(0, 4000))
def test_a_better_tier_never_lowers_authority(tier, source_type, has_author, days):
    day = TODAY - timedelta(days=days)
    better, worse = (
        source_authority(each, source_type, has_author=has_author, published=Period(day, day), today=TODAY)
        for each in (tier, tier + 1)
    )
    assert 0 <= worse <= better <= 1


@pytest.mark.parametrize(
    ("url", "title", "expected"),
    [
        ("https://arxiv.org/abs/2101.1", "A paper", True),
        ("https://www.medrxiv.org/content/1", "A paper", True),
        ("https://papers.ssrn.com/1", "A paper", True),
        ("https://example.org/a.pdf", "A paper (preprint)", True),
        ("https://nature.com/articles/1", "A paper", False),
        ("", "", False),
        ("http://[::1", "", False),
    ],
)
def test_preprints_are_told_from_reviewed_papers(url, title, expected):
    assert is_preprint(url, title) is expected


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://www.Example.org/a", "example.org"),
        ("docs.example.org", "docs.example.org"),
        (" example.org:8080/x ", "example.org"),
        ("", ""),
        ("http://[::1", ""),
    ],
)
def test_the_host_of_an_address(address, host):
    assert host_of(address) == host


@pytest.mark.parametrize(
    ("url", "title", "expected"),
    [
        ("https://kubernetes.io/docs/concepts/secret/", "Secrets | Kubernetes", (2, "documentation")),
        ("https://react.dev/reference/react/useMemo", "useMemo – React", (2, "documentation")),
        ("https://kubernetes.io/blog/x", "Release 1.30 | Kubernetes", (4, "blog")),
        ("https://mirror.example.com/docs/x", "Secrets | Kubernetes", (3, "documentation")),
    ],
)
def test_documentation_on_the_site_of_its_project_is_official(url, title, expected):
    assert kind(url=url, title=title) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Bundesanstalt für Straßenwesen: Fahrradhelm (2023)", (1, "government")),
        ("Umweltbundesamt warnt vor Hitze", (5, "other")),
        ("International Energy Agency: Hydrogen (2023)", (1, "government")),
        ("Canadian Centre for Occupational Health and Safety", (1, "government")),
        ("British Dental Journal: Pictures of drills (2022)", (1, "academic")),
        ("American Academy of Pediatrics: Screens and sleep", (2, "industry")),
        ("The Street Journal, a column", (5, "other")),
    ],
)
def test_public_bodies_and_societies_are_told_by_their_names(title, expected):
    assert kind(url="https://unheard-of.example.com/", title=title) == expected
