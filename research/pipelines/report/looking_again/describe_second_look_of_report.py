"""Describe for readers what was tried for the parts that the analysis had left open. Needs the tenant set."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from research.models import Run, Step, StepStatus
from research.pipelines.common.report_name_definitions import rename
from research.pipelines.report.looking_again.open_report_parts import has_new_findings, last_look
from research.pipelines.report.looking_again.search_open_report_parts import load_other_names
from research.pipelines.report.passages_found_for_report import FINDING
from research.pipelines.report.report_analysis_evidence import ANALYSES
from research.pipelines.report.report_step_names import ReportStepName

LIBRARY = "library"


@dataclass(slots=True)
class PartTry:
    """The searches for one open part: their words, who answered, and the number of results."""

    part: str
    queries: dict[str, None] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)

    @property
    def sentence(self) -> str:
        if not self.queries:
            return f"No other words were left to look for “{self.part}”."
        words = ", ".join(f"“{query}”" for query in self.queries)
        places = ", ".join(self.places) or "no search service"
        return (
            f"“{self.part}” was looked for again with {words}. Results: {self.places.total()} ({places}). "
            "None of them answers it."
        )


def load_tries(run_id: UUID) -> list[PartTry]:
    """Return the tries by part, in the order in which they were searched for; none if the run did not look again."""
    since = last_look(Run(pk=run_id))
    if since is None:
        return []
    steps = Step.objects.filter(run_id=run_id, step_index__gt=since).order_by("step_index")
    planned = steps.filter(handler=ReportStepName.LOOK_AGAIN, status=StepStatus.COMPLETED)
    named = planned.values_list("output__parts", flat=True).first() or []
    tries = {entry["part"]: PartTry(entry["part"], dict.fromkeys(entry["queries"])) for entry in named}
    searched = steps.filter(input__has_key="part", status=StepStatus.COMPLETED)
    for part, handler, hit_count, providers in searched.values_list(
        "input__part", "handler", "output__found", "output__by_provider"
    ):
        if part in tries:
            is_library = handler == ReportStepName.SEARCH_LIBRARY
            tries[part].places.update({LIBRARY: hit_count or 0} if is_library else providers or {})
    return list(tries.values())


def describe_tries(run: Run, still_open: Collection[str] | None = None) -> list[str]:
    """Return a sentence for each part that is still open; for all parts if `still_open` is None."""
    tries = load_tries(run.pk)
    if still_open is None or not tries:
        return [part_try.sentence for part_try in tries]
    names = load_other_names(run)
    return [
        part_try.sentence
        for part_try in tries
        if {part_try.part, rename(part_try.part, names)} & set(still_open)
    ]


def reword_topic(run: Run) -> str:
    """Return the question with the other names found for those in it, once the run has looked again."""
    return run.topic if last_look(run) is None else rename(run.topic, load_other_names(run))


def has_found_more(run: Run) -> bool:
    """Return True if the second look found new passages, or another name for one in the question."""
    since = last_look(run)
    looked = Step.objects.filter(run=run, handler=ReportStepName.LOOK_AGAIN).order_by("-step_index").first()
    if since is None or looked is None:
        return True
    analysed = Step.objects.filter(run=run, handler__in=ANALYSES, status=StepStatus.COMPLETED)
    if analysed.filter(
        step_index__gt=looked.step_index
    ).exists():  # after another plan, it may be another report
        return True
    before = set(_chunks(run.pk, {"step_index__lt": since}))
    if set(_chunks(run.pk, {"step_index__gt": since})) - before:
        return True
    return has_new_findings(run) or bool(load_other_names(run))


def _chunks(run_id: UUID, when: dict[str, int]) -> Iterator[str]:
    done = Step.objects.filter(run_id=run_id, handler__in=FINDING, status=StepStatus.COMPLETED, **when)
    for hits in done.values_list("output__hits", flat=True):
        yield from (str(hit["chunk"]) for hit in hits or ())
