"""Descriptions of how a claim differs from an earlier one, and of why a claim is missing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from citations.claim_diff.claim_differences import Aspect, Difference
from citations.text.quote_span import Span
from exports.stored.translate_exported_sentences import translate_stored_text
from research.runs.comparison.run_changes import Absence, GoneClaim
from research.web.site.value_labels import word

NAMES = {
    Aspect.FIGURE: lazy("Figure"),
    Aspect.TIME: lazy("Time"),
    Aspect.POLARITY: lazy("Meaning inverted"),
    Aspect.NAME: lazy("Name"),
    Aspect.CERTAINTY: lazy("Scope or certainty"),
    Aspect.WORDS: lazy("Words"),
    Aspect.DETAIL: lazy("Detail"),
}


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A piece of a text; `is_marked` if the other text differs there."""

    text: str
    is_marked: bool


def pieces(text: str, places: Sequence[Span]) -> tuple[DiffPiece, ...]:
    """Split the text at the spans; the pieces in order make up the text."""
    return tuple(piece for piece in _cut(text, places) if piece.text)


def _cut(text: str, places: Sequence[Span]) -> Iterator[DiffPiece]:
    at = 0
    for place in sorted(places, key=lambda span: span.start):
        if place.start >= at:
            yield DiffPiece(text[at : place.start], is_marked=False)
            yield DiffPiece(text[place.start : place.end], is_marked=True)
            at = place.end
    yield DiffPiece(text[at:], is_marked=False)


def difference_in_words(difference: Difference) -> str:
    describe = _TOLD.get(difference.aspect)
    return describe(difference) if describe else _words(difference)


def _words(difference: Difference) -> str:
    name = NAMES[difference.aspect]
    if difference.old and difference.new:
        return _("%(what)s: “%(old)s” → “%(new)s”") % {
            "what": name,
            "old": difference.old,
            "new": difference.new,
        }
    if difference.new:
        return _("Says now: “%(new)s”") % {"new": difference.new}
    if difference.old:
        return _("No longer says: “%(old)s”") % {"old": difference.old}
    return _("Said in other words with a different meaning")


def _status(difference: Difference) -> str:
    change = {"old": word(difference.old, "check"), "new": word(difference.new, "check")}
    return _("Check: %(old)s → %(new)s") % change


def _strength(difference: Difference) -> str:
    change = {"old": word(difference.old, "strength"), "new": word(difference.new, "strength")}
    return _("Evidence: %(old)s → %(new)s") % change


def _confidence(difference: Difference) -> str:
    unknown = _("unknown")
    return _("Confidence: %(old)s → %(new)s") % {
        "old": difference.old or unknown,
        "new": difference.new or unknown,
    }


def _sources(difference: Difference) -> str:
    lost, gained = int(difference.old), int(difference.new)
    parts = [
        (
            gained,
            ngettext("%(count)d source behind it is new", "%(count)d sources behind it are new", gained),
        ),
        (
            lost,
            ngettext(
                "%(count)d source no longer supports it", "%(count)d sources no longer support it", lost
            ),
        ),
    ]
    return "; ".join(words % {"count": count} for count, words in parts if count)


_TOLD = {
    Aspect.STATUS: _status,
    Aspect.STRENGTH: _strength,
    Aspect.CONFIDENCE: _confidence,
    Aspect.SOURCES: _sources,
}


def absence_in_words(gone: GoneClaim) -> str:
    """Return the reason why the claim is missing, as far as the new run knows it."""
    why = {
        Absence.LEFT_OUT: _("It was written again but left out."),
        Absence.NOT_READ: _("Its source could not be read this time."),
        Absence.NOT_FOUND: _("Its source was not found this time."),
        Absence.SOURCE_CHANGED: _("The text of its source has changed."),
        Absence.NOT_CHOSEN: _("Its source was read again, but this statement was not used."),
        Absence.UNFINISHED: _("The new run ended without reading its source."),
    }[gone.absence]
    return f"{why} {translate_stored_text(gone.note)}".strip()
