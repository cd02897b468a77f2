import json

import pytest

from research.evaluation.evaluation_of_anchoring import run
from research.evaluation.labelled_cases import BadLine

TEXT = "Bees sleep. The “salt” shall be at least 32 bits and be chosen arbitrarily by the verifier."


def place_quote(quote: str, **case: str) -> dict[str, object]:
    [line] = run([json.dumps({"id": "1", "quote": quote, "text": TEXT} | case)])
    return json.loads(line)


def test_words_as_they_stand_are_exact():
    start = TEXT.index("shall be")
    assert place_quote("shall be at least 32 bits") == {
        "id": "1",
        "label": "exact",
        "score": 1.0,
        "span": "shall be at least 32 bits",
        "start": start,
        "end": start + 25,
    }


def test_other_typography_is_normalized_and_gives_the_texts_own_words():
    found = place_quote('the "salt" SHALL be')
    assert (found["label"], found["span"]) == ("normalized", "The “salt” shall be")


def test_a_close_quote_has_its_similarity_for_a_score():
    found = place_quote("shall be at least 32 bytes and be chosen arbitrarily")
    assert found["label"] == "close"
    assert 0.9 <= found["score"] < 1


def test_what_is_not_there_has_no_span():
    found = place_quote("Wasps build nests of paper")
    assert (found["label"], found["score"], found["span"], found["start"]) == ("none", 0.0, None, None)


def test_the_scorers_names_are_understood():
    [line] = run([json.dumps({"id": "7", "claim": "shall be at least 32 bits", "evidence_text": TEXT})])
    assert json.loads(line)["label"] == "exact"


def test_every_case_has_its_line_in_order_and_blank_lines_are_passed_over():
    lines = [json.dumps({"id": str(number), "quote": "", "text": ""}) for number in range(3)]
    assert [json.loads(line)["id"] for line in run([lines[0], "\n", *lines[1:]])] == ["0", "1", "2"]


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": "1", "quote": "x"}', '{"id": "1", "quote": 5, "text": ""}']
)
def test_a_line_that_is_no_case_is_named(line):
    with pytest.raises(BadLine, match="line 2"):
        list(run([json.dumps({"id": "1", "quote": "", "text": ""}), line]))
