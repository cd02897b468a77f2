"""The commentary of a report, which assesses its evidence as a whole. Pure.

It is computed from claims and sources, and says that no source states it. Its sentences are composed in English, like
stored ones, and translated for display.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from exports.document.document_tree import (
    COMMENTARY,
    BlockEntry,
    ClaimEntry,
    ContradictionEntry,
    SectionEntry,
    SentenceEntry,
    SourceEntry,
    WarningEntry,
)
from exports.stored.exported_commentary_sentences import (
    CHANGEABLE,
    COMPUTED,
    DATED,
    DATED_ONCE,
    DISAGREEING,
    GAPS,
    HEADING,
    ONE_PUBLISHER,
    SINGLE,
    SOUND,
    UNDATED,
    WEAK,
    WELL_SPREAD,
)
from exports.stored.exported_sentences import PluralTemplate

SOUND_FROM, WEAK_BELOW = 0.75, 0.5  # mean confidence of the claims
MOSTLY = 0.6  # share of the claims
FEWEST = 3  # claims that are needed to state a share


def commentary_section(
    index: int,
    claims: Sequence[ClaimEntry],
    cited: Sequence[SourceEntry],
    contradictions: Sequence[ContradictionEntry],
    gaps: Sequence[WarningEntry],
) -> SectionEntry | None:
    """Build the section; None if there are no claims."""
    if not claims:
        return None
    said = [COMPUTED, *_weigh(claims, cited, contradictions, gaps)]
    block = BlockEntry("paragraph", tuple(map(SentenceEntry, said)))
    return SectionEntry(index, HEADING, 2, (block,), role=COMMENTARY)


def _weigh(
    claims: Sequence[ClaimEntry],
    cited: Sequence[SourceEntry],
    contradictions: Sequence[ContradictionEntry],
    gaps: Sequence[WarningEntry],
) -> Iterator[str]:
    single = sum(claim.origins < 2 for claim in claims)
    yield _fill(SINGLE, count=single, total=len(claims)) if single else WELL_SPREAD
    yield from _say_one_publisher(claims)
    yield from _say_dates(cited)
    if contradictions:
        yield _fill(DISAGREEING, count=len(contradictions))
    if gaps:
        yield _fill(GAPS, count=len(gaps))
    confidences = [claim.confidence for claim in claims if claim.confidence is not None]
    if confidences:
        mean = sum(confidences) / len(confidences)
        yield SOUND if mean >= SOUND_FROM else WEAK if mean < WEAK_BELOW else CHANGEABLE


def _say_one_publisher(claims: Sequence[ClaimEntry]) -> Iterator[str]:
    behind: Counter[str] = Counter()
    for claim in claims:
        sources = [citation.source for citation in claim.citations]
        behind.update({source.publisher or source.author or source.domain for source in sources} - {""})
    for name, count in behind.most_common(1):
        if len(claims) >= FEWEST and count >= MOSTLY * len(claims):
            yield ONE_PUBLISHER % {"count": count, "total": len(claims), "publisher": name}


def _say_dates(cited: Sequence[SourceEntry]) -> Iterator[str]:
    years = sorted(source.published[:4] for source in cited if source.published)
    if years and years[0] != years[-1]:
        yield DATED % {"first": years[0], "last": years[-1]}
    elif years:
        yield DATED_ONCE % {"year": years[0]}
    if undated := sum(not source.published for source in cited):
        yield _fill(UNDATED, count=undated)


def _fill(template: PluralTemplate, count: int, **values: int) -> str:
    words = template.one if count == 1 else template.many
    return words % {"count": count, **values}
