"""Natural questions, asked with and without a model."""

import json

import pytest

from research.evaluation.evaluation_of_natural_questions import NoQuestions, library_of, read_questions, table


def test_the_first_questions_of_a_file_are_read(tmp_path):
    rows = [{"id": f"P0{n}", "library": "passwords", "question": "Why?", "form": "how"} for n in range(3)]
    (tmp_path / "passwords.json").write_text(json.dumps(rows))
    assert [question.id for question in read_questions(tmp_path / "passwords.json", 2)] == ["P00", "P01"]


@pytest.mark.parametrize("text", ["", "{}", '[{"id": "P01"}]'])
def test_a_file_without_questions_is_refused(tmp_path, text):
    (tmp_path / "passwords.json").write_text(text)
    with pytest.raises(NoQuestions, match="cannot be read as questions"):
        read_questions(tmp_path / "passwords.json", 2)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NoQuestions, match="cannot be opened"):
        read_questions(tmp_path / "passwords.json", 2)


def test_documents_that_are_not_there_are_named(tmp_path):
    (tmp_path / "questions").mkdir()
    file = tmp_path / "questions" / "passwords.json"
    file.write_text('[{"id": "P01", "library": "passwords", "question": "Why?"}]')
    [question] = read_questions(file, 1)
    with pytest.raises(NoQuestions, match="library-passwords"):
        library_of(file, question)
    (tmp_path / "library-passwords").mkdir()
    assert library_of(file, question) == (tmp_path / "library-passwords").resolve()


def test_figures_stand_side_by_side():
    head, first, second = table({"with": {"hit@1": 50.0, "order": None}, "without": {"hit@1": 40.0}})
    assert head.split() == ["with", "without"]
    assert (first.split(), second.split()) == (["hit@1", "50.0", "40.0"], ["order", "–", "–"])
