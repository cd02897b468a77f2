"""Our own lists: complete, and free of other people's words and hosts."""

import re

from research.extractive.question.answer_forms import AnswerForm, detect_form
from research.library.sample.sample_library_listing import (
    MANIFEST,
    QUESTIONS,
    load_suggested_questions,
    sample_documents,
)


def test_the_manifest_lists_documents_of_several_kinds():
    documents = sample_documents()
    assert len(documents) == 59
    assert {document.file.partition("/")[0] for document in documents} == {"pdf", "html", "md", "txt"}
    assert len({document.file for document in documents}) == len(documents)


def test_every_document_and_archive_is_pinned_by_its_hash():
    for document in sample_documents():
        assert re.fullmatch(r"[0-9a-f]{64}", document.sha256)
        assert re.fullmatch(r"[0-9a-f]{64}", document.archive.sha256)
        assert document.size > 0


def test_every_suggested_question_has_documents_that_speak_to_it():
    files = {document.file for document in sample_documents()}
    questions = load_suggested_questions()
    assert len(questions) == 6
    for suggested in questions:
        assert suggested.question.endswith("?")
        assert suggested.files
        assert set(suggested.files) <= files


def test_suggested_questions_ask_for_answers_of_different_shapes():
    forms = [detect_form(suggested.question) for suggested in load_suggested_questions()]
    assert set(forms) == {
        AnswerForm.CHANGE, AnswerForm.COMPARISON, AnswerForm.POSITIONS,
        AnswerForm.LIST, AnswerForm.FACT, AnswerForm.SOURCE,
    }  # fmt: skip


def test_no_registry_is_named():
    for path in (MANIFEST, QUESTIONS):
        text = path.read_text(encoding="utf-8")
        assert "registry." not in text
