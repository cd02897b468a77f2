"""Code that shows what not to do is no example."""

import pytest

from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.technical.code.find_technical_code_examples import is_warned_of


@pytest.mark.parametrize(
    ("lead", "after", "is_warned"),
    [
        ("Mount it as a build secret.", "Do not do this: the token stays in the earlier layer.", True),
        ("Copy the file:", "Never use this in production.", True),
        ("Run the query:", "This is insecure, because the input is not escaped.", True),
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
