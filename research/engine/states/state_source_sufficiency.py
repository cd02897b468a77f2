"""The sufficiency check of a run's sources: six checks, each with a score 0–1 and a verdict.

Pure. A check that cannot be measured yet has no score, is not passed, and is left out of the mean.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import mean

ENOUGH = 0.75  # minimum of the mean score
COVERED = 0.9  # minimum share of covered subtopics
COVERED_AT = 0.5  # share of a subtopic's target from which on it is covered
ORIGINS, KINDS = 5, 3  # minimum effective numbers of diverse sources
DIVERSE = 0.5
IN_RANGE = 0.5  # minimum share of the sources
MIN_FOR_NOVELTY = 20  # minimum number of sources
WINDOW = 10  # sources compared at either end
SATURATED = 0.2  # ratio below which nothing new is found


class CheckName(StrEnum):
    COUNT = "count"
    COVERAGE = "coverage"
    DIVERSITY = "diversity"
    RECENCY = "recency"
    QUALITY = "quality"
    NOVELTY = "novelty"


CRITICAL = frozenset({CheckName.COUNT, CheckName.COVERAGE})


@dataclass(frozen=True, slots=True)
class ObservedSource:
    """A source as the checks see it. Dates in ISO 8601, as precise as known; "" for an undated one."""

    subtopic: str
    origin: str  # its domain, or a value of its own if it has none
    kind: str
    published: str = ""
    quality: float | None = None
    words: frozenset[str] = frozenset()  # words of its passages or, before it is read, of its title


@dataclass(frozen=True, slots=True)
class SufficiencyTargets:
    """The targets for a run's sources. `kinds` is the number of kinds of source that are possible; 0: any.

    `there_are` is the number of documents if only a library is searched, as a whole; 0: unknown. Such a search finds
    all there is: then any source passes the checks of count and coverage.
    """

    minimum: int = 1
    targets: Mapping[str, int] = field(default_factory=dict)  # subtopic → sources
    published_from: str = ""
    published_to: str = ""
    kinds: int = 0
    quality: float = 0.6
    there_are: int = 0


@dataclass(frozen=True, slots=True)
class SufficiencyCheck:
    """The result of one check. `score` 0–1; None if it cannot be measured. `detail` says what was counted."""

    name: CheckName
    score: float | None
    is_passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SufficiencyResult:
    """The results of all six checks."""

    checks: tuple[SufficiencyCheck, ...]

    @property
    def score(self) -> float:
        """Mean of the scores that could be measured; the first two always can."""
        return round(mean(check.score for check in self.checks if check.score is not None), 4)

    @property
    def is_enough(self) -> bool:
        is_critically_sound = all(check.is_passed for check in self.checks if check.name in CRITICAL)
        return is_critically_sound and self.score >= ENOUGH

    @property
    def is_saturated(self) -> bool:
        """True if nothing new is found: a further search would repeat what is known."""
        return any(check.is_passed for check in self.checks if check.name is CheckName.NOVELTY)


def check_sources(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyResult:
    """Run the six checks on `sources`, which come in the order in which they were found."""
    return SufficiencyResult(tuple(check(sources, wanted) for check in _CHECKS))


def is_covered(found: int, target: int) -> bool:
    """True if a subtopic has at least half of its target."""
    return found >= COVERED_AT * target


def find_uncovered_subtopics(sources: Iterable[ObservedSource], targets: Mapping[str, int]) -> list[str]:
    """Return the names of the subtopics that are not covered, in their order."""
    found = Counter(source.subtopic for source in sources)
    return [name for name, target in targets.items() if not is_covered(found[name], target)]


def _count(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    found = len(sources)
    if wanted.there_are:
        return SufficiencyCheck(
            CheckName.COUNT, float(found > 0), found > 0, _describe_library_count(found, wanted.there_are)
        )
    least = max(1, wanted.minimum)
    detail = f"{found} found, at least {least} wanted."
    return SufficiencyCheck(CheckName.COUNT, _share(found, least), found >= least, detail)


def _describe_library_count(found: int, there_are: int) -> str:
    if found < there_are:
        return f"{found} found; the library was searched as a whole and has {there_are} documents."
    if there_are == 1:
        return "The only document of the library is among the sources."
    return f"All {there_are} documents of the library are among the sources."


def _coverage(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    total = len(wanted.targets)
    missing = find_uncovered_subtopics(sources, wanted.targets)
    share = _share(total - len(missing), total) if total else 0.0
    named = f" Thin: {_format_names(missing)}." if missing else ""
    noun = "subtopic has" if total == 1 else "subtopics have"
    detail = f"{total - len(missing)} of {total} {noun} half of the sources wanted.{named}"
    is_all = bool(sources) and wanted.there_are > 0
    return SufficiencyCheck(CheckName.COVERAGE, share, is_all or share >= COVERED, detail)


def _diversity(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    """Measure diversity by effective numbers, so that a domain with nearly all of the sources counts as little more
    than one.
    """
    origins, kinds = [source.origin for source in sources], [source.kind for source in sources]
    most_kinds = min(KINDS, wanted.kinds) if wanted.kinds else KINDS
    share = (
        min(1.0, effective_number(origins) / ORIGINS) + min(1.0, effective_number(kinds) / most_kinds)
    ) / 2
    detail = f"{_format_count(set(origins), 'domain')}, {_format_count(set(kinds), 'kind')} of source."
    return SufficiencyCheck(CheckName.DIVERSITY, round(share, 4), share >= DIVERSE, detail)


def effective_number(values: Sequence[Hashable]) -> float:
    """Return the effective number of values (inverse Simpson index; Hill, 1973): so many equally frequent values
    would be as diverse. 0 for none.
    """
    counts = Counter(values).values()
    return len(values) ** 2 / sum(count**2 for count in counts) if values else 0.0


def _recency(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    """Measure the share of sources inside the wanted range; all of them without a range. Undated sources count as
    outside.
    """
    if not wanted.published_from and not wanted.published_to:
        return SufficiencyCheck(CheckName.RECENCY, 1.0, True, "No date range was asked for.")
    inside = sum(_is_inside(source.published, wanted) for source in sources)
    undated = sum(not source.published for source in sources)
    share = _share(inside, len(sources)) if sources else 0.0
    undated_note = f"; {undated} with unknown date" if undated else ""
    detail = f"{inside} of {len(sources)} published {_range(wanted)}{undated_note}."
    return SufficiencyCheck(CheckName.RECENCY, share, share >= IN_RANGE, detail)


def _is_inside(published: str, wanted: SufficiencyTargets) -> bool:
    first, last = wanted.published_from, wanted.published_to
    is_late_enough = published >= first[: len(published)]
    return bool(published) and is_late_enough and (not last or published[: len(last)] <= last)


def _range(wanted: SufficiencyTargets) -> str:
    ends = (("from", wanted.published_from), ("to", wanted.published_to))
    return " ".join(f"{word} {day}" for word, day in ends if day)


def _quality(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    known = [source.quality for source in sources if source.quality is not None]
    if not known:
        return SufficiencyCheck(CheckName.QUALITY, None, False, "No source has been judged yet.")
    average = mean(known)
    score = _share(average, wanted.quality) if wanted.quality else 1.0
    detail = f"Mean quality {average:.2f}, {wanted.quality:.2f} wanted."
    return SufficiencyCheck(CheckName.QUALITY, score, average >= wanted.quality, detail)


def _novelty(sources: Sequence[ObservedSource], wanted: SufficiencyTargets) -> SufficiencyCheck:
    """Compare the newest sources with the first: the less new they say, the less another search would find."""
    if len(sources) < MIN_FOR_NOVELTY:
        detail = f"Measured from {MIN_FOR_NOVELTY} sources on."
        return SufficiencyCheck(CheckName.NOVELTY, None, False, detail)
    new = novelties([source.words for source in sources])
    first, last = mean(new[:WINDOW]), mean(new[-WINDOW:])
    if not first:
        return SufficiencyCheck(
            CheckName.NOVELTY, None, False, "Nothing is known of what the first sources say."
        )
    ratio = min(1.0, last / first)
    detail = f"The last {WINDOW} sources bring {ratio:.0%} as much new as the first {WINDOW}."
    return SufficiencyCheck(CheckName.NOVELTY, round(1 - ratio, 4), ratio < SATURATED, detail)


def novelties(found: Iterable[frozenset[str]]) -> list[float]:
    """Return for each set of words the share of its words that no earlier set has; 0 for an empty set."""
    known: set[str] = set()
    shares = []
    for words in found:
        shares.append(len(words - known) / len(words) if words else 0.0)
        known |= words
    return shares


_CHECKS: Sequence[Callable[[Sequence[ObservedSource], SufficiencyTargets], SufficiencyCheck]] = (
    _count,
    _coverage,
    _diversity,
    _recency,
    _quality,
    _novelty,
)


def _share(part: float, whole: float) -> float:
    return round(min(1.0, part / whole), 4)


def _format_count(values: set[str], noun: str) -> str:
    return f"{len(values)} {noun}" if len(values) == 1 else f"{len(values)} {noun}s"


def _format_names(names: Sequence[str]) -> str:
    return "; ".join(_shorten_names(names))


def _shorten_names(names: Sequence[str]) -> Iterator[str]:
    yield from (name if len(name) <= 60 else f"{name[:59]}…" for name in names[:3])
    if len(names) > 3:
        yield f"and {len(names) - 3} more"
