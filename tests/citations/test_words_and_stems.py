import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text import claim_words_and_stems
from citations.text.claim_words_and_stems import (
    MAX_SENTENCE_LENGTH,
    are_kin,
    content_stems,
    is_past,
    is_plural,
    lexemes,
    sentence_spans,
    stem,
    words,
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("password", "Passwords"),
        ("iterations", "iteration’s"),
        ("require", "must"),
        ("Noël", "Noel"),
        ("wrote", "written"),
        ("doctor", "Physicians"),
    ],
)
def test_forms_and_near_synonyms_have_one_stem(a, b):
    assert stem(a) == stem(b)


def test_words_keep_their_place():
    text = "A well-known fact isn't 4.0.3"
    assert [word.span.cut(text) for word in words(text)] == ["A", "well-known", "fact", "isn't", "4.0.3"]


@pytest.mark.parametrize(
    ("a", "b", "kin"),
    [
        ("director", "direct", True),
        ("korea", "korean", True),
        ("invent", "inventor", True),
        ("fast", "fasten", True),
        ("fastest", "fasten", True),
        ("inform", "informational", False),
        ("marine", "market", False),
        ("port", "import", False),
        ("car", "cart", False),
        ("inter", "international", False),
        ("", "", False),
    ],
)
def test_stems_of_one_family_share_their_start(a, b, kin):
    assert are_kin(a, b) is are_kin(b, a) is kin


@given(st.text(max_size=80))
def test_words_read_without_their_places_are_the_same(text):
    placed = [(word.text, word.stem, word.is_content) for word in words(text)]
    assert [(word.text, word.stem, word.is_content) for word in lexemes(text)] == placed


def test_function_words_and_single_letters_carry_no_content():
    assert content_stems("It is the case that a b of these") == {stem("case")}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See e.g. the table. Then go.", ["See e.g. the table.", "Then go."]),
        ("Dr. Who met J. Smith.", ["Dr. Who met J. Smith."]),
        ("It costs 1.5 million. Yes.", ["It costs 1.5 million.", "Yes."]),
        ("A heading\n\nA text", ["A heading", "A text"]),
        ("List:\n- one\n- two", ["List:", "- one", "- two"]),
        ("a | b\nc | d", ["a | b", "c | d"]),
        ("lost space.Next one.", ["lost space.", "Next one."]),
        ("“Quoted.” Then.", ["“Quoted.”", "Then."]),
        (
            "It weighs 900 g. The town has 4 °C. In 1998 J. Smith came.",
            ["It weighs 900 g.", "The town has 4 °C.", "In 1998 J. Smith came."],
        ),
    ],
)
def test_sentences_are_parted(text, sentences):
    assert [span.cut(text) for span in sentence_spans(text)] == sentences


@pytest.mark.parametrize(("a", "b"), [("large", "largest"), ("more", "many"), ("good", "better")])
def test_a_degree_is_another_word(a, b):
    assert stem(a) != stem(b)


def test_a_sentence_without_an_end_is_cut_between_words():
    text = " ".join(["word"] * 1_000)
    spans = sentence_spans(text)
    assert all(MAX_SENTENCE_LENGTH // 2 <= len(span) <= MAX_SENTENCE_LENGTH for span in spans[:-1])
    assert {each for span in spans for each in span.cut(text).split()} == {"word"}


def test_a_run_without_a_space_is_cut_where_it_gets_too_long():
    spans = sentence_spans("x" * (2 * MAX_SENTENCE_LENGTH + 1))
    assert [len(span) for span in spans] == [MAX_SENTENCE_LENGTH, MAX_SENTENCE_LENGTH, 1]


def test_a_sentence_as_long_as_may_be_stays_whole():
    text = "word " * (MAX_SENTENCE_LENGTH // 5 - 1) + "words"
    assert [span.cut(text) for span in sentence_spans(text)] == [text]


@given(st.text(max_size=200))
def test_sentences_lie_in_order_inside_the_text(text):
    spans = sentence_spans(text)
    assert all(a.end <= b.start for a, b in zip(spans, spans[1:], strict=False))
    assert all(span.cut(text).strip() == span.cut(text) for span in spans)


@given(st.text(max_size=200))
def test_no_visible_character_is_lost_between_sentences(text):
    kept = "".join("".join(span.cut(text).split()) for span in sentence_spans(text))
    assert kept == "".join(text.split())


def test_threads_do_not_disturb_each_others_stems():
    forms = [
        f"{start}{end}"
        for start in ("measur", "nation", "gener", "relat")
        for end in ("ing", "ional", "ations")
    ]
    wanted = [claim_words_and_stems._dictionary_stem(form) for form in forms]
    switched = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(
                pool.map(
                    lambda _: [claim_words_and_stems._dictionary_stem(form) for form in forms], range(200)
                )
            )
    finally:
        sys.setswitchinterval(switched)
    assert all(each == wanted for each in found)


def test_a_possessive_is_no_initial():
    text = "The capital is Saint John's. It belongs to the region. J. Smith was there."
    found = [span.cut(text) for span in sentence_spans(text)]
    assert found == ["The capital is Saint John's.", "It belongs to the region.", "J. Smith was there."]


@pytest.mark.parametrize("word", ["approved", "sold", "led", "beat", "taken", "began"])
def test_a_verb_in_the_past_is_told_by_its_letters(word):
    assert is_past(word)


@pytest.mark.parametrize(
    "word", ["approve", "Fred", "larger", "mice", "bacteria", "closing", "lineup", "house", ""]
)
def test_other_words_are_not_in_the_past(word):
    assert not is_past(word)


@pytest.mark.parametrize(
    ("word", "plural"), [("Users", True), ("people", True), ("class", False), ("virus", False)]
)
def test_plurals_are_told_by_their_letters(word, plural):
    assert is_plural(word) is plural


def test_a_word_with_accents_of_their_own_is_one_word():
    decomposed = unicodedata.normalize("NFD", "L’Oréal für Zürich")
    assert [stem(word.text) for word in words(decomposed)] == [
        stem(each) for each in ("L’Oréal", "für", "Zürich")
    ]
    assert [each.text for each in lexemes(decomposed)] == [word.text for word in words(decomposed)]
