"""Sentences about the things that a question names are chosen."""

from research.extractive.candidate_sentences import Candidate
from research.extractive.document_cards import Cards, DocumentCard
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker, RankingFeatures, ScoredCandidate
from research.extractive.term_rarity import Rarity
from research.pipelines.technical.choose_answer_sentences import key_forms, on_the_things

CARDS = Cards([DocumentCard("kit", "Kit README, version 2"), DocumentCard("other", "Notes on valves")])


def ranker_of(asked: str) -> Ranker:
    return Ranker.of(analyse(asked), CARDS, Rarity(1_000, {"kit": 40, "version": 30}))


def scored(text: str, document: str = "other") -> ScoredCandidate:
    return ScoredCandidate(Candidate(document, 0, len(text), text), RankingFeatures(), 0.5, {})


def test_the_sort_of_a_document_is_no_thing_that_a_question_names():
    forms = frozenset().union(*key_forms(ranker_of("Which Cobol versions does Kit support?"), ()))
    assert {"cobol", "kit"} >= forms >= {"kit"}


def test_where_several_things_are_needed_a_sentence_on_one_of_them_will_do():
    ranker = ranker_of("Does Kit need Fortran?")
    both = [scored(f"Kit {number} needs Fortran.", "kit") for number in range(4)]
    one = [scored("It needs a compiler of C.", "kit"), scored("Valves need oil.")]
    asked = on_the_things([*both, *one], ranker, ("Fortran",))
    spared = on_the_things([*both, *one], ranker, ("Fortran",), spared=1)
    assert asked == both
    assert spared == [*both, one[0]]
