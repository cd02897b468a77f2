"""A log of the text that readers of a page do not see and the frozen text omits: how much, why, how it begins.

The excerpts are for people alone. They stand in no text that is searched, quoted or given to a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from research.parsing.clean_text import clean, squash

EXCERPT = 160  # characters
MOST_EXCERPTS = 3  # of one reason
_LONGEST_LOOKED_AT = 2_000  # characters of one passage that an excerpt is made of


class HiddenReason(StrEnum):
    """The reason why a passage is hidden."""

    STYLE = "style"  # display, visibility, opacity, clipped, no height
    COLOR = "color"  # of its background, or transparent
    SIZE = "size"  # too small to be read
    OFF_PAGE = "off_page"
    COVERED = "covered"
    MARKUP = "markup"  # an attribute or element that browsers do not show
    COMMENT = "comment"
    CHARACTERS = "characters"  # that have no shape: tag characters, zero-width characters
    RENDERING = "rendering"  # a PDF's text that is drawn invisibly
    LAYER = "layer"  # of a PDF, that is switched off
    DELETED = "deleted"  # tracked as deleted or moved
    STRUCK = "struck"  # shown with a line through it: what held before
    ANNOTATION = "annotation"  # comments of people in the margin
    RUNNING_HEAD = "running_head"  # heads and feet of pages
    UNREAD = "unread"  # charts, diagrams and files inside the file
    MACHINE = "machine"  # sentences addressed to programs that read
    FORMULA = "formula"  # of a workbook, without a stored value


@dataclass(frozen=True, slots=True)
class DroppedText:
    """All that was left out for one reason. `characters` counts those of its words, blanks squashed."""

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
    """Collects what a reader drops."""

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
        excerpt = squash(clean(words[:_LONGEST_LOOKED_AT]))
        if excerpt and len(tally.excerpts) < MOST_EXCERPTS:
            tally.excerpts.append(excerpt if len(excerpt) <= EXCERPT else excerpt[: EXCERPT - 1] + "…")

    @property
    def entries(self) -> tuple[DroppedText, ...]:
        """Return the logged texts, ordered by the first appearance of their reasons."""
        return tuple(self._entries())

    def _entries(self) -> Iterator[DroppedText]:
        for why, tally in self._tallies.items():
            yield DroppedText(why, tally.passages, tally.characters, tuple(tally.excerpts))
