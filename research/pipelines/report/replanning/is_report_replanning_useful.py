"""Judge if another plan can find more than the last one did."""

from research.models import Run, State, Step, StepStatus
from research.pipelines.report.collecting.collect_report_sources_from_web import searches_web
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

REPLANS = (ReportStepName.REPLAN_BY_RULES, ReportStepName.REPLAN_BY_MODEL)

ASKED_IN = (State.COLLECTING, State.ANALYZING)


def can_search_wider(run: Run, config: ReportConfig) -> bool:
    """Return True if a new plan could find more sources on the web.

    It could not where the last replanning left the plan unchanged, or where no search provider answers.

    A library is searched as a whole: a document that several subtopics share counts for one of them, so that the
    others look thinner than they are. Needs the tenant set.
    """
    if (
        run.state not in ASKED_IN
        or not searches_web(config)
        or _latest(run, *REPLANS).get("changed") is False
    ):
        return False
    picked = _latest(run, ReportStepName.PICK_PAGES)
    return bool(picked.get("answered") or not picked.get("searches"))


def _latest(run: Run, *handlers: ReportStepName) -> dict[str, object]:
    """Return the output of the last completed step of these; empty if there is none."""
    done = Step.objects.filter(run=run, handler__in=handlers, status=StepStatus.COMPLETED)
    output: dict[str, object] | None = (
        done.order_by("-step_index").values_list("output", flat=True).first()
    )  # fmt: skip
    return output or {}
