"""Slides of contradictions between sources, with each side under the name of its source. Pure."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.document.document_tree import ClaimEntry, ContradictionEntry
from slides.deck import Layout, Slide, SlideHalf
from slides.fitting.shorten_slide_lines import to_letters
from slides.fitting.slide_budgets import HEADING_LETTERS
from slides.outline.slide_passages import attribution_of, passage_of

MOST = 6  # contradictions; the report shows the others


def disagreement_slides(contradictions: Sequence[ContradictionEntry]) -> Iterator[Slide]:
    """Yield a slide for each contradiction, the open ones first as in the report."""
    rest = len(contradictions) - MOST
    for index, contradiction in enumerate(contradictions[:MOST]):
        notes = [
            *_circumstances(contradiction),
            contradiction.note,
            _describe_winner(contradiction),
            _rest(rest) if not index and rest > 0 else "",
        ]
        yield Slide(
            0,
            _title(contradiction),
            Layout.COMPARISON,
            sides=(_side(contradiction.a, _("One source")), _side(contradiction.b, _("Another source"))),
            notes="\n".join(filter(None, notes)),
        )


def _title(contradiction: ContradictionEntry) -> str:
    if contradiction.mine and contradiction.theirs:
        return _("Sources disagree: %(mine)s or %(theirs)s") % {
            "mine": contradiction.mine,
            "theirs": contradiction.theirs,
        }
    return _("Sources disagree")


def _side(claim: ClaimEntry, unknown: str) -> SlideHalf:
    named = attribution_of(claim.citations[0]) if claim.citations else ""
    return SlideHalf(to_letters(named, HEADING_LETTERS) or unknown, (passage_of(claim),))


def _circumstances(contradiction: ContradictionEntry) -> Iterator[str]:
    for found in contradiction.circumstances:
        if found.standing == "apart":
            yield _("They may differ because one is about %(mine)s and the other about %(theirs)s.") % {
                "mine": ", ".join(found.mine),
                "theirs": ", ".join(found.theirs),
            }


def _describe_winner(contradiction: ContradictionEntry) -> str:
    """Return a sentence on the side that the report follows; empty if it follows neither."""
    side = {"a": contradiction.a, "b": contradiction.b}.get(contradiction.winner)
    return _("The report follows: %(claim)s") % {"claim": side.text} if side else ""


def _rest(count: int) -> str:
    words = ngettext(
        "%(count)d further disagreement is in the report.",
        "%(count)d further disagreements are in the report.",
        count,
    )
    return words % {"count": count}
