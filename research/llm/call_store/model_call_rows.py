"""The rows of model calls: who may make a call, what it cost, and its answer, which is never paid for twice.

A call is claimed before it is sent, by a row that is unique for its step, purpose and input. Another caller
with the same request finds the answer or waits for it. The claim of a dead process is taken over: by the
step's next execution at once (its fence is higher), by anyone once it is older than a step can get. Such a
call counts as `unknown`: the provider may have charged for it, the user is not charged.

A claim commits together with its reservation, an answer with what it cost (spec: durability.md, Money).
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db import connection, models, transaction
from pydantic import TypeAdapter, ValidationError

from research.db.tenancy import tenant_context
from research.llm.budgets.budget_limits import LIMITED_EACH, OperationCost
from research.llm.budgets.budget_refusals import BudgetExceeded
from research.llm.budgets.budgets import BudgetReservation, make, release, reservation_for
from research.llm.budgets.open_budgets import open_for_agents
from research.llm.call_store import model_call_sql
from research.llm.call_store.model_call_secure_log import build_logged_words, identities
from research.llm.call_store.model_call_sql import INSERT
from research.llm.call_types import Usage
from research.llm.model_errors import ModelError, Trouble
from research.llm.model_requests import ModelCallRequest
from research.llm.provider.completion_replies import Reply
from research.models import ModelCall, ModelCallStatus
from research.models.base_models import new_id
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.keys.data_encryption_keys import CannotOpen, open_sealed, seal

W = TypeVar("W")
R = TypeVar("R")
MAX_OPENED = 10_000
MAX_STEP_S = 300  # after this time no execution of a step is still running
REPLIES = TypeAdapter(Reply)

TAKE_OVER = """
UPDATE research_modelcall SET status = 'unknown'
WHERE id = %(id)s AND status = 'sent'
    AND (fence < %(fence)s OR created_at < clock_timestamp() - %(longest)s * interval '1 second')
"""


class BatchRejected(Exception):
    """A batch cannot be done together because of one of its calls, so each is done on its own."""


@dataclass(frozen=True, slots=True)
class CachedReply:
    """An answer that is stored and paid for already."""

    call_id: UUID
    reply: Reply
    usage: Usage


@dataclass(frozen=True, slots=True)
class ClaimedCall:
    """A call that this caller has to make."""

    call_id: UUID
    tenant_id: UUID
    reservation: BudgetReservation


@dataclass(frozen=True, slots=True)
class InFlight:
    """A call that another caller is making."""


Found = CachedReply | ClaimedCall | InFlight


def tenant_of_request(asked: ModelCallRequest) -> UUID:
    return asked.step.tenant_id


def claim_together(wanted: Sequence[ModelCallRequest]) -> list[Found]:
    """Claim calls of one tenant, which is set. Raises BatchRejected.

    Missing budgets of agents are created first, before any lock on a run's rows.
    """
    agents = {
        agent: None
        for agent in map(_agent_of, wanted)
        if agent[1] in LIMITED_EACH and agent not in _with_budgets
    }
    if agents:
        open_for_agents(sorted(agents))
        transaction.on_commit(lambda: _remember_budgets(agents))
    return _by_run(wanted, lambda asked: asked.step.run_id, _begin_at_once)


_with_budgets: set[tuple[UUID, str, str]] = set()  # agents known to have a budget


def _agent_of(asked: ModelCallRequest) -> tuple[UUID, str, str]:
    return asked.step.run_id, asked.role, asked.agent_id


def _remember_budgets(agents: Iterable[tuple[UUID, str, str]]) -> None:
    if len(_with_budgets) > MAX_OPENED:
        _with_budgets.clear()
    _with_budgets.update(agents)


def _by_run(
    wanted: Sequence[W], run_of: Callable[[W], UUID], act: Callable[[Sequence[W]], Sequence[R]]
) -> list[R]:
    """Run `act` for the items of each run.

    The order of runs is the same everywhere, which avoids deadlocks.
    """
    places: dict[UUID, list[int]] = {}
    for place, item in enumerate(wanted):
        places.setdefault(run_of(item), []).append(place)
    results: dict[int, R] = {}
    for _run, same in sorted(places.items()):
        results |= zip(same, act([wanted[place] for place in same]), strict=True)
    return [results[place] for place in range(len(wanted))]


def _begin_at_once(wanted: Sequence[ModelCallRequest]) -> list[Found]:
    """Claim calls of one run together.

    Raises BatchRejected if one of them was made before or a limit is near.
    """
    claimed = [
        ClaimedCall(call_id, asked.step.tenant_id, _reservation(asked, call_id))
        for asked, call_id in ((asked, new_id()) for asked in wanted)
    ]
    calls = [
        ({**_facts(asked), "id": call.call_id}, call.reservation)
        for asked, call in zip(wanted, claimed, strict=True)
    ]
    if not model_call_sql.begin(calls):
        raise BatchRejected
    for _ in claimed:
        crash_point(FaultPoint.RESERVED_BEFORE_COMMIT)
    return [*claimed]


def claim(asked: ModelCallRequest) -> Found:
    """Return the stored answer, or claim the call and reserve its worst case. Raises BudgetExceeded."""
    try:
        with tenant_context(asked.step.tenant_id):
            return _find(asked)
    except BudgetExceeded:
        # The claim's rollback also undid the note of the refusal; a separate reservation records it.
        release(_reserve(asked, new_id()))
        return InFlight()  # there is room now: the caller tries again


def begin(asked: ModelCallRequest) -> ClaimedCall:
    """Claim a call whose answer is not stored, so that every one is made. Raises BudgetExceeded."""
    try:
        with tenant_context(asked.step.tenant_id):
            n = _calls(asked).count()
            while not isinstance(found := _claim(asked, n), ClaimedCall):
                n += 1
            return found
    except BudgetExceeded:
        release(_reserve(asked, new_id()))  # records the refusal, as in `claim`
        raise


def look(asked: ModelCallRequest) -> CachedReply | None:
    """Return the answer if it is stored already."""
    with tenant_context(asked.step.tenant_id):
        last = _calls(asked).order_by("-n").first()
        return _open_answer(last) if last is not None and last.status == ModelCallStatus.STORED else None


def _find(asked: ModelCallRequest) -> Found:
    first = _claim(asked, 0)  # usually there is no earlier call
    if isinstance(first, ClaimedCall):
        return first
    last = _calls(asked).latest("n")
    stored = _open_answer(last) if last.status == ModelCallStatus.STORED else None
    if stored is not None:
        return stored
    if last.status == ModelCallStatus.SENT and not _take_over(last, asked):
        return InFlight()
    return _claim(asked, last.n + 1)


def _calls(asked: ModelCallRequest) -> "models.QuerySet[ModelCall, ModelCall]":
    rows = ModelCall.objects.filter(
        run_id=asked.step.run_id,
        step_key=asked.step.key,
        purpose=asked.purpose,
        request_hash=asked.request_hash,
    )
    return rows.defer("request_body", "response_body")


def _claim(asked: ModelCallRequest, n: int) -> ClaimedCall | InFlight:
    call_id = new_id()
    with connection.cursor() as cursor:
        cursor.execute(INSERT, {**_facts(asked), "id": call_id, "n": n})
        if not cursor.rowcount:
            return InFlight()
    claimed = ClaimedCall(call_id, asked.step.tenant_id, _reserve(asked, call_id))
    crash_point(FaultPoint.RESERVED_BEFORE_COMMIT)
    return claimed


def _facts(asked: ModelCallRequest) -> dict[str, str | int | UUID]:
    who = identities(asked.step.tenant_id, asked.step.run_id)
    return {
        "tenant": asked.step.tenant_id,
        "run": asked.step.run_id,
        "step_key": asked.step.key,
        "purpose": asked.purpose,
        "request_hash": asked.request_hash,
        "fence": asked.step.fence,
        "tenant_hash": who.tenant,
        "user_hash": who.user,
        "run_hash": who.run,
        "role": asked.role,
        "operation": asked.operation,
        "model": asked.model,
        "server": asked.server,
        "prompt": asked.prompt_version,
    }


def _reservation(asked: ModelCallRequest, call_id: UUID) -> BudgetReservation:
    return reservation_for(
        asked.step.run_id,
        asked.role,
        f"call:{call_id}",
        asked.worst,
        tenant_id=asked.step.tenant_id,
        step_id=asked.step.step_id,
        fence=asked.step.fence,
        agent_id=asked.agent_id,
        operation=asked.operation,
    )


def _reserve(asked: ModelCallRequest, call_id: UUID) -> BudgetReservation:
    reservation = _reservation(asked, call_id)
    make(reservation)
    return reservation


def _take_over(call: ModelCall, asked: ModelCallRequest) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(TAKE_OVER, {"id": call.pk, "fence": asked.step.fence, "longest": MAX_STEP_S})
        return bool(cursor.rowcount)


def _open_answer(call: ModelCall) -> CachedReply | None:
    """Return the stored answer; None if its key is gone, so that the model has to be called again."""
    try:
        reply = REPLIES.validate_json(open_sealed(bytes(call.answer or b""), f"answer:{call.pk}"))
    except (CannotOpen, ValidationError):
        return None
    if not call.cache_hit:
        ModelCall.objects.filter(pk=call.pk).update(cache_hit=True)
    usage = Usage(call.tokens_input, call.tokens_output, call.cost_usd, call.is_estimated)
    return CachedReply(call.pk, reply, usage)


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The outcome of a call. `reply` is None for vectors, which are stored with their texts."""

    claimed: ClaimedCall
    asked: ModelCallRequest
    reply: Reply | None
    usage: Usage
    duration_ms: int

    @property
    def used(self) -> OperationCost:
        return OperationCost(self.usage.tokens_input, self.usage.tokens_output, self.usage.cost_usd)


def store_together(endings: Sequence[CallOutcome]) -> Sequence[None]:
    """Store outcomes of one tenant's calls, whose tenant is set. Raises BatchRejected."""
    return _by_run(endings, lambda outcome: outcome.claimed.reservation.run_id, _store_at_once)


def _store_at_once(endings: Sequence[CallOutcome]) -> Sequence[None]:
    """Store outcomes of one run together. Raises BatchRejected if one of the calls was taken over."""
    if len(_store_batch(endings)) < len(endings):
        raise BatchRejected
    return [None] * len(endings)


def _store_batch(endings: Sequence[CallOutcome]) -> frozenset[UUID]:
    """Store outcomes of one run, and return the ids of the calls that were stored."""
    calls = [
        (
            {**_build_answer_columns(ending), "call": ending.claimed.call_id},
            ending.claimed.reservation,
            ending.used,
        )
        for ending in endings
    ]
    stored = model_call_sql.store(calls)
    for _ in endings:
        crash_point(FaultPoint.SETTLED_BEFORE_COMMIT)
    return stored


def store(ending: CallOutcome) -> None:
    """Store the answer and count what it cost, in one transaction.

    Raises ModelError if the call was taken over.
    """
    claimed = ending.claimed
    with tenant_context(claimed.tenant_id):
        kept = _store_batch([ending])
    if not kept:
        release(claimed.reservation)
        raise ModelError(Trouble.SUPERSEDED, "Another worker has taken this step over.")


def _build_answer_columns(ending: CallOutcome) -> dict[str, model_call_sql.Column]:
    """Return the columns of the answer. Needs `tenant_context`."""
    call_id, reply = ending.claimed.call_id, ending.reply
    words = build_logged_words(call_id, ending.claimed.tenant_id, ending.asked, reply)
    return {
        "answer": seal(REPLIES.dump_json(reply), f"answer:{call_id}") if reply else None,
        "response_hash": words.response_hash,
        "pii_types": json.dumps(words.pii_types),
        "request_body": words.request_body,
        "response_body": words.response_body,
        "is_estimated": ending.usage.is_estimated,
        "cost": ending.usage.cost_usd,
        "duration_ms": ending.duration_ms,
    }


def fail(claimed: ClaimedCall, asked: ModelCallRequest, error: ModelError, duration_ms: int) -> None:
    """Record a call that failed without an answer to pay for. Its request is logged as for other calls."""
    _end(claimed, asked, ModelCallStatus.FAILED, error.code.value, error.message, duration_ms)


def abandon(claimed: ClaimedCall, asked: ModelCallRequest, duration_ms: int) -> None:
    """Record a call that was cancelled: nobody knows whether it was paid for."""
    _end(claimed, asked, ModelCallStatus.UNKNOWN, "", "", duration_ms)


def withdraw(claimed: ClaimedCall) -> None:
    """Give back the claim of a call that was never sent, with its reservation."""
    with tenant_context(claimed.tenant_id):
        _ours(claimed).delete()
        release(claimed.reservation)


def _end(
    claimed: ClaimedCall,
    asked: ModelCallRequest,
    status: ModelCallStatus,
    code: str,
    message: str,
    duration_ms: int,
) -> None:
    with tenant_context(claimed.tenant_id):
        words = build_logged_words(claimed.call_id, claimed.tenant_id, asked, None)
        _ours(claimed).update(
            status=status,
            error_code=code,
            error_message=message,
            duration_ms=duration_ms,
            pii_types=words.pii_types,
            request_body=words.request_body,
        )
        release(claimed.reservation)


def discard(tenant_id: UUID, call_ids: Sequence[UUID], code: str) -> None:
    """Mark answers as useless, so that the step's next execution calls the model again."""
    with tenant_context(tenant_id):
        rows = ModelCall.objects.filter(pk__in=call_ids)
        rows.update(status=ModelCallStatus.FAILED, error_code=code, answer=None)


def _ours(claimed: ClaimedCall) -> "models.QuerySet[ModelCall, ModelCall]":
    return ModelCall.objects.filter(pk=claimed.call_id, status=ModelCallStatus.SENT)
