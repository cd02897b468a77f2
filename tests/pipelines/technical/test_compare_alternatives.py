"""The table of a comparison: who is compared, in what, and which sentence stands where."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.pipelines.technical.compare_technical_alternatives import (
    aspects_of,
    compare,
    speaks_of,
    things_in,
)
from research.pipelines.technical.technical_informative_sentences import is_statement
from tests.often import often

CARDS = Cards(
    [
        DocumentCard(id=name, path=f"{name}.md", title=f"{name} README")
        for name in ("Annoy", "Voyager", "Faiss")
    ]
)
SAID = [
    ("Annoy", "Annoy is a C++ library to search for points in space."),
    ("Annoy", "Its memory usage is small, since it maps static files into memory."),
    ("Voyager", "Voyager is a library for approximate search in memory."),
    ("Voyager", "It uses less memory than its predecessor did before."),
    ("Faiss", "Faiss is a library for similarity search of dense vectors."),
]


def sentences(said):
    return [Candidate(name, 200 * n, 200 * n + len(text), text) for n, (name, text) in enumerate(said)]


def embed(texts):
    """Embed by letters: deterministic, and of unit length."""
    vectors = np.array(
        [[1.0, *(text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz")] for text in texts]
    )
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("question", "technologies", "things"),
    [
        ("Should I use UUIDs or bigint as primary key in PostgreSQL?", (), ("UUID", "bigint")),
        ("How do they compare?", ["Annoy", "Faiss"], ("Annoy", "Faiss")),
        ("Annoy vs Voyager for search", [], ("Annoy", "Voyager")),
        ("Annoy vs Voyager for a Faiss user: memory, recall and speed?", ["Faiss"], ("Annoy", "Voyager")),
        ("Should I take Annoy, Voyager or Faiss?", [], ("Annoy", "Voyager", "Faiss")),
    ],
)
def test_what_is_compared_is_given_or_set_side_by_side(question, technologies, things):
    assert things_in(analyse(question), technologies, CARDS) == things


def test_keywords_are_the_first_aspects():
    aspects = aspects_of(analyse("Annoy vs Voyager"), ("Annoy", "Voyager"), ["memory", "Annoy"])
    assert (aspects[0].title, aspects[0].words, aspects[0].is_asked) == ("Memory", "memory", True)


def test_what_the_asker_names_has_a_row_of_its_own_and_nothing_else_has():
    things = ("Annoy", "Voyager")
    said = [
        ("bench", "On one core Annoy took 0.9 s and Voyager 11.4 s."),
        ("Annoy", "Annoy is licensed under the Apache licence."),
        ("Voyager", "Voyager is a library for nearest neighbours."),
    ]
    aspects = aspects_of(analyse("Annoy vs Voyager"), things, ["speed", "licence", "persistence"])
    found = compare(things, aspects, sentences(said), CARDS, embed)
    assert [aspect.title for aspect in found.aspects] == ["Speed", "Licence", "Persistence"]
    placed = {(cell.thing, cell.aspect): cell.sentence.text for cell in found.cells}
    assert placed == {(0, 0): said[0][1], (1, 0): said[0][1], (0, 1): said[1][1]}


def test_each_thing_gets_the_sentence_that_says_it():
    aspects = aspects_of(analyse("Annoy vs Voyager"), ("Annoy", "Voyager"), ())
    found = compare(("Annoy", "Voyager"), aspects, sentences(SAID), CARDS, embed)
    told = {(found.things[c.thing], found.aspects[c.aspect].title): c.sentence.text for c in found.cells}
    assert told["Annoy", "Purpose"] == SAID[0][1]
    assert told["Voyager", "Memory and storage"] in (SAID[2][1], SAID[3][1])


def test_a_sentence_on_another_thing_is_nobodys_from_its_title():
    about = Candidate("Annoy", 0, 30, "Voyager has a much higher recall.")
    assert not speaks_of("Annoy", ["Voyager"], about, CARDS)
    assert speaks_of("Voyager", ["Annoy"], about, CARDS)


@given(
    st.lists(
        st.tuples(st.sampled_from(["Annoy", "Voyager", "Faiss"]), st.sampled_from([t for _, t in SAID])),
        max_size=12,
    )
)
@often(100)
def test_no_cell_is_filled_twice_and_no_sentence_fills_two(said):
    things = ("Annoy", "Voyager", "Faiss")
    found = compare(things, aspects_of(analyse("a comparison"), things, ()), sentences(said), CARDS, embed)
    places = [(cell.thing, cell.aspect) for cell in found.cells]
    texts = [cell.sentence.text for cell in found.cells]
    assert len(set(places)) == len(places)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Results are limited by the size of the candidate list.", True),
        ("void set_default_probas(int M, float levelMult)", False),
        ("The following parameters can be specified:", False),
        ("See the [IVF_PQ index](./concepts/index_ivfpq.md) for a deeper description of it.", False),
        ("379ee758b1bb49cd167c6ed86e80be331e94c593 Reserve the capacity of a table", False),
        ("Public Functions", False),
    ],
)
def test_only_what_says_something_is_a_statement(text, holds):
    assert is_statement(Candidate("d", 0, len(text), text)) is holds


@pytest.mark.parametrize(
    ("text", "section", "about"),
    [
        ("It builds faster than Annoy does.", "Kit > Voyager", "Voyager"),
        ("It uses less memory than Voyager.", "Kit > Annoy", "Annoy"),
        ("Voyager has a higher recall than Annoy.", "", "Voyager"),
        ("Unlike Voyager, Annoy uses static files.", "", "Annoy"),
    ],
)
def test_what_a_thing_is_measured_against_is_not_spoken_of(text, section, about):
    one = Candidate("Faiss", 0, len(text), text, section=section)
    found = [
        thing
        for thing, others in (("Annoy", ["Voyager"]), ("Voyager", ["Annoy"]))
        if speaks_of(thing, others, one, CARDS)
    ]
    assert found == [about]


def test_each_aspect_that_the_question_lists_is_compared():
    asked = "Annoy vs Voyager for a shop: speed, boilerplate and persistence?"
    titles = [aspect.title for aspect in aspects_of(analyse(asked), ("Annoy", "Voyager"), ())]
    assert "Persistence" in titles[:4]
    assert "Boilerplate" not in titles  # it is asked for by "Setup"


def test_what_the_question_asks_for_is_compared_first():
    asked = "Annoy vs Voyager: speed and memory"
    titles = [aspect.title for aspect in aspects_of(analyse(asked), ("Annoy", "Voyager"), ())]
    assert titles[:2] == ["Performance", "Memory and storage"]


def test_what_is_said_in_other_words_fills_an_open_cell_unless_it_is_on_another_aspect():
    things = ("Annoy", "Voyager")
    said = [
        ("Annoy", "Annoy retries a message that was rejected once more."),
        ("Voyager", "Voyager requeues a message that was rejected once more."),
    ]
    aspects = aspects_of(analyse("Annoy vs Voyager"), things, ["retries"])
    found = compare(things, aspects, sentences(said), CARDS, embed)
    assert [cell.sentence.text for cell in found.cells] == [text for _name, text in said]
    said[1] = ("Voyager", "Voyager is licensed so that a message is rejected once more.")
    [cell] = compare(things, aspects, sentences(said), CARDS, embed).cells
    assert cell.thing == 0


def test_the_purpose_of_a_thing_is_said_of_the_thing_itself():
    said = [
        ("Annoy", "Trees is an Annoy library that searches for neighbours."),
        ("Voyager", "Voyager is a library for approximate search of neighbours."),
    ]
    found = compare(
        ("Annoy", "Voyager"), aspects_of(analyse("Annoy vs Voyager"), (), ()), sentences(said), CARDS, embed
    )
    purpose = [a for a, aspect in enumerate(found.aspects) if aspect.title == "Purpose"]
    assert not any(cell.thing == 0 and cell.aspect in purpose for cell in found.cells)


def test_a_numbered_kind_of_a_thing_is_that_thing():
    text = "AnnoyV2 begins with a timestamp and is nearly as fast as Voyager."
    assert speaks_of("Annoy", ["Voyager"], Candidate("Faiss", 0, len(text), text), CARDS)
