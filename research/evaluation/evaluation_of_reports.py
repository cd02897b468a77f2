"""Score report runs against a gold file: supporting sentences found, abstention, both sides of a disagreement.

The gold file holds answerable questions with the sentences that support them, unanswerable ones, and topics on which
the library disagrees (`GoldFile`). All figures are computed from finished reports.
"""

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from pydantic import BaseModel

EARLY_CLAIMS = 5  # a reader who stops after this many should have seen the answer
SAME_WORDS = 0.8  # share of the gold sentence's words that a quote must contain, in order
SHORT_QUOTE = 0.5  # a quote within a gold sentence counts if it is at least this share of it

GoldKind = Literal["answerable", "unanswerable", "disagreements"]


class GoldSentence(BaseModel):
    doc: str
    sentence: str


class GoldAnswerable(BaseModel):
    id: str
    question: str
    evidence: list[GoldSentence]


class GoldUnanswerable(BaseModel):
    id: str
    question: str


class GoldDisagreement(BaseModel):
    id: str
    topic: str
    sides: list[GoldSentence]


class GoldFile(BaseModel):
    """A library's gold.json. Other keys are comments."""

    answerable: list[GoldAnswerable]
    unanswerable: list[GoldUnanswerable] = []
    disagreements: list[GoldDisagreement] = []


@dataclass(frozen=True, slots=True)
class ReportContents:
    """The content of a finished report, in reading order."""

    insufficient: bool
    quotes: tuple[tuple[str, ...], ...]  # by claim
    disputed: tuple[tuple[str, str], ...] = ()  # pairs of quotes from the two sides of each contradiction
    misquoted: int = 0  # quotes that differ from their source's text at their offsets
    seconds: float = 0.0

    @property
    def all_quotes(self) -> list[str]:
        return [quote for claim in self.quotes for quote in claim]


@dataclass(frozen=True, slots=True)
class ReportJudgment:
    """The judgement of a report on one gold entry."""

    id: str
    kind: GoldKind
    question: str
    insufficient: bool
    claims: int
    quotes: int
    seconds: float
    hit: bool = False  # a supporting sentence, or both sides, is quoted
    rank: int | None = None  # number of claims before the first that quotes a supporting sentence
    flagged: bool = False  # both sides are among the contradictions
    misquoted: int = 0


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """Figures of all reports. Shares are 0–1; None if there was nothing to count."""

    answerable: int
    recall: float | None
    recall_early: float | None
    false_abstention: float | None
    unanswerable: int
    abstention: float | None
    disagreements: int
    both_sides_quoted: float | None
    disagreement_flagged: float | None
    citations_median: float | None
    quotes: int  # in all reports together
    misquoted: int
    seconds_median: float | None
    seconds_max: float | None


def is_same_sentence(gold: str, quote: str) -> bool:
    """Return True if one contains the other (letters and digits only), or ≥ 80 % of the gold's words occur in order."""
    wanted, found = _keep_alphanumeric(gold), _keep_alphanumeric(quote)
    if not wanted or not found:
        return False
    if wanted in found or (found in wanted and len(found) >= SHORT_QUOTE * len(wanted)):
        return True
    words = _words(gold)
    matcher = SequenceMatcher(None, words, _words(quote), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) >= SAME_WORDS * len(words)


def judge_answerable(gold: GoldAnswerable, report: ReportContents) -> ReportJudgment:
    wanted = [evidence.sentence for evidence in gold.evidence]
    rank = next((index for index, quotes in enumerate(report.quotes) if _any_same(wanted, quotes)), None)
    return _build_judgement(gold.id, "answerable", gold.question, report, hit=rank is not None, rank=rank)


def judge_unanswerable(gold: GoldUnanswerable, report: ReportContents) -> ReportJudgment:
    return _build_judgement(gold.id, "unanswerable", gold.question, report)


def judge_disagreement(gold: GoldDisagreement, report: ReportContents) -> ReportJudgment:
    """Judge a report on a disagreement; both sides count as quoted if at least two of the gold's sides are."""
    quoted = [side for side in gold.sides if _any_same([side.sentence], report.all_quotes)]
    flagged = _are_disputed(gold.sides, report.disputed)
    return _build_judgement(
        gold.id, "disagreements", gold.topic, report, hit=len(quoted) >= 2, flagged=flagged
    )  # fmt: skip


def figures(judged: Sequence[ReportJudgment]) -> ReportFigures:
    answerable = [judgment for judgment in judged if judgment.kind == "answerable"]
    unanswerable = [judgment for judgment in judged if judgment.kind == "unanswerable"]
    disputes = [judgment for judgment in judged if judgment.kind == "disagreements"]
    seconds = [judgment.seconds for judgment in judged]
    return ReportFigures(
        answerable=len(answerable),
        recall=_share(report.hit for report in answerable),
        recall_early=_share(report.rank is not None and report.rank < EARLY_CLAIMS for report in answerable),
        false_abstention=_share(report.insufficient for report in answerable),
        unanswerable=len(unanswerable),
        abstention=_share(report.insufficient for report in unanswerable),
        disagreements=len(disputes),
        both_sides_quoted=_share(dispute.hit for dispute in disputes),
        disagreement_flagged=_share(dispute.flagged for dispute in disputes),
        citations_median=statistics.median([report.quotes for report in answerable]) if answerable else None,
        quotes=sum(judgment.quotes for judgment in judged),
        misquoted=sum(judgment.misquoted for judgment in judged),
        seconds_median=statistics.median(seconds) if seconds else None,
        seconds_max=max(seconds, default=None),
    )


def _build_judgement(
    id: str, kind: GoldKind, question: str, report: ReportContents, *, hit: bool = False, rank: int | None = None,
    flagged: bool = False,
) -> ReportJudgment:  # fmt: skip
    return ReportJudgment(
        id=id,
        kind=kind,
        question=question,
        insufficient=report.insufficient or not report.quotes,
        claims=len(report.quotes),
        quotes=len(report.all_quotes),
        seconds=report.seconds,
        hit=hit,
        rank=rank,
        flagged=flagged,
        misquoted=report.misquoted,
    )


def _any_same(wanted: Sequence[str], quotes: Iterable[str]) -> bool:
    return any(is_same_sentence(gold, quote) for quote in quotes for gold in wanted)


def _are_disputed(sides: Sequence[GoldSentence], disputed: Iterable[tuple[str, str]]) -> bool:
    """Return True if the report's contradictions together name two of the sides, as the scorer counts."""
    quotes = {quote for pair in disputed for quote in pair}
    named = {side.sentence for side in sides if _any_same([side.sentence], quotes)}
    return len(named) >= 2


def _share(outcomes: Iterable[bool]) -> float | None:
    counted = list(outcomes)
    return sum(counted) / len(counted) if counted else None


def _keep_alphanumeric(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
