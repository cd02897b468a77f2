"""Informative sentences of technical pages, each kept once."""

import pytest

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.pipelines.technical.technical_config import QuestionType
from research.pipelines.technical.technical_informative_sentences import (
    find_named_versions,
    is_statement,
    older_addresses,
    older_versions,
    other_versions,
    select_current_sentences,
)

CARDS = Cards(
    [
        DocumentCard("new", "Kit README (v0.8.6)", published="2026-07-29"),
        DocumentCard("old", "Kit README (v0.5.0)", published="2023-08-28"),
        DocumentCard("log", "Kit CHANGELOG", published="2026-08-07"),
        DocumentCard("other", "Other README (v0.1)", published="2020"),
    ]
)


def sentence(text: str, document: str = "new", after: str = "", section: str = "") -> Candidate:
    return Candidate(document, 0, len(text), text, after=after, section=section)


@pytest.mark.parametrize(
    ("text", "after", "is_one"),
    [
        ("Specify the max number of probes", "SET kit.max_probes = 100;", False),
        ("Specify the number of probes (1 by default)", "SET kit.probes = 10;", True),
        ("Indexes build faster when the graph fits into memory", "SET kit.memory = '8GB';", True),
        ("Create an index for each distance function", "It may take a while.", True),
        ("See [the documentation](https://kit.example/docs) for all of its options.", "", False),
        ("Contributions to the kit are very welcome here.", "", False),
        ("It got its name because it searches through spaces.", "", False),
        ("Vectors of up to 2,000 dimensions can be indexed.", "", True),
        ("The Upgrade and Connection headers must be passed to the server:", "set_header Upgrade $up;", True),
        ("The Upgrade and Connection headers of a request look like this:", "set_header Upgrade $up;", False),
    ],
)
def test_captions_and_pointers_are_no_statements(text, after, is_one):
    assert is_statement(sentence(text, after=after)) is is_one


@pytest.mark.parametrize(
    ("text", "section", "is_one"),
    [
        ("Ada Lind ada@kit.example Bo Ek bo@kit.example and the team", "", False),
        ("Keywords: search of neighbours, large collections of vectors", "", False),
        ("Searching far and wide. CoRR, abs/1603.09320, 2016. URL https://kit.example/x", "", False),
        ("Optimal hashing of many dimensions. Commun. Kit, 51(1):117–122, January 2008.", "", False),
        ("A search that is wide needs more memory than a narrow one.", "Paper > References", False),
        ("Most tests used one million points (Lind et al., 2020).", "Paper > Results", True),
    ],
)
def test_who_wrote_a_paper_and_what_it_cites_is_no_statement(text, section, is_one):
    assert is_statement(sentence(text, section=section)) is is_one


def test_a_command_with_its_options_is_no_statement():
    assert not is_statement(sentence("A sample: release/try --dist float --set 5 --knn 1 --file ../a.txt"))
    assert is_statement(sentence("With --knn 1 the test finds the nearest neighbour only."))


def test_older_versions_are_those_of_which_there_is_a_newer_one():
    assert older_versions(CARDS) == {"old"}


SAID = [
    sentence("The index holds 4,000 dimensions."),
    sentence("The index holds 2,000 dimensions.", "old"),
    sentence("Fixed an overflow of the index.", "log"),
    sentence("Added an index of dimensions.", section="0.8.0 (2024-10-30)"),
]


@pytest.mark.parametrize(
    ("asked", "kind", "count"),
    [
        ("How many dimensions does a kit index hold?", "documentation", 1),
        ("How should a kit index be built?", "best-practices", 1),
        ("How many dimensions does a kit 0.5.0 index hold?", "documentation", 4),
        ("When was the kit index added?", "documentation", 3),
        ("Why does the kit index overflow?", "error-resolution", 3),
        ("What does the kit index need?", "dependency", 3),
    ],
)
def test_what_was_told_once_is_left_out_unless_it_is_asked_for(asked, kind, count):
    found = select_current_sentences(SAID, analyse(asked), QuestionType(kind), CARDS)
    assert len(found) == count
    assert found[0].document_id == "new"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Django 5.2 supports Python 3.10, 3.11, 3.12, and 3.13.", True),
        ("Node.js 20.19+ / 22.12+ is now required.", True),
        ("fetch requests are no longer cached by default.", True),
        ("0.17 0.29 0.44 0.5", False),
        ("Thanks to everyone who reviewed drafts of this post.", False),
        ("Special thanks to Anna Berg for the illustrations.", False),
        ("Thanks, that worked for me, great!", False),
        ("Figure 3-1 illustrates the order in which we upgraded.", False),
        ("Figure 2 shows the setup of our benchmark.", False),
        ("Table 4. Results of all runs by size.", False),
        ("Sign up for a free trial of our managed platform.", False),
        ("Subscribe to our newsletter for more tips on it.", False),
        ("In this article we will look at ten useful tips.", False),
        ("Asked 3 years ago. Viewed 210k times.", False),
        ("I get an error when my client connects to the server.", False),
        ("The table has 4 columns, which are indexed by default.", True),
        ("+1, would love to see this.", False),
        ("Share this on your favourite network.", False),
        ("My docker build fails with a 401 although it works on my machine.", False),
        ("Increasing its value leads to higher allocation of memory.", False),
        ("Do not do this: the token stays in the earlier layer.", False),
        ("Do not raise the limit beyond a few hundred connections.", True),
    ],
)
def test_only_facts_are_statements_however_short(text, is_one):
    assert is_statement(sentence(text)) is is_one


OF_VERSIONS = Cards(
    [
        DocumentCard("15", "Upgrading: Version 15 | Next.js"),
        DocumentCard("14", "Caching | Next.js 14"),
        DocumentCard("path", "Caching"),
        DocumentCard("plain", "What is new in caching"),
    ]
)
ADDRESSES = {"path": "https://nextjs.org/docs/14/caching", "plain": "https://example.org/14/"}


def test_of_addresses_that_differ_in_a_version_the_older_ones_are_left_out():
    cards = Cards([DocumentCard(name, name) for name in ("nine", "ten", "year", "alone")])
    addresses = {
        "nine": "https://kit.example/docs/9.6/settings.html",
        "ten": "https://kit.example/docs/17/settings.html",
        "year": "https://kit.example/2019/settings.html",
        "alone": "https://kit.example/docs/8/install.html",
    }
    assert older_addresses(cards, addresses) == {"nine"}


def test_pages_of_another_version_than_the_one_named_are_left_out():
    named = find_named_versions("How does caching work in Next.js 15?")
    assert other_versions(named, OF_VERSIONS, ADDRESSES) == {"14", "path"}


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("What does Kit 2.1 need?", {"3"}),
        ("What does Kit 2 need?", {"3"}),
        ("How do I go from Kit 2 to Kit 3?", set()),
        ("What does Kit 9 need?", set()),  # then all are of another one, which is told otherwise
        ("What does Kit need?", set()),
    ],
)
def test_a_release_is_of_its_version(question, others):
    cards = Cards([DocumentCard("2", "Kit 2.1.4 notes"), DocumentCard("3", "Kit 3.0 notes")])
    assert other_versions(find_named_versions(question), cards, {}) == others


def test_an_older_page_tells_what_was_dropped_if_the_question_asks_what_still_works():
    cards = Cards([DocumentCard("six", "Migration to Kit 6"), DocumentCard("five", "Kit 5 is out")])
    said = [
        sentence("Kit 6 supports Node.js 18 and 20.", "six"),
        sentence("Kit 5 requires Node.js 18 or later.", "five"),
        sentence("Kit 5 no longer supports Node.js 16.", "five"),
    ]
    for asked, kept in (
        ("Does Kit 6 still run on Node 16?", said[::2]),
        ("Does Kit 6 run on Node 16?", said[:1]),
    ):
        found = select_current_sentences(said, analyse(asked), QuestionType.DEPENDENCY, cards)
        assert found == kept
