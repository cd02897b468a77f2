"""A log of hidden text that the frozen text omits: how much, why, and how it begins.

The excerpts are only for people. They are in no text that is searched, quoted or given to a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from research.parsing.clean_text import clean, squash

EXCERPT = 160  # characters
MAX_EXCERPTS = 3  # for each reason
_MAX_LOOKED_AT_LENGTH = 2_000  # characters of a passage that are considered for its excerpt


class HiddenReason(StrEnum):
    """The reason why a passage is hidden."""

    STYLE = "style"  # display, visibility, opacity, clipped, no height
    COLOR = "color"  # that of its background, or transparent
    SIZE = "size"  # too small to read
    OFF_PAGE = "off_page"
    COVERED = "covered"
    MARKUP = "markup"  # an attribute or element that browsers do not show
    COMMENT = "comment"
    CHARACTERS = "characters"  # without shape: tag characters, zero-width characters
    RENDERING = "rendering"  # text of a PDF that is drawn invisibly
    LAYER = "layer"  # of a PDF, switched off
    DELETED = "deleted"  # tracked as deleted or moved
    STRUCK = "struck"  # shown with a line through it: no longer valid
    ANNOTATION = "annotation"  # comments in the margin
    RUNNING_HEAD = "running_head"  # headers and footers of pages
    UNREAD = "unread"  # charts, diagrams and files inside the file
    MACHINE = "machine"  # sentences addressed to programs
    FORMULA = "formula"  # of a workbook, without a stored value


@dataclass(frozen=True, slots=True)
class DroppedText:
    """Everything left out for one reason. `characters` counts those of its words, without whitespace."""

    why: HiddenReason
    passages: int
    characters: int
    excerpts: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tally:
    passages: int = 0
    characters: int = 0
    excerpts: list[str] = field(default_factory=list)


class DroppedLog:
    """Collects the text that a reader drops."""

    def __init__(self) -> None:
        self._tallies: dict[HiddenReason, _Tally] = {}

    def note(self, why: HiddenReason, words: str) -> None:
        """Log a hidden passage; one without words is not counted."""
        length = sum(map(len, words.split()))
        if length:
            self.count(why, 1, length, words)

    def count(self, why: HiddenReason, passages: int, characters: int, words: str = "") -> None:
        tally = self._tallies.setdefault(why, _Tally())
        tally.passages += passages
        tally.characters += characters
        excerpt = squash(clean(words[:_MAX_LOOKED_AT_LENGTH]))
        if excerpt and len(tally.excerpts) < MAX_EXCERPTS:
            tally.excerpts.append(excerpt if len(excerpt) <= EXCERPT else excerpt[: EXCERPT - 1] + "…")

    @property
    def entries(self) -> tuple[DroppedText, ...]:
        """Return the logged texts, ordered by the first appearance of their reasons."""
        return tuple(self._entries())

    def _entries(self) -> Iterator[DroppedText]:
        for why, tally in self._tallies.items():
            yield DroppedText(why, tally.passages, tally.characters, tuple(tally.excerpts))
