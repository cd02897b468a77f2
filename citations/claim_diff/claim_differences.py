"""Differences between a claim and its earlier version, in wording and in evidence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from citations.claim_diff.claim_versions import ComparableClaim
from citations.contradiction.claim_statement_changes import ChangeKind, TermChange
from citations.text.quote_span import Span

NOTABLE = 0.1  # of confidence (0–1): a smaller change is not reported


class Aspect(StrEnum):
    """The aspect of a difference, in the order in which differences are shown."""

    FIGURE = "figure"
    TIME = "time"
    POLARITY = "polarity"
    NAME = "name"
    CERTAINTY = "certainty"  # all or some, must or may, and or or
    WORDS = "words"
    DETAIL = "detail"  # only one of the two says it
    STATUS = "status"
    STRENGTH = "strength"
    CONFIDENCE = "confidence"
    SOURCES = "sources"


OF_STANDING = frozenset({Aspect.STATUS, Aspect.STRENGTH, Aspect.CONFIDENCE, Aspect.SOURCES})


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference. `old` and `new` are words of the texts, or values; of sources, how many are on one side only."""

    aspect: Aspect
    old: str = ""
    new: str = ""

    @property
    def is_of_standing(self) -> bool:
        return self.aspect in OF_STANDING


_ASPECTS = {
    ChangeKind.FIGURE: Aspect.FIGURE,
    ChangeKind.TIME: Aspect.TIME,
    ChangeKind.OPPOSITE: Aspect.POLARITY,
    ChangeKind.NEGATION: Aspect.POLARITY,
    ChangeKind.SWAP: Aspect.POLARITY,
    ChangeKind.NAME: Aspect.NAME,
    ChangeKind.ORDER: Aspect.CERTAINTY,
    ChangeKind.SCOPE: Aspect.CERTAINTY,
    ChangeKind.LOGIC: Aspect.CERTAINTY,
    ChangeKind.MODAL: Aspect.CERTAINTY,
    ChangeKind.MORE_FIGURES: Aspect.DETAIL,
    ChangeKind.MORE_TIMES: Aspect.DETAIL,
    ChangeKind.MORE_NAMES: Aspect.DETAIL,
    ChangeKind.MORE_ORDER: Aspect.DETAIL,
    ChangeKind.MORE_SCOPE: Aspect.DETAIL,
    ChangeKind.MORE_MODALS: Aspect.DETAIL,
}
# Other words for the same, unless the statements conflict.
_REWORDING = frozenset({ChangeKind.WORD, ChangeKind.REWRITTEN, ChangeKind.MORE_WORDS})


def find_word_changes(changes: Iterable[TermChange], *, agree: bool) -> tuple[Difference, ...]:
    """Return the differences in wording, in the order of aspects; mere rewording is none where the two agree."""
    found = [
        Difference(aspect, *change.sides)
        for change in changes
        if (aspect := _aspect(change.kind, agree=agree))
    ]
    if not found and not agree:
        found = [Difference(Aspect.WORDS)]
    order = list(Aspect)
    return tuple(
        sorted(
            dict.fromkeys(found), key=lambda fromkey: (order.index(fromkey.aspect), fromkey.old, fromkey.new)
        )
    )


def _aspect(kind: ChangeKind, *, agree: bool) -> Aspect | None:
    if kind in _REWORDING:
        return None if agree else Aspect.WORDS
    return _ASPECTS.get(kind)


def find_standing_changes(old: ComparableClaim, new: ComparableClaim) -> tuple[Difference, ...]:
    return tuple(_compare_standing(old, new))


def _compare_standing(old: ComparableClaim, new: ComparableClaim) -> Iterator[Difference]:
    if old.status != new.status:
        yield Difference(Aspect.STATUS, old.status, new.status)
    if old.strength != new.strength:
        yield Difference(Aspect.STRENGTH, old.strength, new.strength)
    if is_notable(old.confidence, new.confidence):
        yield Difference(Aspect.CONFIDENCE, _percent(old.confidence), _percent(new.confidence))
    if old.sources != new.sources:
        lost, gained = len(old.sources - new.sources), len(new.sources - old.sources)
        yield Difference(Aspect.SOURCES, str(lost), str(gained))


def is_notable(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is not new
    return round(abs(old - new), 6) >= NOTABLE


def _percent(confidence: float | None) -> str:
    return "" if confidence is None else f"{confidence:.0%}"


def find_changed_spans(changes: Iterable[TermChange], *, is_new: bool) -> tuple[Span, ...]:
    """Return the spans where one of the texts differs from the other, in the order of the text."""
    terms = (
        change.theirs if is_new else change.mine for change in changes if change.kind is not ChangeKind.FORM
    )
    return tuple(
        sorted({term.span for some in terms for term in some}, key=lambda span: (span.start, span.end))
    )
