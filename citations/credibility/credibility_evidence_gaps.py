"""Gaps in a body of evidence: what a question asks for and the evidence lacks. Computed, never generated."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from citations.credibility.evidence_concerns import NARROW_SCOPE, Concern, ConcernKind, Severity
from citations.dates.date_types import TimeRole
from citations.dates.find_dates import Period, TimeMention, find_times
from citations.entities.entities import find_entities
from citations.text.claim_words_and_stems import content_stems
from citations.text.quote_span import Span


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a subtopic of the plan: claims placed and independent sources behind them."""

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
    """Yield study designs that the question names and no text of the evidence mentions."""
    for name, pattern in _DESIGNS.items():
        if pattern.search(question) and not any(pattern.search(text) for text in texts):
            text = f"The question asks for {name}; no source mentions one."
            yield Concern("G008", ConcernKind.GAP, Severity.MEDIUM, text, "Look for studies of this kind.")


def gaps(
    question: str,
    texts: Sequence[str],
    coverage: Sequence[Coverage] = (),
    *,
    whole_texts: Iterable[str] = (),
    language: str = "en",
    published: Sequence[Period] = (),
    today: date = date.max,
) -> tuple[Concern, ...]:
    """Return the gaps: what the question asks for and the evidence (`texts`: its titles and passages) lacks.

    `whole_texts` are those of the sources, with their addresses, read only if the passages lack something;
    `language` is that of the question: in German every noun has a capital, which then tells no name; `published` are
    the dates of the sources.
    """
    found = [*_find_uncovered_subtopics(coverage), *_medical(question, texts)]
    found += [*_designs(question, texts), *_find_unmentioned_subjects(question, language, texts, whole_texts)]
    found += _find_missing_times(question, texts, published, today)
    return tuple(sorted(dict.fromkeys(found), key=lambda concern: concern.code))


def _find_uncovered_subtopics(coverage: Sequence[Coverage]) -> Iterator[Concern]:
    for each in coverage:
        if each.claims == 0:
            text = f"Nothing was found on “{each.subtopic}”."
            yield Concern(
                "G001", ConcernKind.GAP, Severity.HIGH, text, "Search for this part with other words."
            )
        elif each.independent_sources < 2:
            text = f"“{each.subtopic}” rests on a single source."
            yield Concern(
                "G002", ConcernKind.GAP, Severity.MEDIUM, text, "Look for a second, independent source."
            )


def _medical(question: str, texts: Sequence[str]) -> Iterator[Concern]:
    if not _MEDICAL.search(question):
        return
    if not any(_TRIAL.search(text) for text in texts):
        text = "No randomized trial is among the evidence."
        yield Concern(
            "G003", ConcernKind.GAP, Severity.HIGH, text, "Search for randomized trials on the question."
        )
    if not any(_META_ANALYSIS.search(text) for text in texts):
        text = "No meta-analysis or systematic review is among the evidence."
        yield Concern("G004", ConcernKind.GAP, Severity.MEDIUM, text, "Search for reviews on the question.")


def unsought(question: str, looked_for: Sequence[str]) -> tuple[str, ...]:
    """Return the names and populations in the question that no search in `looked_for` covers.

    A search that contains the whole question does not count.
    """
    whole = content_stems(question)
    narrower = [stems for stems in map(content_stems, looked_for) if not whole <= stems]
    sought: frozenset[str] = frozenset().union(*narrower)
    names = [entity.text for entity in find_entities(question)]
    names += [match.group() for match in _POPULATION.finditer(question)]
    return tuple(name for name in dict.fromkeys(names) if not content_stems(name) <= sought)


def narrow_scope(names: Iterable[str]) -> tuple[Concern, ...]:
    """Return a gap of narrow scope for each name: those of `unsought` that no source mentions."""
    text = "The scope is too narrow: nothing looks for “{}”, which the question names, and no source mentions it."
    advice = "Search for it by itself."
    return tuple(
        Concern(NARROW_SCOPE, ConcernKind.GAP, Severity.HIGH, text.format(name), advice) for name in names
    )  # fmt: skip


def _find_unmentioned_subjects(
    question: str, language: str, texts: Sequence[str], whole_texts: Iterable[str]
) -> Iterator[Concern]:
    """Yield populations and names of the question that no source mentions."""
    evidence: frozenset[str] = frozenset().union(*map(content_stems, texts))

    @cache
    def load_all_stems() -> frozenset[str]:
        return frozenset[str]().union(*map(content_stems, whole_texts))

    def is_mentioned(name: str) -> bool:
        stems = content_stems(name)
        return stems <= evidence or stems <= evidence | load_all_stems()

    populations = {match.group().lower() for match in _POPULATION.finditer(question)}
    for population in sorted(populations):
        if not is_mentioned(population):
            text = f"No source speaks of {population}, whom the question names."
            yield Concern("G005", ConcernKind.GAP, Severity.HIGH, text, "Look for studies of this group.")
    times = [time.span for time in find_times(question)]
    named = [
        re.sub(r"['’]s?$", "", _extend_name(question, entity.span))
        for entity in find_entities(question)
        if not any(entity.span.start < time.end and time.start < entity.span.end for time in times)
        and not (language == "de" and all(map(str.istitle, entity.text.split())))
    ]
    for name in dict.fromkeys(named):
        if not is_mentioned(name):
            text = f"No source mentions “{name}”, which the question names."
            yield Concern("G006", ConcernKind.GAP, Severity.HIGH, text, "Add sources that cover it.")


def _extend_name(question: str, span: Span) -> str:
    """Return the name at this place with what is attached to it: “Node.js” for “Node”."""
    attached = re.match(r"(?:[.+#]+\w+|[+#]+)*", question[span.end :])
    return span.cut(question) + (attached[0] if attached else "")


def _find_missing_times(
    question: str, texts: Sequence[str], published: Sequence[Period], today: date
) -> Iterator[Concern]:
    """Yield a gap if a time in the question requires sources of that time and there are none; texts need not name it.

    This year and the future require the newest sources.
    """
    evidence: frozenset[str] = frozenset().union(*map(content_stems, texts))
    for time in find_times(question):
        wanted = _extend_period(time)
        is_now = wanted is None or wanted.last.year >= today.year and time.role not in _OPEN_BEFORE
        if is_now and time.role not in _OPEN_AFTER:
            continue
        is_met = any(wanted.overlaps(each) for each in published) if wanted else True
        if not is_met and not content_stems(time.text) <= evidence:
            text = f"No source is of the time that the question names, “{time.text}”."
            yield Concern("G006", ConcernKind.GAP, Severity.MEDIUM, text, "Add sources that cover it.")


_OPEN_AFTER = frozenset({TimeRole.SINCE, TimeRole.AFTER})
_OPEN_BEFORE = frozenset({TimeRole.UNTIL, TimeRole.BEFORE})


def _extend_period(time: TimeMention) -> Period | None:
    """Return the days of a time; with "since" and "until" all following or earlier ones."""
    if time.period is None:
        return None
    first = date.min if time.role in _OPEN_BEFORE else time.period.first
    return Period(first, date.max if time.role in _OPEN_AFTER else time.period.last)
