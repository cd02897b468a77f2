"""Words that frame a question, and the same words where they are its matter."""

import pytest

from research.extractive.answerability import judge
from research.extractive.question.answer_forms import AnswerForm
from research.extractive.question.parsed_question import TermKind, analyse
from research.extractive.question.question_frames import frame_words, without_request
from tests.extractive.conftest import candidate, hash_vectors


@pytest.mark.parametrize(
    ("question", "frame"),
    [
        ("How did the unit cost develop?", {"develop"}),
        ("How has the unit cost evolved since 2020?", {"evolved"}),
        ("How have prices changed over the years?", {"changed", "years"}),
        ("What does the market look like?", {"look"}),
        ("Where does the agency stand on pumps?", {"stand"}),
        ("How do wells and pits compare on price?", {"compare"}),
        ("How does the new pump fare against the old one?", {"fare"}),
        ("What became of the old pump?", {"became"}),
        ("What is the state of the pump?", {"state"}),
        ("What's the story with the pump?", {"story"}),
        ("What do the sources say about pumps?", {"sources"}),
        ("Has the price gone up?", {"gone"}),
        ("Should websites let people pay for pumps?", {"websites"}),
        ("Do users have to clean the pump?", {"users"}),
        ("What is the fastest pump called?", {"called"}),
        ("Should I switch to a steel pump when working out of town?", {"switch", "working"}),
        ("Give me a short overview of pumps", {"give", "overview"}),
        ("Compare the wells of both towns", {"compare"}),
        ("Wie haben sich die Stückkosten entwickelt?", {"entwickelt"}),
        ("Wie hat sich der Preis seit 2020 verändert?", {"verändert"}),
        ("Wie hat sich die Zahl der Pumpen entwickelt?", {"zahl", "entwickelt"}),
    ],
)
def test_a_verb_of_change_or_of_being_frames_what_is_asked(question, frame):
    assert frame_words(question) == frame


@pytest.mark.parametrize(
    "question",
    [
        "Who developed the pump?",
        "Which firm develops pumps?",
        "How do I change a pump?",
        "How did the firm develop the pump?",
        "What changed in pumplib 2.0?",
        "How does a court move a case?",
        "Who compared wells and pits?",
        "Wer hat die Pumpe entwickelt?",
    ],
)
def test_what_something_is_done_to_is_the_matter_of_the_question(question):
    assert not frame_words(question)


def over(ranker, text, *sentences):
    of = ranker(text)
    return judge(of, of.rank(sentences, hash_vectors))


@pytest.mark.parametrize(
    "question",
    [
        "How did the unit cost of pumps develop?",
        "How has the unit cost of pumps evolved over the years?",
        "What does the unit cost of pumps look like?",
        "Tell me about the unit cost of pumps",
    ],
)
def test_no_source_has_to_say_the_frame(ranker, question):
    said = candidate("blog", "The unit cost of pumps fell from 118 euros in 2022 to 104 euros in 2023.")
    assert over(ranker, question, said).is_answerable


@pytest.mark.parametrize(
    "question",
    [
        "How did the wages of drillers develop?",
        "How has the rainfall of Zephyrland evolved over the years?",
        "What does the market for tractors look like?",
        "Tell me about quantum computers and lattices",
        "How did the cost of a repair change from 2019 to 2024?",
    ],
)
def test_what_is_framed_must_be_said(ranker, question):
    said = candidate("blog", "The unit cost of pumps fell from 118 euros in 2022 to 104 euros in 2023.")
    assert not over(ranker, question, said).is_answerable


def test_small_words_of_german_are_no_matter_and_its_nouns_no_names():
    found = analyse("Wie haben sich die Stückkosten der Pumpe entwickelt?")
    assert [(term.surface, term.kind) for term in found.terms if term.weight == 1.0] == [
        ("Stückkosten", TermKind.WORD),
        ("Pumpe", TermKind.WORD),
    ]
    assert found.asks_change
    assert not found.names


def test_what_looks_like_a_name_in_any_language_is_one_in_german():
    assert [name.surface for name in analyse("Wie hat sich der PBKDF2 Wert seit 2020 verändert?").names] == [
        "PBKDF2"
    ]


def test_a_german_question_is_answered_by_german_sentences(ranker):
    said = candidate("blog", "Die Stückkosten der Pumpe sanken von 118 Euro auf 104 Euro.")
    assert over(ranker, "Wie haben sich die Stückkosten der Pumpe entwickelt?", said).is_answerable
    assert not over(ranker, "Wie haben sich die Löhne der Fahrer entwickelt?", said).is_answerable


def test_how_a_cost_changed_is_told_by_an_amount_or_a_share(ranker):
    question = "How did the unit cost of pumps develop?"
    assert over(ranker, question, candidate("blog", "The unit cost of pumps fell by 31 %.")).is_answerable
    assert not over(
        ranker, question, candidate("blog", "The unit cost of pumps is a sore point.")
    ).is_answerable


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("list the parts of a pump", ["parts", "pump"]),
        ("Name some alternatives to wells", ["alternatives", "wells"]),
        ("list pumps that float", ["pumps", "float"]),
        ("Give me a full list of the pumps", ["pumps"]),
        ("Show me an example of a pump", ["pump"]),
        ("tell me about wells", ["wells"]),
        ("Could you please list the pumps?", ["pumps"]),
        ("list comprehension", ["list", "comprehension"]),
        ("name server", ["name", "server"]),
        ("show command", ["show", "command"]),
    ],
)
def test_an_order_is_no_term_to_search_for(question, terms):
    assert [term.surface for term in analyse(question).terms] == terms


@pytest.mark.parametrize(
    ("question", "direct"),
    [
        ("Tell me why pumps leak", "why pumps leak"),
        ("Can you tell me what a pump is?", "what is a pump?"),
        ("I'd like to know how deep the well is", "how deep is the well"),
        ("Do you know which pumps float?", "which pumps float?"),
        ("please explain how pumps work", "how pumps work"),
        ("Could you list the pumps?", "list the pumps?"),
        ("Can you use a pump in a well?", "Can you use a pump in a well?"),
        ("Show me the pumps", "Show me the pumps"),
    ],
)
def test_words_that_only_ask_for_an_answer_are_left_out(question, direct):
    assert without_request(question) == direct


def test_an_indirect_question_has_the_form_of_the_direct_one():
    assert analyse("Could you tell me how to clean a pump?").form is AnswerForm.STEPS
    assert analyse("Can you tell me what a pump is?").form is AnswerForm.DEFINITION
    assert analyse("Can you list the pumps?").form is AnswerForm.LIST
