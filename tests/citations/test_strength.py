import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_strength import (
    Origin,
    Strength,
    author_key,
    independent,
    origins,
    strength,
    work_key,
)


def test_sources_with_nothing_in_common_are_independent():
    assert independent([Origin("a", domain="a.org"), Origin("b", domain="b.org"), Origin("c")]) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text_group": "g1"}, {"text_group": "g1"}),
        ({"domain": "NIST.gov"}, {"domain": "nist.gov"}),
        ({"publisher": "OWASP"}, {"publisher": "owasp"}),
        ({"authors": ("Paul A. Grassi",)}, {"authors": ("J. Fenton", "Grassi, P.")}),
        ({"work": "django release notes"}, {"work": "django release notes"}),
    ],
    ids=["text", "domain", "publisher", "author", "revision"],
)
def test_two_sources_of_one_origin_count_once(one, other):
    assert independent([Origin("a", **one), Origin("b", **other)]) == 1


def test_the_same_source_twice_counts_once():
    assert independent([Origin("a"), Origin("a")]) == 1


def test_unknown_fields_join_nothing():
    assert independent([Origin("a"), Origin("b")]) == 2


def test_one_origin_is_carried_on():
    chain = [
        Origin("a", domain="x.org"),
        Origin("b", domain="x.org", text_group="t"),
        Origin("c", text_group="t"),
    ]
    assert independent(chain) == 1


def test_a_later_source_can_join_earlier_ones():
    apart = [
        Origin("a", domain="x.org"),
        Origin("c", text_group="t"),
        Origin("b", domain="x.org", text_group="t"),
    ]
    assert independent(apart) == 1


def test_groups_come_in_order_of_first_appearance():
    found = origins([Origin("a", domain="x"), Origin("b", domain="y"), Origin("c", domain="x"), Origin("d")])
    assert found == (frozenset("ac"), frozenset("b"), frozenset("d"))


def test_no_source_is_no_origin():
    assert independent([]) == 0


@pytest.mark.parametrize(
    ("sources", "expected"),
    [(1, Strength.LIMITED), (2, Strength.MODERATE), (3, Strength.STRONG), (9, Strength.STRONG)],
)
def test_strength_counts_independent_sources(sources, expected):
    assert strength(sources) is expected


def test_a_claim_without_a_source_has_no_strength():
    with pytest.raises(ValueError, match="no strength"):
        strength(0)


@pytest.mark.parametrize("name", ["Paul A. Grassi", "Grassi, Paul", "P. Grassi", "GRASSI, P."])
def test_one_person_has_one_key(name):
    assert author_key(name) == "grassi p"


def test_an_empty_name_has_no_key():
    assert author_key(" ") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Django 4.2 release notes", "Django 5.2 release notes"),
        ("OWASP ASVS 4.0.3", "OWASP ASVS 2009 (1.0)"),
        ("Cheat Sheet: Storage (site as of 2019-12-31)", "Cheat Sheet: Storage (site as of 2023-12-08)"),
        ("Guide to Windows, Rev. 1", "Guide to Windows"),
        ("Algorithms, third edition", "Algorithms, 2nd Edition"),
        ("Digital Identity (initial public draft)", "Digital Identity"),
    ],
)
def test_revisions_of_one_document_have_one_key(one, other):
    assert work_key(one) == work_key(other) != ""


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Django 4.2 release notes", "django release notes"),
        ("Guide (as of 2019-12-31) to Windows, Rev. 1", "guide to windows"),
        ("Algorithms, third edition", "algorithms"),
        ("Working Draft of Digital  Identity v3", "of digital identity"),
        ("Straße — 2nd Edition", "strasse"),
        ("RFC 2104", "rfc 2104"),
        ("2019", ""),
        ("Notes 1.2.3, Édition", "notes édition"),
    ],
)
def test_a_title_keeps_the_words_that_name_the_document(title, key):
    assert work_key(title) == key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Paul A. Grassi", "grassi p"),
        ("Plato", "plato"),
        ("de Boer, Jan", "de boer j"),
        ("Ana-Maria O'Neil", "o'neil a"),
        ("Ünal, É.", "ünal é"),
        (".", "."),
        (" , ", ""),
    ],
)
def test_a_person_is_known_by_family_name_and_first_initial(name, key):
    assert author_key(name) == key


def test_an_origin_is_marked_by_all_that_is_known_of_it():
    known = Origin("a", "t", "NIST.gov", "N I  S", ("P. Grassi", ""), "w")
    assert known.marks() == {
        ("source", "a"),
        ("text", "t"),
        ("domain", "nist.gov"),
        ("publisher", "n i s"),
        ("author", "grassi p"),
        ("work", "w"),
    }
    assert Origin("a").marks() == {("source", "a")}


def test_different_documents_have_different_keys():
    assert work_key("Django 4.2 release notes") != work_key("Django 4.2 documentation: Security")


def test_a_title_of_a_version_only_names_no_document():
    assert work_key("v2.0 (2019)") == ""


FEW = st.sampled_from(["", "x", "y", "z"])
SOURCES = st.lists(st.builds(Origin, st.uuids().map(str), FEW, FEW, FEW), max_size=12)


@given(SOURCES)
def test_groups_part_the_sources(sources):
    found = origins(sources)
    assert sorted(name for group in found for name in group) == sorted({each.source for each in sources})


@given(SOURCES, st.randoms(use_true_random=False))
def test_the_order_of_sources_does_not_matter(sources, random):
    shuffled = list(sources)
    random.shuffle(shuffled)
    assert set(origins(sources)) == set(origins(shuffled))


@given(SOURCES)
def test_another_source_never_adds_more_than_one(sources):
    assert all(independent(sources[: n + 1]) <= independent(sources[:n]) + 1 for n in range(len(sources)))


def test_an_agencys_story_is_one_voice_on_all_sites_and_with_the_agency():
    sites = [
        Origin("a", domain="a.example", repeats="Reuters"),
        Origin("b", domain="b.example", repeats="Reuters"),
        Origin("c", domain="reuters.example", publisher="Reuters"),
        Origin("d", domain="d.example", repeats="Associated Press"),
    ]
    assert independent(sites) == 2


def test_what_repeats_a_site_is_one_voice_with_it():
    assert (
        independent([Origin("a", domain="a.example", repeats="B.example"), Origin("b", domain="b.example")])
        == 1
    )
