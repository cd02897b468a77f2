"""Inserts steps: composes their keys, assigns them to their state, and counts them for the step that waits."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from uuid import UUID

from research.db.bulk_sql import open_prepared_cursor, texts
from research.engine.pipeline_registry import StepDraft
from research.engine.states.state_context import visit_key
from research.models import MAX_ATTEMPTS, Run, Step
from research.runtime.fault_injection import FaultPoint, crash_point


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A draft with its full key and the step that waits for it (None: its state has not come yet)."""

    draft: StepDraft
    key: str
    parent_id: UUID | None


@dataclass(frozen=True, slots=True)
class Parenthood:
    """The steps that a finished step adds: its children and the step that waits for them, with its own key."""

    key: str
    children: Sequence[StepDraft]
    then: StepDraft | None


@dataclass(frozen=True, slots=True)
class InsertedSteps:
    """The result of an insertion: the queues of the ready steps, and how many more each waiting step waits for."""

    ready: list[str]
    waiting: Counter[UUID]


def place_draft(draft: StepDraft, visit: str, parent_id: UUID | None) -> PlacedStep:
    """Place the draft in a visit; `visit` is the first part of its key."""
    if draft.stage is not None:
        return PlacedStep(draft, f"{draft.stage}/{draft.key}", None)
    return PlacedStep(draft, f"{visit}/{draft.key}", parent_id)


def visit_of(key: str) -> str:
    """Return the first part of a step's key: the visit of a state, or the name of a state to come."""
    return key.partition("/")[0]


def add_children(run: Run, parents: Sequence[tuple[Parenthood, UUID | None]]) -> InsertedSteps:
    """Insert the steps that follow finished ones; each parent comes with the step that waits for it.

    Needs the run's row locked. The caller increases the counters of the waiting steps.
    """
    if not parents:
        return InsertedSteps([], Counter())
    current = _current_visit(run) if _touches_present_state(run, parents) else None
    continuations = list(_continuations(parents))
    known = _find_existing_keys(
        run, [*(continuation.key for continuation in continuations), *_keys_of_children(parents)]
    )
    thens = {step.key: step for step in _build_new_steps(run, continuations, known)}
    drafts: list[PlacedStep] = []
    for parent, parent_id in parents:
        visit = visit_of(parent.key)
        then = thens.get(f"{visit}/{parent.then.key}") if parent.then else None
        drafts += [place_draft(draft, visit, then.pk if then else parent_id) for draft in parent.children]
    children = _build_new_steps(
        run, [_attach_to_current_visit(draft, run, current) for draft in drafts], known | thens.keys()
    )
    _insert([*thens.values(), *children])
    crash_point(FaultPoint.FAN_OUT)
    waiting = Counter(step.parent_id for step in (*thens.values(), *children) if step.parent_id is not None)
    alone = [then for then in thens.values() if not waiting[then.pk]]
    return InsertedSteps([step.queue for step in (*children, *alone)], waiting)


def _keys_of_children(parents: Sequence[tuple[Parenthood, UUID | None]]) -> Iterator[str]:
    for parent, _ in parents:
        yield from (place_draft(draft, visit_of(parent.key), None).key for draft in parent.children)


def _continuations(parents: Sequence[tuple[Parenthood, UUID | None]]) -> Iterator[PlacedStep]:
    for parent, parent_id in parents:
        if parent.then is not None:
            yield place_draft(parent.then, visit_of(parent.key), parent_id)


def _touches_present_state(run: Run, parents: Sequence[tuple[Parenthood, UUID | None]]) -> bool:
    return any(draft.stage == run.state for parent, _ in parents for draft in parent.children)


def _current_visit(run: Run) -> UUID | None:
    return Step.objects.filter(run=run, key=visit_key(run)).values_list("pk", flat=True).first()


def _attach_to_current_visit(placed: PlacedStep, run: Run, current: UUID | None) -> PlacedStep:
    """Let the state wait for work that was begun early for it, once the run is in that state."""
    return replace(placed, parent_id=current) if placed.draft.stage == run.state else placed


def insert_steps(run: Run, drafts: Sequence[PlacedStep]) -> list[Step]:
    """Insert the drafts whose keys do not exist yet, add their number to `run.step_count`, and return the inserted
    steps.

    Needs the run's row locked. Of two drafts with one key, the first counts.
    """
    steps = _build_new_steps(run, drafts, _find_existing_keys(run, [draft.key for draft in drafts]))
    _insert(steps)
    return steps


def _find_existing_keys(run: Run, keys: Sequence[str]) -> frozenset[str]:
    """Return the keys that exist already."""
    with open_prepared_cursor() as cursor:
        cursor.execute(
            "SELECT key FROM research_step WHERE run_id = %s AND key = ANY(%s)", [run.pk, list(keys)]
        )
        return frozenset(row[0] for row in cursor.fetchall())


def _build_new_steps(run: Run, drafts: Sequence[PlacedStep], known: AbstractSet[str]) -> list[Step]:
    """Build the steps of the drafts that are new, without inserting them, and add their number to `run.step_count`."""
    by_key = {draft.key: draft for draft in reversed(drafts) if draft.key not in known}
    wanted = [draft for draft in drafts if by_key.get(draft.key) is draft]
    steps = [_step(run, draft, run.step_count + number) for number, draft in enumerate(wanted)]
    run.step_count += len(steps)
    return steps


def _step(run: Run, placed: PlacedStep, index: int) -> Step:
    draft = placed.draft
    return Step(
        run=run,
        tenant_id=run.tenant_id,
        parent_id=placed.parent_id,
        step_index=index,
        key=placed.key,
        queue=draft.queue,
        handler=draft.handler,
        agent_role=draft.agent_role,
        agent_id=draft.agent_id,
        tool_name=draft.tool_name,
        input=draft.input,
        max_attempts=MAX_ATTEMPTS,
    )


# The columns that a new step sets; Django would name all 33 columns for each.
INSERT = """
INSERT INTO research_step (tenant_id, run_id, id, parent_id, step_index, key, queue, handler, agent_role, agent_id,
    tool_name, input, max_attempts, output, status, error_code, error_message, attempt, lease_owner, fence,
    pending_children, tokens_input, tokens_output, cost_credits, trace_id, updated_at)
SELECT %s, %s, new.*, '{}', 'pending', '', '', 0, '', 0, 0, 0, 0, 0, '', clock_timestamp()
FROM unnest(%s::uuid[], %s::uuid[], %s::int[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::jsonb[], %s::int[]) AS new
"""


def _insert(steps: Sequence[Step]) -> None:
    """Insert the steps, all of one run."""
    if not steps:
        return
    columns = zip(*map(_columns, steps), strict=True)
    with open_prepared_cursor() as cursor:
        cursor.execute(INSERT, [steps[0].tenant_id, steps[0].run_id, *map(texts, columns)])


def _columns(step: Step) -> tuple[object, ...]:
    named = (step.key, str(step.queue), step.handler, str(step.agent_role), step.agent_id, step.tool_name)
    return (step.pk, step.parent_id, step.step_index, *named, json.dumps(step.input), step.max_attempts)
