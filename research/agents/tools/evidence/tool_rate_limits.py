"""Rate limits on a run's searches and fetches, counted in the rows of tool calls, which all processes share."""

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from research.agents.tools.tool_interface import ToolCode, ToolError, Use
from research.llm.budgets.budget_limits import most
from research.models import AgentMessage

MINUTE = timedelta(minutes=1)
# Errors of calls that sent no request and so do not count.
NOT_DONE = (ToolCode.RATE_LIMITED, ToolCode.INVALID_ARGUMENTS, ToolCode.UNKNOWN_ID, ToolCode.TOO_MANY_CALLS)


def check_searches(use: Use) -> None:
    """Raise ToolError if the run has searched too often within a minute. Needs the tenant set."""
    _check(use, "search", most("searches_a_minute"), Q())


def check_fetches(use: Use) -> None:
    """Raise ToolError if the run has fetched too many pages within a minute; cached reads do not count."""
    _check(use, "browse", most("fetches_a_minute"), Q(result__contains={"output": {"fetched": False}}))


def _check(use: Use, tool: str, limit: int, uncounted: Q) -> None:
    calls = AgentMessage.objects.filter(run_id=use.step.run_id, recipient=f"tool:{tool}")
    own = calls.filter(step_id=use.step.step_id, key=use.key).first()
    if own is not None:  # of concurrent calls, the later ones are rejected
        calls = calls.filter(Q(created_at__lt=own.created_at) | Q(created_at=own.created_at, pk__lt=own.pk))
    recent = calls.filter(created_at__gt=Now() - MINUTE).exclude(error_code__in=NOT_DONE)
    if recent.exclude(uncounted).count() >= limit:
        words = f"This run has used {tool} {limit} times within a minute; go on with what there is, and ask later."
        raise ToolError(ToolCode.RATE_LIMITED, words)
