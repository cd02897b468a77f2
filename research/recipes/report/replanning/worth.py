"""Whether another plan can find more than the last one did."""

from research.models import Run, Source, State, Step, StepStatus
from research.recipes.report.collecting.web import searches_web
from research.recipes.report.config import ReportConfig
from research.recipes.report.engine import Engine, engine_of
from research.recipes.report.work import Work
from research.retrieval import documents

REPLANS = (Work.REPLAN_BY_RULES, Work.REPLAN_BY_MODEL)

ASKED_IN = (State.COLLECTING, State.ANALYZING)


def can_search_wider(run: Run, config: ReportConfig) -> bool:
    """Where a plan was made anew and came out the same, or no provider answers, the next finds no more either.

    Of the library alone: rules made the plan from the library itself, so that only a model may think of other words;
    and what holds too few documents won't hold more. Needs the tenant set.
    """
    if run.state not in ASKED_IN or _latest(run, *REPLANS).get("changed") is False:
        return False
    if searches_web(config):
        picked = _latest(run, Work.PICK_PAGES)
        return bool(picked.get("answered") or not picked.get("searches"))
    return engine_of(run) is Engine.MODEL and config.uses_library and _library_has_more(run, config)


def _library_has_more(run: Run, config: ReportConfig) -> bool:
    held = documents(config.scope).count()
    return held >= config.minimum_sources and held > Source.objects.filter(run=run).count()


def _latest(run: Run, *handlers: Work) -> dict[str, object]:
    """Output of the step of these that was the last to be done; empty where there is none."""
    done = Step.objects.filter(run=run, handler__in=handlers, status=StepStatus.COMPLETED)
    output: dict[str, object] | None = (
        done.order_by("-step_index").values_list("output", flat=True).first()
    )  # fmt: skip
    return output or {}
