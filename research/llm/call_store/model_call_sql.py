"""Claims and stores all calls of a run that begin or end together, with their budget changes, in one
statement each.

This works for calls that were never made before and whose limits have room. Anything else is reported, has to
be rolled back, and goes one by one through `call_rows.claim` or `call_rows.store`. The limits are enforced as
there: by the UPDATE that reserves, first in the run's row and then in the roles'. Either all calls are
reserved or none.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from django.conf import settings

from research.db.bulk_sql import open_prepared_cursor, texts
from research.llm.budgets.budget_limits import OperationCost, find_exceeded_part, share_of
from research.llm.budgets.budget_sql import change_together, enter_together, note_together, take_together
from research.llm.budgets.budgets import BudgetReservation, Value, amount_of, facts_of
from research.models.base_models import new_id

Column = Value | bool | bytes

CALL = """
INSERT INTO research_modelcall (id, tenant_id, run_id, step_key, purpose, request_hash, n, fence, response_hash,
    tenant_hash, user_hash, run_hash, role, operation, model, server, prompt_version, status, tokens_input,
    tokens_output, is_estimated, cache_hit, error_code, error_message, pii_types)
"""
INSERT = f"""{CALL}
VALUES (%(id)s, %(tenant)s, %(run)s, %(step_key)s, %(purpose)s, %(request_hash)s, %(n)s, %(fence)s, '',
    %(tenant_hash)s, %(user_hash)s, %(run_hash)s, %(role)s, %(operation)s, %(model)s, %(server)s, %(prompt)s, 'sent', 0,
    0, false, false, '', '', '[]')
ON CONFLICT (run_id, step_key, purpose, request_hash, n) DO NOTHING
"""

_BEGINNING = {
    "id": "uuid",
    "step_key": "text",
    "purpose": "text",
    "request_hash": "text",
    "fence": "bigint",
    "tenant_hash": "text",
    "user_hash": "text",
    "run_hash": "text",
    "role": "text",
    "operation": "text",
    "model": "text",
    "server": "text",
    "prompt": "text",
    "reservation": "uuid",
    "step": "uuid",
    "step_fence": "bigint",
    "agent": "text",
    "is_limited": "bool",
    "ref": "text",
    "input": "bigint",
    "output": "bigint",
    "usd": "numeric",
    "price": "numeric",
}
_ENDING = {
    "call": "uuid",
    "response_hash": "text",
    "pii_types": "jsonb",
    "is_estimated": "bool",
    "cost": "numeric",
    "duration_ms": "bigint",
    "reservation": "uuid",
    "entry": "uuid",
    "step": "uuid",
    "role": "text",
    "agent": "text",
    "operation": "text",
    "ref": "text",
    "input": "bigint",
    "output": "bigint",
    "usd": "numeric",
    "price": "numeric",
    "back_input": "bigint",
    "back_output": "bigint",
    "back_usd": "numeric",
}
_SEALED = ("answer", "request_body", "response_body")  # bytes, which are passed unchanged


def _rows(columns: Mapping[str, str], *more: str) -> str:
    """Return SQL that turns one list of values for each column into rows."""
    named = [*columns, *more]
    values = [
        f"%({name})s::{kind}[]" for name, kind in [*columns.items(), *((name, "bytea") for name in more)]
    ]
    return f"SELECT * FROM unnest({', '.join(values)}) AS one({', '.join(named)})"  # noqa: S608 - the parts are ours


# A part that counts the rows of the part before it waits for it. So rows are locked in the same order
# everywhere.
BEGIN = f"""
WITH asked AS MATERIALIZED ({_rows(_BEGINNING)}),
call AS ({CALL}
    SELECT id, %(tenant)s, %(run)s, step_key, purpose, request_hash, 0, fence, '', tenant_hash, user_hash, run_hash,
        role, operation, model, server, prompt, 'sent', 0, 0, false, false, '', '', '[]'
    FROM asked
    ON CONFLICT (run_id, step_key, purpose, request_hash, n) DO NOTHING
    RETURNING id
),
of_run AS ({take_together("true", "'' AS role, ''", "(SELECT count(*) FROM call) = %(calls)s")} AS tier),
of_roles AS ({take_together("is_limited", "role, agent", "EXISTS (SELECT FROM of_run)")} AS tier),
note AS ({note_together("(SELECT count(*) FROM of_run) + (SELECT count(*) FROM of_roles) = 1 + %(budgets)s")})
SELECT tier FROM of_run WHERE (SELECT count(*) FROM note) = %(calls)s
"""  # noqa: S608 - the parts are ours

STORE = f"""
WITH ended AS MATERIALIZED ({_rows(_ENDING, *_SEALED)}),
stored AS (
    UPDATE research_modelcall AS row SET status = 'stored', answer = ended.answer, response_hash = ended.response_hash,
        pii_types = ended.pii_types, request_body = ended.request_body, response_body = ended.response_body,
        tokens_input = ended.input, tokens_output = ended.output, is_estimated = ended.is_estimated,
        cost_usd = ended.cost, duration_ms = ended.duration_ms
    FROM ended
    WHERE row.id = ended.call AND row.status = 'sent' RETURNING row.id
),
ours AS MATERIALIZED (SELECT ended.* FROM ended JOIN stored ON stored.id = ended.call),
dropped AS (DELETE FROM research_reservation AS row USING ours WHERE row.id = ours.reservation RETURNING row.id),
entered AS ({enter_together("ours")}),
moved AS MATERIALIZED (
    SELECT ours.role, ours.agent, (dropped.id IS NOT NULL)::int AS back, (entered.id IS NOT NULL)::int AS used,
        input, output, usd, back_input, back_output, back_usd
    FROM ours LEFT JOIN dropped ON dropped.id = ours.reservation LEFT JOIN entered ON entered.id = ours.entry
),
of_run AS ({change_together("moved", "'' AS role, ''")}),
of_roles AS ({change_together("moved", "role, agent", "EXISTS (SELECT FROM of_run)")})
SELECT id FROM stored
"""  # noqa: S608 - the parts are ours


def begin(calls: Sequence[tuple[Mapping[str, Column], BudgetReservation]]) -> bool:
    """Claim calls of one run and reserve their worst cases.

    Return False if anything was in the way: then roll back. Needs the tenant set.

    Each call comes as the columns of its row, by their names in `INSERT`, and the reservation to make.
    """
    rows = [
        {**facts_of(wanted), **amount_of(wanted.worst), **call, **_build_limit_column(wanted)}
        for call, wanted in calls
    ]
    budgets = {(row["role"], row["agent"]) for row in rows if row["is_limited"]}
    facts = {name: texts(row[name] for row in rows) for name in _BEGINNING}
    with open_prepared_cursor() as cursor:
        share = min(share_of(wanted.run_id, wanted.role) for _call, wanted in calls)
        counts: dict[str, int | Decimal] = {"calls": len(calls), "budgets": len(budgets), "share": share}
        cursor.execute(BEGIN, {**facts, **_run_of(calls[0][1]), **counts, "holder": rows[0]["holder"]})
        found = cursor.fetchone()
    return found is not None and not any(
        find_exceeded_part(wanted.operation, str(found[0]), wanted.worst) for _call, wanted in calls
    )


def store(calls: Sequence[tuple[Mapping[str, Column], BudgetReservation, OperationCost]]) -> frozenset[UUID]:
    """Store the answers of one run's calls and count what they cost.

    Return the ids of the calls that were stored; others were taken over by another worker and left unchanged.

    Each call comes as the columns by their names in `STORE`, its reservation, and what it used. Needs the
    tenant set.
    """
    rows = [
        {
            **facts_of(reservation),
            **amount_of(used),
            **amount_of(reservation.worst, "back_"),
            **call,
            "entry": new_id(),
        }
        for call, reservation, used in calls
    ]
    facts = {name: texts(row[name] for row in rows) for name in _ENDING}
    sealed = {name: [row[name] for row in rows] for name in _SEALED}
    with open_prepared_cursor() as cursor:
        cursor.execute(STORE, {**facts, **sealed, **_run_of(calls[0][1])})
        return frozenset(row[0] for row in cursor.fetchall())


def _run_of(reservation: BudgetReservation) -> dict[str, UUID]:
    return {"tenant": reservation.tenant_id, "run": reservation.run_id}


def _build_limit_column(wanted: BudgetReservation) -> dict[str, bool]:
    """Return the column that says whether the role has limits of its own."""
    return {"is_limited": wanted.role in settings.PLUMBLINE_BUDGET_ROLES}
