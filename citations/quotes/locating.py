"""In which source a quote stands: in the one named for it, in another of the run, or in none."""

from collections.abc import Mapping
from dataclasses import dataclass

from citations.anchoring import Anchor, MatchType, QuotableText, anchor


@dataclass(frozen=True, slots=True)
class Named:
    """The quote stands in the source that was named for it."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Misattributed:
    """The quote stands in another source than the one named, and should be cited from there."""

    source: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Fabricated:
    """The quote stands in no source of the run."""


def locate(
    quote: str, texts: Mapping[str, str | QuotableText], named: str, *, closely: bool = True
) -> Named | Misattributed | Fabricated:
    """Look for a quote in the source named for it, then in all others (in the mapping's order).

    Among the others an exact match goes before a normalized one, that before one with omissions and that before a
    close one; without `closely` there are none of the last. Raises KeyError when `named` is not among the texts.
    """
    found = anchor(quote, texts[named], closely=closely)
    if found is not None:
        return Named(named, found)
    best: Misattributed | None = None
    for source, text in texts.items():
        other = anchor(quote, text, closely=closely) if source != named else None
        if other is not None and (best is None or _rank(other) > _rank(best.anchor)):
            best = Misattributed(source, other)
    return best or Fabricated()


def _rank(found: Anchor) -> tuple[int, float]:
    order = (MatchType.CLOSE, MatchType.ELIDED, MatchType.NORMALIZED, MatchType.EXACT)
    return order.index(found.match_type), found.similarity
