"""The reading direction of most of a page: a page set sideways is read in a rotated coordinate system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from research.parsing.formats.pdf.parse_pdf_drawn_objects import PaintBox, PdfTextObject


@dataclass(frozen=True, slots=True)
class ReadingFrame:
    """Coordinates in which lines run from left to right and follow each other downwards."""

    turn: int  # rotation of the lines in degrees, counterclockwise
    shown: PaintBox
    height: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        if self.turn == 90:
            return y, self.shown.right - x
        if self.turn == 180:
            return self.shown.right - x, self.shown.top - y
        if self.turn == 270:
            return self.shown.top - y, x
        return x, y

    def unplace(self, x: float, y: float) -> tuple[float, float]:
        """Return the page coordinates of a point in the frame."""
        if self.turn == 90:
            return self.shown.right - y, x
        if self.turn == 180:
            return self.shown.right - x, self.shown.top - y
        if self.turn == 270:
            return y, self.shown.top - x
        return x, y

    def box(self, box: PaintBox) -> PaintBox:
        if not self.turn:
            return box
        (x1, y1), (x2, y2) = self.place(box.left, box.bottom), self.place(box.right, box.top)
        return PaintBox(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def frame_of(texts: Sequence[PdfTextObject], shown: PaintBox) -> ReadingFrame:
    lengths: Counter[int] = Counter()
    for text in texts:
        if text.turn is not None:
            lengths[text.turn] += 1 + int(max(text.box.right - text.box.left, text.box.top - text.box.bottom))
    turn = lengths.most_common(1)[0][0] if lengths else 0
    sideways = turn in (90, 270)
    height = shown.right - shown.left if sideways else shown.top - shown.bottom
    return ReadingFrame(turn, shown, height)
