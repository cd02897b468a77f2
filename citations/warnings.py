"""What is missing or weak in a body of evidence: counted from stored facts, never generated.

Codes are stable: W for warnings, G for gaps. Each says what was found and what to do about it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from statistics import median

from citations.dating.times import Period, find_times
from citations.language.wording import content_stems
from citations.naming.entities import find_entities
from citations.strength import Origin, independent, origins
from citations.weighing.credibility import STANDS_ALONE
from citations.weighing.red_flags import Flag, red_flags, shortened


class Kind(StrEnum):
    GAP = "gap"
    QUALITY = "quality"
    BIAS = "bias"
    RECENCY = "recency"
    DIVERSITY = "diversity"


class Severity(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Concern:
    """One warning or gap: a stable code, a sentence for the reader, and what to do."""

    code: str
    kind: Kind
    severity: Severity
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source that the report cites. `tier` is 1–5; `source_type` as in authority.SourceType."""

    origin: Origin
    tier: int
    source_type: str
    published: Period | None = None
    is_paywalled: bool = False
    is_preprint: bool = False
    credibility: int | None = None  # 1–10; None: not known


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """A sentence of the report with the ids of the sources it cites and their words."""

    text: str
    sources: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()  # the words that it cites


FEW_SOURCES = 3
STALE_MONTHS = 60.0  # the default recency bias
_PAYWALLED_SHARE = 0.25
_PREPRINT_SHARE = 0.30
_UNDATED_SHARE = 0.5
_THIN_SHARE = 0.5


def warnings(
    evidence: Sequence[Evidence],
    claims: Sequence[ReportClaim],
    *,
    today: date,
    stale_months: float = STALE_MONTHS,
    open_contradictions: int = 0,
) -> tuple[Concern, ...]:
    """What is weak in the evidence and in the sentences of a report, in order of code."""
    found = [*_about_sources(evidence, today, stale_months), *_about_claims(evidence, claims)]
    found.extend(_flagged(claims))
    if open_contradictions:
        found.append(_disagreement(open_contradictions))
    return tuple(sorted(dict.fromkeys(found), key=lambda concern: concern.code))


def _about_sources(evidence: Sequence[Evidence], today: date, stale_months: float) -> Iterator[Concern]:
    if not evidence:
        return
    groups = origins([each.origin for each in evidence])
    if len(groups) == 1 and len(evidence) > 1:
        yield _single_origin(evidence)
    if len(groups) < FEW_SOURCES:
        yield _few_sources(len(groups))
    yield from _recency(evidence, today, stale_months)
    yield from _one_sided(evidence)
    yield from _shares(evidence)
    if min(each.tier for each in evidence) > 2:
        yield _no_authority()


_SHARED = {
    "text": "one text",
    "work": "one document in several editions",
    "author": "one author",
    "domain": "one domain",
    "publisher": "one publisher",
}


def _single_origin(evidence: Sequence[Evidence]) -> Concern:
    """The sources are joined, all by one mark or each with the next by another."""
    shared = frozenset.intersection(*(each.origin.marks() for each in evidence))
    kinds = {kind for kind, _ in shared}
    origin = next((words for kind, words in _SHARED.items() if kind in kinds), "one origin")
    text = f"All {len(evidence)} sources come from {origin}."
    return Concern("W001", Kind.DIVERSITY, Severity.HIGH, text, "Look for sources of other publishers.")


def _few_sources(independent: int) -> Concern:
    noun = "source" if independent == 1 else "sources"
    text = f"Only {independent} independent {noun} carry this report."
    severity = Severity.HIGH if independent == 1 else Severity.MEDIUM
    return Concern("W002", Kind.QUALITY, severity, text, "Add sources, or read the findings as provisional.")


def _recency(evidence: Sequence[Evidence], today: date, stale_months: float) -> Iterator[Concern]:
    ages = [each.published.months_before(today) for each in evidence if each.published is not None]
    if ages and median(ages) > stale_months:
        years = f"{median(ages) / 12:.0f}"
        text = f"Half of the dated sources are {years} years old or older."
        yield Concern(
            "W003", Kind.RECENCY, Severity.MEDIUM, text, "Check whether newer editions say the same."
        )
    undated = len(evidence) - len(ages)
    if undated / len(evidence) >= _UNDATED_SHARE:
        text = f"{undated} of {len(evidence)} sources carry no date."
        yield Concern("W004", Kind.RECENCY, Severity.MEDIUM, text, "Check how current these sources are.")


def _one_sided(evidence: Sequence[Evidence]) -> Iterator[Concern]:
    if all(each.source_type == "company" for each in evidence):
        text = "All sources are companies writing about their own field."
        yield Concern("W005", Kind.BIAS, Severity.HIGH, text, "Look for independent tests and reviews.")


def _shares(evidence: Sequence[Evidence]) -> Iterator[Concern]:
    total = len(evidence)
    paywalled = sum(each.is_paywalled for each in evidence)
    if paywalled / total >= _PAYWALLED_SHARE:
        text = f"{paywalled} of {total} sources are behind a paywall and were read in part only."
        yield Concern("W006", Kind.QUALITY, Severity.MEDIUM, text, "Get access, or look for open versions.")
    preprints = sum(each.is_preprint for each in evidence)
    if preprints / total >= _PREPRINT_SHARE:
        text = f"{preprints} of {total} sources are preprints without peer review."
        yield Concern("W007", Kind.QUALITY, Severity.MEDIUM, text, "Look for the reviewed versions.")


def _no_authority() -> Concern:
    text = "No source is of the first two tiers (public bodies, standards, journals, official documents)."
    return Concern("W014", Kind.QUALITY, Severity.MEDIUM, text, "Look for a primary or official source.")


def _about_claims(evidence: Sequence[Evidence], claims: Sequence[ReportClaim]) -> Iterator[Concern]:
    by_source = {each.origin.source: each.origin for each in evidence}
    cited = [claim for claim in claims if claim.sources]
    thin = [claim for claim in cited if _independent(claim, by_source) < 2]
    yield from _on_weak_sources(evidence, thin)
    if len(thin) >= _THIN_SHARE * len(cited) and len(cited) > 1:
        text = f"{len(thin)} of {len(cited)} claims rest on one independent source each."
        yield Concern(
            "W013", Kind.QUALITY, Severity.MEDIUM, text, "Look for a second source of these claims."
        )


def _on_weak_sources(evidence: Sequence[Evidence], thin: Sequence[ReportClaim]) -> Iterator[Concern]:
    """A source of little credibility supports a claim only together with another; `thin` claims have none."""
    known = {each.origin.source: each.credibility for each in evidence}
    weak = sum(all(_is_weak(known.get(name)) for name in claim.sources) for claim in thin)
    if weak:
        verb = "claim rests" if weak == 1 else "claims rest"
        text = f"{weak} {verb} on a single source with a credibility under {STANDS_ALONE} of 10."
        yield Concern(
            "W017", Kind.QUALITY, Severity.MEDIUM, text, "Look for a second source of these claims."
        )


def _is_weak(credibility: int | None) -> bool:
    return credibility is not None and credibility < STANDS_ALONE


def _independent(claim: ReportClaim, by_source: dict[str, Origin]) -> int:
    return independent(by_source.get(name, Origin(name)) for name in claim.sources)


def _disagreement(count: int) -> Concern:
    noun = "point" if count == 1 else "points"
    text = f"Sources disagree on {count} {noun} that could not be settled; both sides are shown."
    return Concern("W016", Kind.QUALITY, Severity.MEDIUM, text, "Read both sides before relying on either.")


_FLAGS: Mapping[Flag, tuple[str, Severity, str, str]] = {
    Flag.STATISTIC: (
        "W008",
        Severity.HIGH,
        "gives a figure without a source",
        "Cite a source or leave it out.",
    ),
    Flag.QUOTE: ("W009", Severity.HIGH, "quotes without saying whom", "Name who said it."),
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


def _flagged(claims: Sequence[ReportClaim]) -> Iterator[Concern]:
    """One concern for each kind of red flag, however often it is raised."""
    raised: dict[Flag, list[str]] = {}
    for claim in claims:
        # Without its words, a cited source is taken to say what the claim says.
        passages = claim.passages or ((claim.text,) if claim.sources else ())
        for kind in dict.fromkeys(flag.kind for flag in red_flags(claim.text, passages)):
            raised.setdefault(kind, []).append(claim.text)
    for kind, texts in raised.items():
        code, severity, fault, advice = _FLAGS[kind]
        more = f", and {len(texts) - 1} more" if len(texts) > 1 else ""
        text = f"A sentence {fault}: “{shortened(texts[0])}”{more}."
        yield Concern(code, Kind.QUALITY, severity, text, advice)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How a subtopic of the plan is covered: claims placed and independent sources behind them."""

    subtopic: str
    claims: int
    independent_sources: int


_MEDICAL = re.compile(
    r"\b(?:patients?|treatments?|therap(?:y|ies)|drugs?|clinical|efficacy|disease|symptoms?|vaccines?)\b",
    re.IGNORECASE,
)
_TRIAL = re.compile(r"\brandomi[sz]ed\b|\bRCTs?\b|\bplacebo\b", re.IGNORECASE)
_META_ANALYSIS = re.compile(r"\bmeta-?analys[ie]s\b|\bsystematic reviews?\b", re.IGNORECASE)
_POPULATION = re.compile(
    r"\b(?:children|adolescents|adults|elderly|women|men|pregnant \w+|students|veterans|smokers|infants)\b",
    re.IGNORECASE,
)


_DESIGNS = {
    "a randomized trial": re.compile(r"\brandomi[sz]ed\b|\bRCTs?\b", re.IGNORECASE),
    "a meta-analysis or systematic review": _META_ANALYSIS,
    "a cohort or longitudinal study": re.compile(
        r"\bcohort\b|\blongitudinal\b|\bfollow-up stud", re.IGNORECASE
    ),
    "a case-control study": re.compile(r"\bcase[- ]control\b", re.IGNORECASE),
    "a survey": re.compile(r"\bsurveys?\b|\bquestionnaires?\b|\bpolls?\b", re.IGNORECASE),
    "a field trial": re.compile(r"\bfield (?:trials?|tests?|stud(?:y|ies))\b", re.IGNORECASE),
    "a laboratory test": re.compile(r"\blab(?:oratory)?\b|\bin vitro\b|\bbench tests?\b", re.IGNORECASE),
    "a benchmark": re.compile(r"\bbenchmark\w*", re.IGNORECASE),
}


def _designs(question: str, texts: Sequence[str]) -> Iterator[Concern]:
    """Kinds of study that the question asks for by name and no text of the evidence mentions."""
    for name, pattern in _DESIGNS.items():
        if pattern.search(question) and not any(pattern.search(text) for text in texts):
            text = f"The question asks for {name}; no source mentions one."
            yield Concern("G008", Kind.GAP, Severity.MEDIUM, text, "Look for studies of this kind.")


def gaps(question: str, texts: Sequence[str], coverage: Sequence[Coverage] = ()) -> tuple[Concern, ...]:
    """What the question asks for and the evidence (`texts`: its titles and passages) does not have."""
    found = [*_uncovered(coverage), *_medical(question, texts)]
    found += [*_designs(question, texts), *_unmentioned(question, texts)]
    return tuple(sorted(dict.fromkeys(found), key=lambda concern: concern.code))


def _uncovered(coverage: Sequence[Coverage]) -> Iterator[Concern]:
    for each in coverage:
        if each.claims == 0:
            text = f"Nothing was found on “{each.subtopic}”."
            yield Concern("G001", Kind.GAP, Severity.HIGH, text, "Search for this part with other words.")
        elif each.independent_sources < 2:
            text = f"“{each.subtopic}” rests on a single source."
            yield Concern("G002", Kind.GAP, Severity.MEDIUM, text, "Look for a second, independent source.")


def _medical(question: str, texts: Sequence[str]) -> Iterator[Concern]:
    if not _MEDICAL.search(question):
        return
    if not any(_TRIAL.search(text) for text in texts):
        text = "No randomized trial is among the evidence."
        yield Concern("G003", Kind.GAP, Severity.HIGH, text, "Search for randomized trials on the question.")
    if not any(_META_ANALYSIS.search(text) for text in texts):
        text = "No meta-analysis or systematic review is among the evidence."
        yield Concern("G004", Kind.GAP, Severity.MEDIUM, text, "Search for reviews on the question.")


def _unmentioned(question: str, texts: Sequence[str]) -> Iterator[Concern]:
    """Populations, names and times of the question that no text of the evidence mentions."""
    evidence: frozenset[str] = frozenset().union(*map(content_stems, texts))
    populations = {match.group().lower() for match in _POPULATION.finditer(question)}
    for population in sorted(populations):
        if not content_stems(population) <= evidence:
            text = f"No source speaks of {population}, whom the question names."
            yield Concern("G005", Kind.GAP, Severity.HIGH, text, "Look for studies of this group.")
    named = [entity.text for entity in find_entities(question)] + [time.text for time in find_times(question)]
    for name in dict.fromkeys(named):
        if not content_stems(name) <= evidence:
            text = f"No source mentions “{name}”, which the question names."
            yield Concern("G006", Kind.GAP, Severity.HIGH, text, "Add sources that cover it.")
