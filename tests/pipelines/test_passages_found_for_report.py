"""Which passages of many sources are ranked."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.report.passages_found_for_report import FoundPassage, keep_best

SCORES = st.floats(0, 1, allow_nan=False)
FOUND = st.dictionaries(st.uuids(), st.lists(SCORES, min_size=1, max_size=6), max_size=6)


def passages_of(scores: dict[UUID, list[float]]) -> dict[UUID | None, list[FoundPassage]]:
    numbers = iter(range(100))
    return {
        document: [
            FoundPassage(UUID(int=next(numbers)), document, place, place + 1, score)
            for place, score in enumerate(of)
        ]
        for document, of in scores.items()
    }


@given(FOUND, st.integers(0, 40))
def test_each_document_keeps_its_best_passage_and_the_rest_are_the_best_of_all(scores, most):
    found = passages_of(scores)
    kept = keep_best(found, most)
    assert kept.keys() == found.keys()
    assert sum(map(len, kept.values())) <= max(most, len(found))
    for document, passages in kept.items():
        assert max(passage.score for passage in passages) == max(scores[document])
        assert passages == [passage for passage in found[document] if passage in passages]  # in their order
    left = [
        passage.score
        for passages in found.values()
        for passage in passages
        if passage not in kept[passage.document]
    ]
    further = [
        passage.score
        for passages in kept.values()
        for passage in sorted(passages, key=lambda it: -it.score)[1:]
    ]
    assert not left or not further or max(left) <= min(further)


def test_few_passages_are_all_ranked():
    found = passages_of({UUID(int=900): [0.1, 0.9], UUID(int=901): [0.5]})
    assert keep_best(found, 3) is found
