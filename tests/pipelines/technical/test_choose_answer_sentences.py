"""Sentences about the things that a question names are chosen."""

from dataclasses import replace

from research.extractive.answer_document_cards import Cards, DocumentCard
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker, RankingFeatures, ScoredCandidate
from research.extractive.term_rarity import Rarity
from research.pipelines.technical.choose_technical_sentences import (
    explains_and_mends,
    key_forms,
    list_distinct_names,
    names_missing_page,
    on_the_technologies,
    on_the_things,
    select_advice,
    select_answer_sentences,
    select_cautions,
)
from research.pipelines.technical.technical_config import QuestionType

CARDS = Cards([DocumentCard("kit", "Kit README, version 2"), DocumentCard("other", "Notes on valves")])


def ranker_of(asked: str) -> Ranker:
    return Ranker.of(analyse(asked), CARDS, Rarity(1_000, {"kit": 40, "version": 30}))


def make_candidate(text: str, document: str = "other") -> ScoredCandidate:
    return ScoredCandidate(Candidate(document, 0, len(text), text), RankingFeatures(), 0.5, {})


def test_the_sort_of_a_document_is_no_thing_that_a_question_names():
    forms = frozenset().union(*key_forms(ranker_of("Which Cobol versions does Kit support?"), ()))
    assert {"cobol", "kit"} >= forms >= {"kit"}


def test_where_several_things_are_needed_a_sentence_on_one_of_them_will_do():
    ranker = ranker_of("Does Kit need Fortran?")
    both = [make_candidate(f"Kit {number} needs Fortran.", "kit") for number in range(4)]
    one = [make_candidate("It needs a compiler of C.", "kit"), make_candidate("Valves need oil.")]
    asked = on_the_things([*both, *one], ranker, ("Fortran",))
    spared = on_the_things([*both, *one], ranker, ("Fortran",), spared=1)
    assert asked == both
    assert spared == [*both, one[0]]


def texts_of(asked: str, kind: QuestionType, *texts: str) -> list[str]:
    ranker = ranker_of(asked)
    ranked = [make_candidate(text, "kit") for text in texts]
    claims = select_answer_sentences(ranked, ranker, findings=3, of_each=0, kind=kind)
    return [claim.best.candidate.text for claim in claims]


def test_of_an_error_the_cause_and_the_remedy_come_first():
    told = texts_of(
        "Kit exits with code 137, what causes it and how do I fix it?",
        QuestionType.ERROR_RESOLUTION,
        "The output of Kit shows the exit code 137.",
        "The most common cause is a job that used more memory than its limit.",
        "Raise the memory limit, or find the leak in the job.",
    )
    assert told == [
        "The most common cause is a job that used more memory than its limit.",
        "Raise the memory limit, or find the leak in the job.",
        "The output of Kit shows the exit code 137.",
    ]


def test_how_something_is_done_begins_with_an_instruction_and_no_caveat():
    told = texts_of(
        "How do I copy a tree with Kit?",
        QuestionType.DOCUMENTATION,
        "For large trees make sure that the disk has space for the copies of Kit.",
        "In Kit 3.5 you have to copy each of the files of a tree yourself.",
        "kit.copy_tree(source, target) recursively copies a tree.",
    )
    assert told[0] == "kit.copy_tree(source, target) recursively copies a tree."


def test_where_advice_is_asked_for_a_recommendation_stands_among_the_first():
    told = texts_of(
        "When does Kit 2 end and which version should I use?",
        QuestionType.DEPENDENCY,
        "Kit 2 reaches its end on 30 April.",
        "Kit 3 entered long support in October.",
        "Applications should only use versions with long support.",
    )
    assert told[:2] == [
        "Kit 2 reaches its end on 30 April.",
        "Applications should only use versions with long support.",
    ]


def test_an_error_with_a_cause_alone_is_not_mended():
    cause = make_candidate("It fails because the port is taken.")
    assert not explains_and_mends([cause])
    assert explains_and_mends([cause, make_candidate("Use another port.")])


def test_the_cautions_of_a_source_belong_to_an_answer():
    ranker = ranker_of("How do I pass a token to Kit?")
    said = [
        "Mount the token of Kit as a secret.",
        "Build arguments of Kit are inappropriate for tokens, because they persist in the final image.",
        "Kit was written in 2019.",
        "Never copy a token into the image of Kit.",
    ]
    ranked = [make_candidate(text, f"page-{number}") for number, text in enumerate(said)]
    found = select_cautions(ranked, ranker, ["Kit"], most=5)
    assert [claim.best.candidate.text for claim in found] == [said[1], said[3]]


def test_sentences_on_other_things_are_left_out_if_a_technology_is_named():
    ranker = ranker_of("How do I set a timeout in Kit?")
    own, other = (
        make_candidate("The limit is five seconds.", "kit"),
        make_candidate("Requests has no timeout."),
    )
    assert on_the_technologies([own, other], ranker, ("kit",), "How do I set a timeout in Kit?") == [own]
    assert on_the_technologies([other], ranker, ("kit",), "How do I set a timeout in Kit?") == [other]


def test_advice_on_the_technologies_answers_a_question_about_good_practice():
    ranker = ranker_of("What are best practices for backups with Kit?")
    advice = [
        make_candidate("Check the store of Kit after each pruning.", "kit"),
        make_candidate("You should keep the password of the store elsewhere.", "kit"),
    ]
    plain, other = (
        make_candidate("Old copies of Kit can be removed.", "kit"),
        make_candidate("Valves need oil."),
    )
    ranked = [plain, other, *advice]
    assert select_advice(ranked, ranker, ("Kit",), {"kit"}) == [*advice, plain]
    assert select_advice(ranked, ranker, ("Kit",), ()) == advice
    assert select_advice([plain, *advice[:1]], ranker, ("Kit",), {"kit"}) == []


def test_a_short_name_is_the_thing_of_the_long_one():
    names = list_distinct_names(
        ranker_of("Which Node.js version does Kit 6 need, and does it run on Node 16?")
    )
    assert len(names) == 2


def test_a_missing_version_of_what_is_required_does_not_hide_the_requirement():
    ranker = ranker_of("Which Node.js version does Kit 6 need, and does it run on Node 16?")
    requirements = [make_candidate("Kit 6 supports Node.js 18 and 20.", "kit")]
    assert not names_missing_page(["Node 16"], requirements, ranker)
    assert names_missing_page(["Kit 6"], requirements, ranker)


def test_statements_of_less_weight_follow_while_there_is_room():
    texts = [
        "Pass a limit to the client of Kit.",
        "Four limits can be set apart: connect, read, write and pool.",
        "A license file is part of the archive.",
    ]
    ranked = [
        replace(scored, score=score, candidate=replace(scored.candidate, start=at, end=at + 9))
        for at, score, scored in zip(
            (0, 100, 200), (1.0, 0.65, 0.5), (make_candidate(text, "kit") for text in texts), strict=True
        )
    ]
    asked = ranker_of("How do I set a limit in Kit?")
    claims = select_answer_sentences(ranked, asked, findings=3, of_each=0)
    assert [claim.best.candidate.text for claim in claims] == texts[:2]
