"""The agents that currently work on a run, with what each works on or waits for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Case, Q, QuerySet, Value, When
from django.utils.functional import Promise
from django.utils.translation import gettext as _g
from django.utils.translation import gettext_lazy as _

from research.models import Run, Source, State, Step, StepStatus
from research.web.site.value_labels import word

MAX_SHOWN = 6
LONGEST = 120  # maximum length of the text on its work

LIMIT = _("a rate limit")
# Keyed by the code of the failure after which a step is retried.
WAITS: Mapping[str, Promise] = {
    "RATE_LIMITED": LIMIT,
    "LLM_RATE_LIMIT": LIMIT,
    "LLM_BUSY": _("the model, which is busy"),
    "BLOCKED": _("a site that refused"),
    "TIMEOUT": _("a source that did not answer"),
    "BROWSER_TIMEOUT": _("a source that did not answer"),
    "NETWORK_ERROR": _("the network"),
    "LLM_TIMEOUT": _("the model, which did not answer"),
    "LLM_UNAVAILABLE": _("the model, which cannot be reached"),
    "DATABASE_ERROR": _("the database"),
}
ANOTHER_TRY = _("another try")


@dataclass(frozen=True, slots=True)
class Agent:
    """An active step. `who` is its subtopic or section, else the role."""

    who: str
    does: str
    about: str
    waits_for: str = ""  # empty: it is working
    until: datetime | None = None  # when it continues


@dataclass(frozen=True, slots=True)
class AtWork:
    agents: tuple[Agent, ...]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.agents)

    @property
    def wait(self) -> Agent | None:
        """Return the agent that continues first if all agents wait; None otherwise."""
        waiting = [agent for agent in self.agents if agent.until is not None]
        is_still = waiting and len(waiting) == len(self.agents)
        return min(waiting, key=lambda agent: (agent.until is None, agent.until)) if is_still else None


def at_work(run: Run, now: datetime) -> AtWork:
    """Return the working agents, then the waiting ones. Makes three queries, or one if there are none."""
    busy = Q(status=StepStatus.RUNNING, lease_until__gt=now)
    waiting = Q(status__in=[StepStatus.RETRYING, StepStatus.PENDING], not_before__gt=now)
    steps = Step.objects.filter(busy | waiting, run=run, pending_children=0)
    order = Case(When(status=StepStatus.RUNNING, then=Value(0)), default=Value(1))
    shown = list(steps.defer("output").order_by(order, "not_before", "started_at")[:MAX_SHOWN])
    if not shown:
        return AtWork((), 0)
    sources = _sources(shown)
    agents = tuple(_agent(step, sources, run) for step in shown)
    return AtWork(agents, steps.count() if len(shown) == MAX_SHOWN else len(shown))


def _sources(steps: Iterable[Step]) -> Mapping[str, Source]:
    ids = {str(step.input["source"]) for step in steps if step.input.get("source")}
    rows: QuerySet[Source] = Source.objects.filter(pk__in=[UUID(key) for key in ids])
    return {str(row.pk): row for row in rows.only("title", "url", "domain", "subtopic", "canonical_url")}


def _agent(step: Step, sources: Mapping[str, Source], run: Run) -> Agent:
    source = sources.get(str(step.input.get("source")))
    heading = _get_heading(step, run)
    subtopic = str(step.input.get("subtopic") or (source.subtopic if source else ""))
    return Agent(
        who=heading or subtopic or word(step.agent_role, "role"),
        does=word(step.handler, "deed"),
        about=_about(step, source)[:LONGEST],
        waits_for=_waits_for(step),
        until=step.not_before if step.status != StepStatus.RUNNING else None,
    )


def _waits_for(step: Step) -> str:
    if step.status == StepStatus.RUNNING:
        return ""
    return str(WAITS.get(step.error_code, ANOTHER_TRY))


def _about(step: Step, source: Source | None) -> str:
    if source is not None:
        return source.title or source.domain or str(source)
    named = (step.input.get(name) for name in ("query", "url", "name"))
    return next((str(value) for value in named if value), "")


def _get_heading(step: Step, run: Run) -> str:
    """Return the heading of the section that the step writes; empty for other steps."""
    index, outline = step.input.get("section"), run.outline
    if not isinstance(index, int) or not 0 <= index < len(outline):
        return ""
    section: Mapping[str, object] = outline[index]
    return str(section.get("heading", ""))


def find_queue_position(run: Run) -> int | None:
    """Return the run's place among the workspace's runs that have not begun, from 1; None if it has begun or is
    paused.
    """
    if run.state != State.CREATED or run.paused_at:
        return None
    waiting = Run.objects.filter(state=State.CREATED, paused_at=None, cancel_at=None)
    return waiting.filter(created_at__lt=run.created_at).count() + 1


def sentence_of(wait: Agent, now: datetime) -> str:
    """Return a sentence that says what the run as a whole waits for."""
    seconds = round((wait.until - now).total_seconds()) if wait.until else 0
    text = _g("Waiting for %(what)s: continues in %(seconds)d s")
    return text % {"what": wait.waits_for, "seconds": max(seconds, 1)}
