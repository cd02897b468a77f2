"""The budgets of a slide at 30 px on 1280 × 720, which were found by measuring."""

from dataclasses import dataclass

from slides.fitting.measure_slide_text import GAP_LINES, LETTERS_A_LINE

TITLE_LETTERS = 60
TITLE_SLIDE_LETTERS = 84  # three lines of 56 px
SUBTITLE_WORDS = 12
CAPTION_WORDS = 14
HEADING_LETTERS = 30  # for half a slide: one line
POINTS, SERIES, SLICES = (
    12,
    5,
    5,
)  # for a chart: labels of an axis, distinguishable colours, parts of a whole
INTERVALS = 8  # lines of a chart that can be distinguished from a distance


@dataclass(frozen=True, slots=True)
class TextBudget:
    """The budget of a list of passages: their number, the words of each, and the words of all.

    `lines` is the height of the box in lines of `letters` each, with `gap` between two passages; 0 means that
    counting words suffices.
    """

    items: int
    words_each: int
    words: int
    lines: float = 0
    letters: int = LETTERS_A_LINE
    gap: float = GAP_LINES


CONTENT = TextBudget(items=5, words_each=60, words=60, lines=11.5)
BULLETS = TextBudget(items=5, words_each=12, words=60)
SPLIT_SIDE = TextBudget(items=3, words_each=30, words=30)
# For many short passages, such as values of a table: the box has 11 lines of 31 characters, including source marks.
SPLIT_LIST = TextBudget(items=7, words_each=8, words=30, lines=10.2, letters=25)
COMPARISON_SIDE = TextBudget(items=3, words_each=10, words=30)
COMPARISON_ITEMS = 5  # three on one side, two on the other
QUOTE = TextBudget(items=1, words_each=40, words=40)
# At 24 px, the minimum for text: 15 lines of 30 px, 44.7 em beside the number. A character of titles and years takes
# 0.49 em in Poppins and Montserrat, the widest of the themes' fonts.
SOURCES = TextBudget(items=10, words_each=60, words=150, lines=15.3, letters=82, gap=0.34)
