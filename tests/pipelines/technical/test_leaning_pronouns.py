"""Sentences and code are not shown without what they are about."""

from types import SimpleNamespace

import pytest

from research.extractive.candidate_sentences import Candidate
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.technical.answer.technical_answer_material import with_antecedent
from research.pipelines.technical.code.find_technical_code_examples import CodeExcerpt, deletes, tell_deletion
from research.pipelines.technical.technical_informative_sentences import is_statement, leans_on_pronoun


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("If you lose it, you cannot access the data in the repository.", True),
        ("When this happens, the pool closes all of its connections.", True),
        ("Wenn Sie es verlieren, sind alle Daten verloren.", True),
        ("If you don't need them, remove the old images from the host.", True),
        ("If you lose the key, you cannot access the repository.", False),
        ("When it comes to speed, the new index is the better choice.", False),
        ("If you use Docker and it fails, restart the daemon.", False),
        ("Wenn es möglich ist, legen Sie eine Kopie an.", False),
    ],
)
def test_a_pronoun_may_stand_for_what_a_sentence_is_about(text, leans):
    assert leans_on_pronoun(text) is leans


def test_a_sentence_that_leans_on_a_pronoun_is_shown_with_the_one_before():
    text = "Old text. Never share it.\n\nKeep the password safe! If you lose it, the data cannot be read."
    start = text.index("If you")
    lone = Candidate("d", start, len(text), text[start:])
    joined = with_antecedent(lone, text)
    assert joined.text == "Keep the password safe! If you lose it, the data cannot be read."
    assert text[joined.start : joined.end] == joined.text
    assert not is_statement(lone)
    assert is_statement(joined)
    alone = Candidate("d", 0, len(text) - start, text[start:])
    assert with_antecedent(alone, text[start:]) == alone, "there is none before it"


@pytest.mark.parametrize(
    ("code", "language", "is_deleting"),
    [
        ("restic forget --keep-daily 7 --prune", "bash", True),
        ("rm -rf build", "bash", True),
        ("DROP TABLE users;", "sql", True),
        ("docker run --rm alpine", "bash", False),
        ("session.delete(user)", "python", False),
    ],
)
def test_commands_that_delete_are_recognized(code, language, is_deleting):
    assert deletes(code, language) is is_deleting


def test_code_that_deletes_stands_with_what_is_said_of_it():
    parts = ["Old snapshots can be removed.", "Run a check after that.", "restic forget --prune"]
    kinds = [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH, BlockKind.CODE]

    def told(words: list[str]) -> str:
        text, blocks = "", []
        for part, kind in zip(words, kinds, strict=True):
            blocks.append(TextBlock(len(text), len(text) + len(part), kind))
            text += part + "\n\n"
        read = SimpleNamespace(source=SimpleNamespace(text=text), blocks=blocks)
        return tell_deletion(CodeExcerpt(read, blocks[-1], words[-1], "", ""))  # type: ignore[arg-type]

    assert told(parts) == "Old snapshots can be removed."
    assert told(["Space is finite.", *parts[1:]]) == ""
