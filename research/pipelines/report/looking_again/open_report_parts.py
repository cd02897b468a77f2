"""The parts of the question that an analysis left open, and whether they are searched for once more.

A run looks again once: after its first analysis that leaves something open, and before it abstains or says that nothing
was found. In a deep run it also looks for the evidence that writers and a verifier asked for. Needs the tenant set.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.utils import timezone

from research.engine.lease_timing import RUN_LIMIT_S
from research.engine.states.state_exit_conditions import parts_are_open
from research.extractive.answerability import Answerability
from research.extractive.question.parsed_question import analyse
from research.llm.budgets.budget_degradations import DegradationCode
from research.models import Run, State, Step, StepStatus
from research.models.schemas import Plan
from research.pipelines.report.collecting.collect_report_sources_from_web import searches_web
from research.pipelines.report.degrading.save_report_tokens import give_up
from research.pipelines.report.report_analysis_evidence import ANALYSES, read_analysis
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

MAX_PARTS = 4
MAX_REQUEST_LENGTH = 200  # characters
THOROUGH = frozenset({"comprehensive", "exhaustive"})  # depths
LOOKING = (State.COLLECTING, State.READING)
TIME_NEEDED = timedelta(seconds=RUN_LIMIT_S / 4)  # until the run's deadline


def list_open_parts(verdict: Answerability, uncovered: Iterable[str] = ()) -> list[str]:
    """Return the parts in the question's words, and those of `uncovered` subtopics that deserve another search."""
    return list(dict.fromkeys([*verdict.open_parts, *uncovered]))[:MAX_PARTS]


def select_wanted(uncovered: Iterable[str], config: ReportConfig, asked: Iterable[str]) -> list[str]:
    """Return the subtopics without a claim that deserve another search.

    At the greater depths these are all of the plan. Else a plan's own ideas beside the question do not delay its
    answer: only subtopics that a person named are looked for again.
    """
    if config.depth in THOROUGH:
        return list(uncovered)
    named = {name.casefold() for name in (*config.subtopics, *asked)}
    return [name for name in uncovered if name.casefold() in named]


def read_open_parts(run: Run) -> Sequence[str]:
    """Return those of the latest analysis; for a run without an answer at least the question itself."""
    found = read_analysis(run.pk)
    if found is None:
        return ()
    parts = [str(part) for part in found.get("parts", ())]
    if not parts and not found.get("answerable", True):
        parts = [run.topic]
    question, missing = analyse(run.topic), set(found.get("missing", ()))
    if parts != [run.topic]:
        absent = (name.surface for name in question.names if name.surface in missing)
        parts += [f"{name} {question.matter}" for name in absent]
    return list(dict.fromkeys([*parts, *load_requests(run)]))[:MAX_PARTS]


def load_requests(run: Run) -> list[str]:
    """Return the evidence that writers and a verifier asked for."""
    gathered = Step.objects.filter(run=run, handler=ReportStepName.GATHER, output__has_key="requests")
    rows = gathered.order_by("step_index").values_list("output__requests", flat=True)
    return [str(request)[:MAX_REQUEST_LENGTH] for requests in rows for request in requests]


def subtopic_of(part: str, plan: Plan) -> str:
    """Return the subtopic of the plan that corresponds to the part; else the first."""
    names = [subtopic.name for subtopic in plan.subtopics]
    return next((name for name in names if name.casefold() == part.casefold()), names[0])


def may_look_again(run: Run, config: ReportConfig) -> bool:
    """Return True if something is open, or was found on request, and the run can look again."""
    if not can_look_again(run, config):
        return False
    return bool(read_open_parts(run)) or has_new_findings(run)


def can_look_again(run: Run, config: ReportConfig) -> bool:
    """Return True if the run has not looked again yet, and can search in time and budget."""
    if run.state != State.ANALYZING or last_look(run) is not None:
        return False
    return can_search_in_time(run, config) and not give_up(run, DegradationCode.STOP_COLLECTING)


def can_search_in_time(run: Run, config: ReportConfig) -> bool:
    """Return True if the run may search, and has time for another search before its deadline."""
    is_in_time = run.deadline is None or run.deadline - timezone.now() > TIME_NEEDED
    return is_in_time and (config.uses_library or searches_web(config))


def has_new_findings(run: Run) -> bool:
    """Return True if claims from agents' findings were admitted since the latest analysis."""
    analyses = Step.objects.filter(run=run, handler__in=ANALYSES, status=StepStatus.COMPLETED)
    latest = analyses.order_by("-step_index").values_list("step_index", flat=True).first()
    admitted = Step.objects.filter(
        run=run, handler=ReportStepName.ADMIT_CLAIMS, status=StepStatus.COMPLETED, step_index__gt=latest or 0
    )
    return any(admitted.values_list("output__admission__admitted", flat=True))


def is_looking_again(run: Run) -> bool:
    """Return True if the present search, or the reading of its results, is only for open parts."""
    if run.state not in LOOKING:
        return False
    left = Step.objects.filter(run=run, handler=f"state.{State.ANALYZING}").order_by("-step_index")
    return left.values_list("output__exit", flat=True).first() == parts_are_open.__name__


def last_look(run: Run) -> int | None:
    """Return the index of the analysis that sent the run to look again; None if none did."""
    left = Step.objects.filter(
        run=run, handler=f"state.{State.ANALYZING}", output__exit=parts_are_open.__name__
    )
    return left.order_by("-step_index").values_list("step_index", flat=True).first()
