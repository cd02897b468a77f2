"""Cleanup of a run's model calls when the run is over. Needs the tenant set."""

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from research.models import FINISHED, ModelCall, Operation, Run

LATE = timedelta(
    minutes=10
)  # a step takes five minutes at most, so no worker stores an answer later than this after its run's end


def close_calls(run_id: UUID) -> None:
    """Record which prompts the run used, and delete its answers: its steps are not executed again."""
    Run.objects.filter(pk=run_id).update(prompt_versions=_prompts_of(run_id))
    _forget(ModelCall.objects.filter(run_id=run_id))


def forget_late_answers() -> int:
    """Delete answers that arrived after their run's end, and return how many.

    Safe at any time and to repeat.
    """
    ended = Run.objects.filter(state__in=FINISHED, completed_at__gt=Now() - LATE)
    # A deck's picture is drawn after its run has ended; its answer holds only where the picture is stored,
    # for a day.
    return _forget(ModelCall.objects.filter(run__in=ended).exclude(operation=Operation.PICTURE))


def _prompts_of(run_id: UUID) -> dict[str, list[str]]:
    """Return the versions of each prompt by its name.

    There is more than one if the program was upgraded while the run worked.
    """
    calls = ModelCall.objects.filter(run_id=run_id).exclude(prompt_version="").order_by("prompt_version")
    found: dict[str, list[str]] = {}
    for used in calls.values_list("prompt_version", flat=True).distinct():
        name, _dot, version = used.partition(".")
        found.setdefault(name, []).append(version)
    return found


def _forget(calls: QuerySet[ModelCall]) -> int:
    """Delete the answers of calls, and return how many.

    Rows that another transaction has locked are left for the next sweep, so that the end of a run never
    waits.
    """
    free = calls.exclude(answer=None).select_for_update(skip_locked=True, no_key=True, of=("self",))
    return ModelCall.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(answer=None)
