"""The choice of sentences that become claims."""

import pytest

from research.extractive.question.parsed_question import analyse
from research.extractive.select_answer_statements import LEADING, join_duplicates, select
from tests.extractive.conftest import candidate, hash_vectors

QUESTION = "How deep must wells be?"


def claims(ranker, cards, candidates, question=QUESTION, limit=40):
    ranked = ranker(question).rank(candidates, hash_vectors)
    return select(ranked, analyse(question), cards, limit)


def texts(selected):
    return [claim.best.candidate.text for claim in selected]


def quotes(selected):
    return sum(len(claim.sentences) for claim in selected)


def test_the_same_sentence_in_two_documents_is_one_claim(ranker, cards):
    same = "Wells shall be at least 30 metres deep."
    found = claims(ranker, cards, [candidate("guide-2", same), candidate("manual", same)])
    assert texts(found) == [same]
    assert found[0].document_ids == {"guide-2", "manual"}


def test_another_figure_is_another_claim(ranker, cards):
    found = claims(
        ranker,
        cards,
        [
            candidate("guide-1", "Wells shall be at least 20 metres deep."),
            candidate("guide-2", "Wells shall be at least 30 metres deep."),
        ],
    )
    assert len(found) == 2


def test_a_document_that_repeats_itself_is_quoted_once(ranker, cards):
    same = "Wells shall be at least 30 metres deep."
    found = claims(ranker, cards, [candidate("guide-2", same, start) for start in (0, 500, 900)])
    assert quotes(found) == 1


@pytest.mark.parametrize("limit", [1, 2, 7, 40])
def test_no_more_quotes_than_allowed(ranker, cards, limit):
    many = [
        candidate(document, f"Wells of kind {kind} shall be {kind + 10} metres deep.", start=kind * 100)
        for document in ("guide-1", "guide-2", "manual", "blog")
        for kind in range(20)
    ]
    assert quotes(claims(ranker, cards, many, limit=limit)) <= limit


def test_nothing_ranked_gives_no_claims(cards):
    assert select([], analyse(QUESTION), cards) == ()


def test_what_is_far_off_the_question_is_left_out(ranker, cards):
    found = claims(
        ranker,
        cards,
        [
            candidate("guide-2", "Wells shall be at least 30 metres deep."),
            candidate("blog", "Copyright by nobody."),
        ],
    )
    assert texts(found) == ["Wells shall be at least 30 metres deep."]


def test_other_documents_come_to_word_after_the_first_claims(ranker, cards):
    talkative = [
        candidate("guide-1", f"Wells in zone {zone} must be {zone + 20} metres deep.", start=zone * 100)
        for zone in range(30)
    ]
    found = claims(ranker, cards, [*talkative, candidate("blog", "My wells must be deep, 9 metres or so.")])
    assert "My wells must be deep, 9 metres or so." in texts(found)[: LEADING + 12]


def test_each_revision_speaks_before_one_speaks_twice(ranker, cards):
    sentences = [
        candidate("guide-1", "Wells shall be at least 20 metres deep."),
        candidate("guide-1", "Wells shall be at least 22 metres deep in sand.", start=200),
        candidate("guide-1", "Wells shall be at least 24 metres deep in clay.", start=400),
        candidate("guide-2", "Wells shall be at least 30 metres deep."),
    ]
    found = claims(ranker, cards, sentences, "How has the depth of wells changed from 2015 to 2021?")
    assert {claim.best.candidate.document_id for claim in found[:2]} == {"guide-1", "guide-2"}


def test_duplicates_keep_the_order_of_their_best(ranker):
    same = "Wells shall be at least 30 metres deep."
    ranked = ranker(QUESTION).rank(
        [candidate("guide-2", same), candidate("manual", same), candidate("blog", "Dig wells deep.")],
        hash_vectors,
    )
    joined = join_duplicates(ranked)
    assert [claim.best.score for claim in joined] == sorted((c.best.score for c in joined), reverse=True)
    assert sum(len(claim.sentences) for claim in joined) == len(ranked)


def test_a_later_claim_is_quoted_from_one_revision_and_from_other_works(ranker, cards):
    leading = [
        candidate("manual", f"Wells in zone {zone} must be {zone + 20} metres deep.", start=zone * 100)
        for zone in range(LEADING + 1)
    ]
    later = "Wells should be deep where the soil is dry and light."
    places = [candidate(document, later, start=5_000) for document in ("guide-1", "guide-2", "blog")]
    found = claims(ranker, cards, [*leading, *places])
    (claim,) = (one for one in found if one.best.candidate.text == later)
    assert found.index(claim) >= LEADING
    assert claim.document_ids in ({"guide-1", "blog"}, {"guide-2", "blog"})
