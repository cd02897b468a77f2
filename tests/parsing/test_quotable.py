from citations.anchoring import anchor
from research.parsing.parsed_document import BlockKind, TextBlock
from research.parsing.parsed_quotable_text import quotable

TEXT = "Password length rules\n\nUse twelve characters or more.\n\nPage three of twenty-one\n\nFigure two: the lengths"
BLOCKS = (
    TextBlock(0, 21, BlockKind.HEADING, level=1),
    TextBlock(23, 53, BlockKind.PARAGRAPH),
    TextBlock(TEXT.index("Figure"), len(TEXT), BlockKind.CAPTION),
)


def test_words_of_a_paragraph_carry_a_quote():
    assert anchor("Use twelve characters", quotable(TEXT, BLOCKS)) is not None


def test_a_heading_a_caption_and_a_running_head_carry_none():
    source = quotable(TEXT, BLOCKS)
    for words in ("Password length rules", "Figure two: the lengths", "Page three of twenty-one"):
        assert anchor(words, source) is None
        assert anchor(words, TEXT) is not None


def test_a_quote_over_heading_and_paragraph_stands_on_the_paragraph():
    assert anchor("length rules use twelve", quotable(TEXT, BLOCKS)) is not None


def test_a_text_without_blocks_is_all_words():
    assert anchor("Password length rules", quotable(TEXT, ())) is not None


def test_a_text_of_headings_only_carries_nothing():
    assert anchor("Password length rules", quotable(TEXT, BLOCKS[:1])) is None
