import json

import pytest

from citations.claim_similarity import ComparedClaim, compare
from research.evaluation import evaluation_of_similarity
from research.evaluation.evaluation_of_similarity import (
    PairCase,
    cosines_of,
    in_batches,
    label_of,
    predict,
    run,
)
from research.evaluation.labelled_cases import BadLine
from research.parsing.vectors.embed_texts import HashEmbedder

TOWER = "The tower of Bergen is 40 metres high today."
HIGHER = "The tower of Bergen is 70 metres high today."


@pytest.fixture(autouse=True)
def hash_embedder(monkeypatch):
    monkeypatch.setattr(evaluation_of_similarity, "builtin_embedder", HashEmbedder)


def line(a: str, b: str, **more: str) -> str:
    return json.dumps({"id": "p1", "a": a, "b": b, **more})


def predict_pair(a: str, b: str) -> dict:
    (found,) = run([line(a, b)])
    return json.loads(found)


def test_a_pair_has_a_label_a_score_its_gates_and_reasons():
    found = predict_pair(TOWER, HIGHER)
    assert (found["id"], found["label"], found["score"]) == ("p1", "contradiction", 0.6)
    assert set(found["gates"]) >= {"semantic", "entities", "numbers", "units", "times", "places"}
    assert "40" in found["reasons"][0]
    assert "70" in found["reasons"][0]
    assert found["warnings"] == ["possible contradiction"]


def test_the_same_words_are_a_duplicate():
    assert predict_pair(TOWER, TOWER)["label"] == "duplicate"


def test_unlike_statements_are_different():
    assert predict_pair(TOWER, "Bananas are yellow.")["label"] == "different"


def test_a_possible_contradiction_is_labelled_one():
    assert label_of(compare(ComparedClaim(TOWER), ComparedClaim(HIGHER), 0.97)) == "contradiction"
    assert label_of(compare(ComparedClaim(TOWER), ComparedClaim(TOWER), 0.97)) == "duplicate"


def test_predictions_come_in_the_order_of_the_cases(monkeypatch):
    monkeypatch.setattr(evaluation_of_similarity, "_BATCH", 2)
    cases = [PairCase(id=str(n), a=TOWER, b=HIGHER) for n in range(5)]
    assert [found.id for found in predict(cases, HashEmbedder())] == list("01234")


def test_cosines_are_those_of_the_pairs():
    cases = [PairCase(id="1", a="x y", b="x y"), PairCase(id="2", a="x", b="z")]
    assert cosines_of(cases, HashEmbedder()) == pytest.approx([1.0, 0.0])


def test_a_bad_line_is_named_after_the_cases_before_it():
    found = run([line(TOWER, TOWER), "\n", '{"id": "p2", "a": 1}'])
    assert json.loads(next(found))["label"] == "duplicate"
    with pytest.raises(BadLine, match=r"line 3: a"):
        next(found)


@pytest.mark.parametrize("bad", ["{", "[]", '{"id": "1", "a": "x"}', "null"])
def test_what_is_no_pair_is_refused(bad):
    with pytest.raises(BadLine, match="line 1"):
        list(run([bad]))


def test_no_lines_have_no_predictions():
    assert list(run([])) == []
    assert list(in_batches([], HashEmbedder())) == []


@pytest.mark.parametrize("text", ["", "\x00", "مرحبا", "1 2 3 " * 3_000])
def test_odd_statements_are_labelled(text):
    assert predict_pair(text, TOWER)["label"] in {"different", "related"}


def test_the_label_of_a_case_is_not_looked_at():
    (one,), (other,) = run([line(TOWER, HIGHER)]), run([line(TOWER, HIGHER, label="duplicate")])
    assert one == other
