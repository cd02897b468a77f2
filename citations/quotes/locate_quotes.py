"""Finds the source of a quote: the one named for it, another of the run, or none."""

from collections.abc import Mapping
from dataclasses import dataclass

from citations.anchoring import Anchor, AnchorMatchType, QuotableText, anchor


@dataclass(frozen=True, slots=True)
class AttributedQuote:
    """The quote is in the source that was named for it."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class MisattributedQuote:
    """The quote is in another source than the one named, and should be cited from there."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class FabricatedQuote:
    """The quote is in no source of the run."""


def locate(
    quote: str, texts: Mapping[str, str | QuotableText], named: str, *, closely: bool = True
) -> AttributedQuote | MisattributedQuote | FabricatedQuote:
    """Look for a quote in the source named for it, then in all others (in the mapping's order).

    Among the others exact matches precede normalized ones, these precede those with omissions, and these close ones;
    without `closely` the last are left out. Raises KeyError if `named` is not among the texts.
    """
    found = anchor(quote, texts[named], closely=closely)
    if found is not None:
        return AttributedQuote(named, found)
    best: MisattributedQuote | None = None
    for source, text in texts.items():
        other = anchor(quote, text, closely=closely) if source != named else None
        if other is not None and (best is None or _rank(other) > _rank(best.anchor)):
            best = MisattributedQuote(source, other)
    return best or FabricatedQuote()


def _rank(found: Anchor) -> tuple[int, float]:
    order = (AnchorMatchType.CLOSE, AnchorMatchType.ELIDED, AnchorMatchType.NORMALIZED, AnchorMatchType.EXACT)
    return order.index(found.match_type), found.similarity
