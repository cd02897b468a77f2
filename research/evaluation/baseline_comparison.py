"""Ask the questions of a gold file of the report pipeline and, for comparison, of a model in one call."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from research.accounts.people import PersonalAccount
from research.evaluation.evaluation_of_reports import (
    GoldAnswerable,
    GoldDisagreement,
    GoldFile,
    GoldUnanswerable,
    ReportContents,
    ReportJudgment,
    figures,
    judge_answerable,
    judge_disagreement,
    judge_unanswerable,
)
from research.evaluation.one_call_baseline import SystemAnswer, answer_with_pipeline, by_one_call, grounding

Gold = GoldAnswerable | GoldUnanswerable | GoldDisagreement


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """The judged answers of the pipeline and of the one-call baseline to one gold entry."""

    recipe: SystemAnswer
    judged: ReportJudgment
    baseline: SystemAnswer | None = None
    baseline_judged: ReportJudgment | None = None


def compare(
    gold: GoldFile, account: PersonalAccount, folder: str, *, engine: str, with_baseline: bool
) -> Iterator[GoldComparison]:
    entries: list[Gold] = [*gold.answerable, *gold.unanswerable, *gold.disagreements]
    for entry in entries:
        outcome, run_id = answer_with_pipeline(account, folder, question_of(entry), engine)
        judged = judge(entry, outcome.reported)
        if not with_baseline:
            yield GoldComparison(outcome, judged)
            continue
        baseline = by_one_call(account, question_of(entry), run_id)
        yield GoldComparison(outcome, judged, baseline, judge(entry, baseline.reported))


def question_of(entry: Gold) -> str:
    return entry.topic if isinstance(entry, GoldDisagreement) else entry.question


def judge(entry: Gold, reported: ReportContents) -> ReportJudgment:
    match entry:
        case GoldAnswerable():
            return judge_answerable(entry, reported)
        case GoldUnanswerable():
            return judge_unanswerable(entry, reported)
        case GoldDisagreement():
            return judge_disagreement(entry, reported)


def summarize_comparisons(compared: Sequence[GoldComparison]) -> dict[str, object]:
    """Return the figures of the pipeline, and under `baseline` those of the one-call baseline."""
    mine: dict[str, object] = asdict(figures([comparison.judged for comparison in compared]))
    mine["grounding"] = asdict(grounding([comparison.recipe for comparison in compared]))
    judged = [comparison.baseline_judged for comparison in compared if comparison.baseline_judged]
    if judged:
        others = [comparison.baseline for comparison in compared if comparison.baseline]
        mine["baseline"] = {**asdict(figures(judged)), "grounding": asdict(grounding(others))}
    return mine
