"""Code that shows what not to do is no example."""

import pytest

from research.extractive.answer_document_cards import Cards
from research.extractive.question.parsed_question import analyse
from research.extractive.sentence_ranking import Ranker
from research.extractive.term_rarity import Rarity
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.technical.code.find_technical_code_examples import (
    CodeExcerpt,
    is_warned_of,
    name_plain_language,
)


@pytest.mark.parametrize(
    ("lead", "after", "is_warned"),
    [
        ("Mount it as a build secret.", "Do not do this: the token stays in the earlier layer.", True),
        ("Copy the file:", "Never use this in production.", True),
        ("Run the query:", "This is insecure, because the input is not escaped.", True),
        ("It loads the whole file, so it is unsuitable for large files.", "", True),
        ("Bad:", "", True),
        ("Don't do this:", "", True),
        ("Instead of:", "", True),
        ("Pass the token as a secret:", "The secret is not stored in the image.", False),
        ("Do not copy the token. Mount it instead:", "This is the safest way.", False),
        ("", "", False),
    ],
)
def test_code_beside_a_warning_is_warned_of(lead, after, is_warned):
    text = f"{lead}\n\nCOPY a b\n\n{after}"
    blocks = [
        TextBlock(0, len(lead), BlockKind.PARAGRAPH),
        TextBlock(len(text) - len(after), len(text), BlockKind.PARAGRAPH),
    ]
    assert is_warned_of(text, *blocks) is is_warned


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("CONFIG SET maxmemory-policy allkeys-lru", "text"),
        ("OOM command not allowed when used memory > 'maxmemory'.", ""),
        ("ERR used memory > maxmemory", ""),
        ("appendonly yes", ""),
    ],
)
def test_settings_that_the_question_names_are_code_and_its_message_is_not(code, language):
    asked = "Redis: OOM command not allowed when used memory > 'maxmemory'"
    ranker = Ranker.of(analyse(asked), Cards([]), Rarity(1_000, {}))
    block = TextBlock(0, len(code), BlockKind.CODE)
    excerpt = CodeExcerpt(None, block, code, "", "")  # type: ignore[arg-type]  # the source is not read
    assert name_plain_language(excerpt, ranker) == language
