"""Warnings about weak evidence, computed from stored facts, never generated."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from citations.claim_confidence import AUTHORITATIVE_TIER
from citations.claim_strength import Origin, origins
from citations.credibility.claim_red_flags import Flag, red_flags, truncate_text
from citations.credibility.credibility import STANDS_ALONE
from citations.credibility.evidence_concerns import Concern, ConcernKind, Severity
from citations.dates.find_dates import Period


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    """A source that the report cites. `tier` is 1–5; `source_type` as in authority.SourceType."""

    origin: Origin
    tier: int
    source_type: str
    published: Period | None = None
    is_paywalled: bool = False
    is_preprint: bool = False
    credibility: int | None = None  # 1–10; None: not known
    withdrawn: str = ""  # its title, if the source says that it was retracted or replaced


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """A sentence of the report with the ids of the sources it cites and their words."""

    text: str
    sources: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()  # the words that it cites


STALE_MONTHS = 60.0  # the default recency bias
_PAYWALLED_SHARE = 0.25
_PREPRINT_SHARE = 0.30
_UNDATED_SHARE = 0.5
_MAX_OF_ONE = 0.75  # share of the claims that a single one of several sources supports
_MIN_CLAIMS = 4  # number of claims from which a share is meaningful
_WEAK_SHARE = 0.5


def warnings(
    evidence: Sequence[SourceEvidence],
    claims: Sequence[ReportClaim],
    *,
    today: date,
    stale_months: float = STALE_MONTHS,
    open_contradictions: int = 0,
    asks_change: bool = False,
) -> tuple[Concern, ...]:
    """Return the weaknesses in the evidence and in the sentences of a report, in order of code.

    For a question that `asks_change` the editions of one document are the right sources, and no weakness.
    """
    found = [*_about_sources(evidence, today, stale_months, asks_change), *_about_claims(evidence, claims)]
    found.extend(_build_flag_concerns(claims))
    if open_contradictions:
        found.append(_disagreement(open_contradictions))
    return tuple(sorted(dict.fromkeys(found), key=lambda concern: concern.code))


def _about_sources(
    evidence: Sequence[SourceEvidence], today: date, stale_months: float, asks_change: bool
) -> Iterator[Concern]:
    if not evidence:
        return
    if len(evidence) == 1:
        yield _single_source()
    elif len(origins([each.origin for each in evidence])) == 1:
        shared = _find_shared_marks(evidence)
        if not (asks_change and shared[:1] == ["work"]):
            yield _single_origin(len(evidence), shared)
    yield from _recency(evidence, today, stale_months)
    yield from _one_sided(evidence)
    yield from _shares(evidence)
    yield from _withdrawn(evidence)
    if min(each.tier for each in evidence) > AUTHORITATIVE_TIER:
        yield _no_authority()


_SHARED = {
    "text": "one text",
    "work": "one document in several editions",
    "author": "one author",
    "domain": "one domain",
    "publisher": "one publisher",
}


def _find_shared_marks(evidence: Sequence[SourceEvidence]) -> list[str]:
    """Return the kinds of mark that all sources share, the most telling first; none if they share different ones."""
    shared = frozenset.intersection(*(each.origin.marks() for each in evidence))
    kinds = {kind for kind, _ in shared}
    return [kind for kind in _SHARED if kind in kinds]


def _single_origin(count: int, shared: Sequence[str]) -> Concern:
    origin = _SHARED[shared[0]] if shared else "one origin"
    text = f"All {count} sources come from {origin}."
    return Concern(
        "W001", ConcernKind.DIVERSITY, Severity.HIGH, text, "Look for sources of other publishers."
    )


def _single_source() -> Concern:
    text, advice = (
        "This report rests on a single source.",
        "Add sources, or read the findings as provisional.",
    )
    return Concern("W002", ConcernKind.QUALITY, Severity.HIGH, text, advice)


def _recency(evidence: Sequence[SourceEvidence], today: date, stale_months: float) -> Iterator[Concern]:
    ages = [each.published.months_before(today) for each in evidence if each.published is not None]
    if ages and median(ages) > stale_months:
        years = f"{median(ages) / 12:.0f}"
        text = f"Half of the dated sources are {years} years old or older."
        yield Concern(
            "W003", ConcernKind.RECENCY, Severity.MEDIUM, text, "Check whether newer editions say the same."
        )
    undated = len(evidence) - len(ages)
    if undated / len(evidence) >= _UNDATED_SHARE:
        text = f"{undated} of {len(evidence)} sources have no date."
        yield Concern(
            "W004", ConcernKind.RECENCY, Severity.MEDIUM, text, "Check how current these sources are."
        )


def _one_sided(evidence: Sequence[SourceEvidence]) -> Iterator[Concern]:
    if all(each.source_type == "company" for each in evidence):
        text = "All sources are companies writing about their own field."
        yield Concern(
            "W005", ConcernKind.BIAS, Severity.HIGH, text, "Look for independent tests and reviews."
        )


def _shares(evidence: Sequence[SourceEvidence]) -> Iterator[Concern]:
    total = len(evidence)
    paywalled = sum(each.is_paywalled for each in evidence)
    if paywalled / total >= _PAYWALLED_SHARE:
        text = f"{paywalled} of {total} sources are behind a paywall and were read in part only."
        yield Concern(
            "W006", ConcernKind.QUALITY, Severity.MEDIUM, text, "Get access, or look for open versions."
        )
    preprints = sum(each.is_preprint for each in evidence)
    if preprints / total >= _PREPRINT_SHARE:
        text = f"{preprints} of {total} sources are preprints without peer review."
        yield Concern("W007", ConcernKind.QUALITY, Severity.MEDIUM, text, "Look for the reviewed versions.")


def _withdrawn(evidence: Sequence[SourceEvidence]) -> Iterator[Concern]:
    titles = [each.withdrawn for each in evidence if each.withdrawn]
    if titles:
        first, count = truncate_text(titles[0]), len(titles)
        text = f"{count} of {len(evidence)} sources were retracted or replaced, as they say themselves: “{first}”."
        advice = "Do not rely on them; read what replaced them."
        yield Concern("W020", ConcernKind.QUALITY, Severity.HIGH, text, advice)


def _no_authority() -> Concern:
    text = "No source is of the first two tiers (public bodies, standards, journals, official documents)."
    return Concern(
        "W014", ConcernKind.QUALITY, Severity.MEDIUM, text, "Look for a primary or official source."
    )


def _about_claims(evidence: Sequence[SourceEvidence], claims: Sequence[ReportClaim]) -> Iterator[Concern]:
    groups = origins([each.origin for each in evidence])
    place = {name: index for index, group in enumerate(groups) for name in group}
    good = {place[each.origin.source] for each in evidence if each.tier <= AUTHORITATIVE_TIER}
    cited = [claim for claim in claims if claim.sources]
    alone = [claim for claim in cited if len({place.get(name) for name in claim.sources}) == 1]
    if len(groups) > 1 and len(cited) >= _MIN_CLAIMS:
        carried_by = [place[claim.sources[0]] for claim in alone if claim.sources[0] in place]
        yield from _warn_of_one_source([each for each in carried_by if each not in good], len(cited))
    yield from _warn_of_weak_sources(evidence, alone, len(cited))


def _warn_of_one_source(carried_by: Sequence[int], cited: int) -> Iterator[Concern]:
    """Yield a warning if several sources are cited and one supports nearly all claims, unless it is the authority that
    is asked for.

    `carried_by` names that source for claims with a single one.
    """
    most = max(Counter(carried_by).values(), default=0)
    if most >= _MAX_OF_ONE * cited:
        text = f"{most} of {cited} claims rest on one and the same source."
        advice = "Look for a second source of these claims."
        yield Concern("W013", ConcernKind.QUALITY, Severity.MEDIUM, text, advice)


def _warn_of_weak_sources(
    evidence: Sequence[SourceEvidence], alone: Sequence[ReportClaim], cited: int
) -> Iterator[Concern]:
    """Yield a warning if many claims rest on sources of little credibility; claims `alone` have no other source.

    A single such claim is marked in the report instead.
    """
    known = {each.origin.source: each.credibility for each in evidence}
    weak = sum(all(_is_weak(known.get(name)) for name in claim.sources) for claim in alone)
    if weak and weak >= _WEAK_SHARE * cited:
        verb = "claim rests" if weak == 1 else "claims rest"
        text = f"{weak} {verb} on a single source with a credibility under {STANDS_ALONE} of 10."
        yield Concern(
            "W017", ConcernKind.QUALITY, Severity.MEDIUM, text, "Look for a second source of these claims."
        )


def _is_weak(credibility: int | None) -> bool:
    return credibility is not None and credibility < STANDS_ALONE


def _disagreement(count: int) -> Concern:
    noun = "point" if count == 1 else "points"
    text = f"Sources disagree on {count} {noun} that could not be settled; both sides are shown."
    return Concern(
        "W016", ConcernKind.QUALITY, Severity.MEDIUM, text, "Read both sides before relying on either."
    )


_FLAGS: Mapping[Flag, tuple[str, Severity, str, str]] = {
    Flag.STATISTIC: (
        "W008",
        Severity.HIGH,
        "gives a figure without a source",
        "Cite a source or leave it out.",
    ),
    Flag.QUOTE: ("W009", Severity.HIGH, "quotes somebody without naming them", "Name who said it."),
    Flag.SUPERLATIVE: (
        "W010",
        Severity.MEDIUM,
        "uses a superlative that nothing shows",
        "Cite a comparison or say less.",
    ),
    Flag.PREDICTION: (
        "W011",
        Severity.MEDIUM,
        "states a prediction as a fact",
        "Say who expects it, and on what grounds.",
    ),
    Flag.SHARES: (
        "W012",
        Severity.MEDIUM,
        "names shares of one whole that do not add up to 100 %",
        "Check the figures against the source.",
    ),
}


def _build_flag_concerns(claims: Sequence[ReportClaim]) -> Iterator[Concern]:
    """Yield one concern for each kind of red flag, however often it is raised."""
    raised: dict[Flag, list[str]] = {}
    for claim in claims:
        # Without its words, a cited source is assumed to support the claim.
        passages = claim.passages or ((claim.text,) if claim.sources else ())
        for kind in dict.fromkeys(flag.kind for flag in red_flags(claim.text, passages)):
            raised.setdefault(kind, []).append(claim.text)
    for kind, texts in raised.items():
        code, severity, fault, advice = _FLAGS[kind]
        more = f", and {len(texts) - 1} more" if len(texts) > 1 else ""
        text = f"A sentence {fault}: “{truncate_text(texts[0])}”{more}."
        yield Concern(code, ConcernKind.QUALITY, severity, text, advice)
