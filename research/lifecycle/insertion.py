"""Inserting steps: the keys they get, whom they belong to, and who waits for them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from research.crash import Point, crash_point
from research.lifecycle.context import visit_key
from research.lifecycle.recipe import StepDraft
from research.models import MAX_ATTEMPTS, Run, Step


@dataclass(frozen=True, slots=True)
class Placed:
    """A draft with its whole key and the step that waits for it (None: its state has not come yet)."""

    draft: StepDraft
    key: str
    parent_id: UUID | None


@dataclass(frozen=True, slots=True)
class Parenthood:
    """What a finished step leaves behind: its key, its children and the step that waits for them."""

    key: str
    children: Sequence[StepDraft]
    then: StepDraft | None


@dataclass(frozen=True, slots=True)
class Grown:
    """What was inserted: the queues of steps that are ready, and how many more each waiting step waits
    for.
    """

    ready: list[str]
    waiting: Counter[UUID]


def placed(draft: StepDraft, visit: str, parent_id: UUID | None) -> Placed:
    """`visit` is the first part of the keys of the visit that the draft belongs to."""
    if draft.stage is not None:
        return Placed(draft, f"{draft.stage}/{draft.key}", None)
    return Placed(draft, f"{visit}/{draft.key}", parent_id)


def visit_of(key: str) -> str:
    """First part of a step's key: the visit of a state, or the name of a state to come."""
    return key.partition("/")[0]


def add_children(run: Run, parents: Sequence[tuple[Parenthood, UUID | None]]) -> Grown:
    """Insert what finished steps leave behind; each is given with the step that waits for it.

    Needs the run's row locked. The steps that wait are counted up by the caller.
    """
    if not parents:
        return Grown([], Counter())
    current = _current_visit(run) if _touches_present_state(run, parents) else None
    thens = {step.key: step for step in insert_steps(run, [*_continuations(parents)])}
    drafts: list[Placed] = []
    for one, parent_id in parents:
        visit = visit_of(one.key)
        then = thens.get(f"{visit}/{one.then.key}") if one.then else None
        drafts += [placed(draft, visit, then.pk if then else parent_id) for draft in one.children]
    drafts = [_joined(one, run, current) for one in drafts]
    children = insert_steps(run, drafts)
    crash_point(Point.FAN_OUT)
    waiting = Counter(step.parent_id for step in (*thens.values(), *children) if step.parent_id is not None)
    alone = [then for then in thens.values() if not waiting[then.pk]]
    return Grown([step.queue for step in (*children, *alone)], waiting)


def _continuations(parents: Sequence[tuple[Parenthood, UUID | None]]) -> Iterator[Placed]:
    for one, parent_id in parents:
        if one.then is not None:
            yield placed(one.then, visit_of(one.key), parent_id)


def _touches_present_state(run: Run, parents: Sequence[tuple[Parenthood, UUID | None]]) -> bool:
    return any(draft.stage == run.state for one, _parent in parents for draft in one.children)


def _current_visit(run: Run) -> UUID | None:
    return Step.objects.filter(run=run, key=visit_key(run)).values_list("pk", flat=True).first()


def _joined(one: Placed, run: Run, current: UUID | None) -> Placed:
    """Work for a state that has come in the meantime is waited for by that state."""
    return replace(one, parent_id=current) if one.draft.stage == run.state else one


def insert_steps(run: Run, drafts: Sequence[Placed]) -> list[Step]:
    """Insert what is not there yet and move `run.step_count` on. Needs the run's row locked.

    Returns the inserted steps. Of two drafts with one key, the first counts.
    """
    by_key = {one.key: one for one in reversed(drafts)}
    existing = Step.objects.filter(run=run, key__in=by_key).values_list("key", flat=True)
    for key in existing:
        del by_key[key]
    wanted = [one for one in drafts if by_key.get(one.key) is one]
    steps = [_step(run, one, run.step_count + number) for number, one in enumerate(wanted)]
    run.step_count += len(steps)
    return Step.objects.bulk_create(steps)


def _step(run: Run, one: Placed, index: int) -> Step:
    draft = one.draft
    return Step(
        run=run,
        parent_id=one.parent_id,
        step_index=index,
        key=one.key,
        queue=draft.queue,
        handler=draft.handler,
        agent_role=draft.agent_role,
        agent_id=draft.agent_id,
        tool_name=draft.tool_name,
        input=draft.input,
        max_attempts=MAX_ATTEMPTS,
    )
