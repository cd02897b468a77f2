"""What is missing or weak in a body of evidence: counted from stored facts, never generated.

Codes are stable: W for warnings, G for gaps. Each says what was found and what to do about it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from statistics import median

from citations.claim_types import ClaimType, classify
from citations.entities import find_entities
from citations.quantities import Kind as QuantityKind
from citations.quantities import find_quantities
from citations.strength import Origin, origins
from citations.times import Period, find_times
from citations.wording import content_stems, sentence_spans


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


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """A sentence of the report with the ids of the sources it cites."""

    text: str
    sources: tuple[str, ...] = ()
    subtopic: str = ""


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
    for claim in claims:
        found.extend(red_flags(claim.text, is_cited=bool(claim.sources)))
    if open_contradictions:
        found.append(_disagreement(open_contradictions))
    return tuple(sorted(dict.fromkeys(found), key=lambda concern: concern.code))


def _about_sources(evidence: Sequence[Evidence], today: date, stale_months: float) -> Iterator[Concern]:
    if not evidence:
        return
    groups = origins([each.origin for each in evidence])
    if len(groups) == 1 and len(evidence) > 1:
        yield _single_origin(len(evidence))
    if len(groups) < FEW_SOURCES:
        yield _few_sources(len(groups))
    yield from _recency(evidence, today, stale_months)
    yield from _one_sided(evidence)
    yield from _shares(evidence)
    if min(each.tier for each in evidence) > 2:
        yield _no_authority()


def _single_origin(sources: int) -> Concern:
    text = f"All {sources} sources come from one origin (one text, publisher, domain or author)."
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
    thin = sum(_independent(claim, by_source) < 2 for claim in cited)
    if cited and thin / len(cited) >= _THIN_SHARE and len(cited) > 1:
        text = f"{thin} of {len(cited)} claims rest on one independent source each."
        yield Concern(
            "W013", Kind.QUALITY, Severity.MEDIUM, text, "Look for a second source of these claims."
        )


def _independent(claim: ReportClaim, by_source: dict[str, Origin]) -> int:
    return len(origins([by_source.get(name, Origin(name)) for name in dict.fromkeys(claim.sources)]))


def _disagreement(count: int) -> Concern:
    noun = "point" if count == 1 else "points"
    text = f"Sources disagree on {count} {noun} that could not be settled; both sides are shown."
    return Concern("W016", Kind.QUALITY, Severity.MEDIUM, text, "Read both sides before relying on either.")


_QUOTATION = re.compile(r"[“„\"]([^”\"]{20,})[”\"]")
_ATTRIBUTED = re.compile(
    r"\b(?:says?|said|writes?|wrote|according|states?|stated|notes?|noted|by|called)\b|[:(]"
)
_SUPERLATIVE = re.compile(
    r"\b(?:best|worst|only|first|largest|smallest|fastest|safest|cheapest|highest|lowest|leading|greatest)\b"
    r"|\bmost (?:\w+(?:ed|ful|ive|ant|ent|ble|al)|secure|common|popular)\b",
    re.IGNORECASE,
)
_NO_SUPERLATIVE = re.compile(
    r"\bat (?:best|worst|first)\b|\bfirst (?:time|party|name|step|of all)\b|\b(?:not|if) only\b"
    r"|\bread[- ]only\b|\bthe first \d+\b|\bbest practices?\b|\bonly (?:if|when|for|as|after|the first)\b",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(?:will|won['’]t)\b", re.IGNORECASE)


def red_flags(text: str, *, is_cited: bool) -> tuple[Concern, ...]:
    """What is wrong with a sentence whatever its topic."""
    return tuple(_red_flags(text, is_cited))


def _red_flags(text: str, is_cited: bool) -> Iterator[Concern]:
    short = text if len(text) <= 90 else text[:87].rstrip() + "..."
    if not is_cited and classify(text) is ClaimType.STATISTIC:
        message = f"A figure without a source: “{short}”"
        yield Concern("W008", Kind.QUALITY, Severity.HIGH, message, "Cite a source or leave it out.")
    if _QUOTATION.search(text) and not _ATTRIBUTED.search(_QUOTATION.sub(" ", text)) and not is_cited:
        message = f"A quotation without attribution: “{short}”"
        yield Concern("W009", Kind.QUALITY, Severity.HIGH, message, "Name who said it.")
    if not is_cited and _SUPERLATIVE.search(_NO_SUPERLATIVE.sub(" ", text)):
        message = f"A superlative without evidence: “{short}”"
        yield Concern("W010", Kind.QUALITY, Severity.MEDIUM, message, "Cite a comparison or say less.")
    if _WILL.search(text) and not is_cited:
        message = f"A prediction stated as fact: “{short}”"
        yield Concern(
            "W011", Kind.QUALITY, Severity.MEDIUM, message, "Say who expects it, and on what grounds."
        )
    if _shares_do_not_add_up(text):
        message = f"Shares of one whole that do not add up to 100 %: “{short}”"
        yield Concern("W012", Kind.QUALITY, Severity.MEDIUM, message, "Check the figures against the source.")


_PARTITION = re.compile(
    r"\b(?:the (?:rest|remaining|remainder|others?)|respectively|breakdown|divided into)\b", re.IGNORECASE
)


def _shares_do_not_add_up(text: str) -> bool:
    """True for three or more shares of one whole that miss 100 by more than 2."""
    for span in sentence_spans(text):
        sentence = span.cut(text)
        shares = [
            q.low for q in find_quantities(sentence) if q.kind is QuantityKind.PERCENT and q.low == q.high
        ]
        if len(shares) >= 3 and _PARTITION.search(sentence) and abs(sum(shares) - 100) > 2:
            return True
    return False


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


def gaps(question: str, texts: Sequence[str], coverage: Sequence[Coverage] = ()) -> tuple[Concern, ...]:
    """What the question asks for and the evidence (`texts`: its titles and passages) does not have."""
    found = [*_uncovered(coverage), *_medical(question, texts), *_unmentioned(question, texts)]
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
