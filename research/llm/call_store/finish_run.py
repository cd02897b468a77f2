"""Closing a run's model calls when the run is over. Needs the tenant set."""

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from research.models import FINISHED, ModelCall, Operation, Run

LATE = timedelta(
    minutes=10
)  # after its run's end no worker stores an answer any more: a step takes five at most


def close_calls(run_id: UUID) -> None:
    """Note which prompts the run used, and forget its answers: its steps are not executed again."""
    Run.objects.filter(pk=run_id).update(prompt_versions=_prompts_of(run_id))
    _forget(ModelCall.objects.filter(run_id=run_id))


def forget_late_answers() -> int:
    """Answers that came when their run had ended already; how many they were. Safe at any time, and twice."""
    ended = Run.objects.filter(state__in=FINISHED, completed_at__gt=Now() - LATE)
    # A deck's picture is drawn when its run has ended; its answer says where it lies for a day, and nothing else.
    return _forget(ModelCall.objects.filter(run__in=ended).exclude(operation=Operation.PICTURE))


def _prompts_of(run_id: UUID) -> dict[str, list[str]]:
    """Versions by the prompt's name: one, or more where the program was exchanged while the run worked."""
    calls = ModelCall.objects.filter(run_id=run_id).exclude(prompt_version="").order_by("prompt_version")
    found: dict[str, list[str]] = {}
    for used in calls.values_list("prompt_version", flat=True).distinct():
        name, _dot, version = used.partition(".")
        found.setdefault(name, []).append(version)
    return found


def _forget(calls: QuerySet[ModelCall]) -> int:
    """A row that another transaction holds is left for the next sweep: the end of a run waits for nobody."""
    free = calls.exclude(answer=None).select_for_update(skip_locked=True, no_key=True, of=("self",))
    return ModelCall.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(answer=None)
