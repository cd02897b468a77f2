"""The budgets of a slide at 30 px on 1280 × 720 (spec: exports-slides.md, Fitting; measured there)."""

from dataclasses import dataclass

from slides.fitting.measuring import GAP_LINES, LETTERS_A_LINE

TITLE_LETTERS = 60
TITLE_SLIDE_LETTERS = 84  # three lines of 56 px
SUBTITLE_WORDS = 12
CAPTION_WORDS = 14
HEADING_LETTERS = 30  # of a half: one line
POINTS, SERIES, SLICES = (
    12,
    5,
    5,
)  # of a chart: labels of an axis, colours that can be told apart, parts of a whole
INTERVALS = 8  # of one chart: so many lines can be told apart from afar


@dataclass(frozen=True, slots=True)
class TextBudget:
    """The budget of a list of passages: how many, of how many words each, and together.

    `lines`: as many of `letters` each as its box is high, `gap` between two passages; 0: words say enough.
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
# Many that are short, such as values of a table: the box has 11 lines of 31 letters, marks of sources included.
SPLIT_LIST = TextBudget(items=7, words_each=8, words=30, lines=10.2, letters=25)
COMPARISON_SIDE = TextBudget(items=3, words_each=10, words=30)
COMPARISON_ITEMS = 5  # three on one side, two on the other
QUOTE = TextBudget(items=1, words_each=40, words=40)
# At 24 px, the least that text may be: 15 lines of 30 px, 44.7 em beside the number. Of titles and years a letter takes
# 0.49 em in Poppins and Montserrat, the widest of the themes' fonts (2026-11).
SOURCES = TextBudget(items=10, words_each=60, words=150, lines=15.3, letters=82, gap=0.34)
