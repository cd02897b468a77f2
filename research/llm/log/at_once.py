"""A call's row and its money in one statement each, as it begins and as it is stored: for the call that nobody made
before and whose limits have room. What is not so simple is told so, has to be rolled back, and goes the long way
(`journal.claim`, `journal.store`).

The limits are kept as on the long way: by the UPDATE that takes from them, the run's row first and then the role's.
"""

from collections.abc import Mapping

from django.conf import settings
from django.db import connection

from research.governance.budgets import Reservation, Value, amount_of, facts_of
from research.governance.limits import Amount, exceeded_part
from research.governance.statements import DROP, NOTE, change, enter, take
from research.models.base import new_id

Column = Value | bool | bytes

INSERT = """
INSERT INTO research_modelcall (id, tenant_id, run_id, step_key, purpose, request_hash, n, fence, response_hash,
    tenant_hash, user_hash, run_hash, role, operation, model, prompt_version, status, tokens_input, tokens_output,
    is_estimated, cache_hit, error_code, error_message, pii_types)
VALUES (%(id)s, %(tenant)s, %(run)s, %(step_key)s, %(purpose)s, %(request_hash)s, %(n)s, %(fence)s, '',
    %(tenant_hash)s, %(user_hash)s, %(run_hash)s, %(role)s, %(operation)s, %(model)s, %(prompt)s, 'sent', 0, 0,
    false, false, '', '', '[]')
ON CONFLICT (run_id, step_key, purpose, request_hash, n) DO NOTHING
"""

# EXISTS makes each part wait for the one before it: so the rows are locked in the order that all keep.
BEGIN = f"""
WITH call AS ({INSERT} RETURNING id),
of_run AS ({take("''", "''", "EXISTS (SELECT FROM call)")} AS tier),
of_role AS ({take("%(role)s", "%(agent)s", "%(is_limited)s AND EXISTS (SELECT FROM of_run)")} AS tier),
note AS ({NOTE} WHERE EXISTS (SELECT FROM of_role) OR NOT %(is_limited)s AND EXISTS (SELECT FROM of_run) RETURNING id)
SELECT tier FROM of_run WHERE EXISTS (SELECT FROM note)
"""  # noqa: S608 - the parts are ours

_WHETHER = ("(SELECT count(*) FROM dropped)", "(SELECT count(*) FROM entered)")
STORE = f"""
WITH call AS (
    UPDATE research_modelcall SET status = 'stored', answer = %(answer)s, response_hash = %(response_hash)s,
        pii_types = %(pii_types)s::jsonb, request_body = %(request_body)s, response_body = %(response_body)s,
        tokens_input = %(input)s, tokens_output = %(output)s, is_estimated = %(is_estimated)s,
        cost_usd = %(cost)s::numeric, duration_ms = %(duration_ms)s
    WHERE id = %(call)s AND status = 'sent' RETURNING id
),
dropped AS ({DROP} AND EXISTS (SELECT FROM call) RETURNING id),
entered AS ({enter("EXISTS (SELECT FROM call)")} RETURNING id),
of_run AS ({change("''", "''", *_WHETHER)} RETURNING id),
of_role AS ({change("%(role)s", "%(agent)s", *_WHETHER)} AND EXISTS (SELECT FROM of_run) RETURNING id)
SELECT id FROM call
"""  # noqa: S608 - the parts are ours


def begin(call: Mapping[str, Column], wanted: Reservation) -> bool:
    """The call is ours, with its worst case set aside. False: roll back, whatever was in the way. Needs the tenant set.

    `call` are the columns of the call's row by their names in `INSERT`.
    """
    is_limited = wanted.role in settings.PLUMBLINE_BUDGET_ROLES
    facts = {**facts_of(wanted), **amount_of(wanted.worst), **call, "is_limited": is_limited}
    with connection.cursor() as cursor:
        cursor.execute(BEGIN, facts)
        row = cursor.fetchone()
    return row is not None and exceeded_part(wanted.operation, str(row[0]), wanted.worst) is None


def store(call: Mapping[str, Column], reservation: Reservation, used: Amount) -> bool:
    """The answer is kept and what it cost is counted. False: the call was taken over; nothing was done.

    `call` are the columns by their names in `STORE`. Needs the tenant set.
    """
    facts = {**facts_of(reservation), **amount_of(used), **amount_of(reservation.worst, "back_")}
    with connection.cursor() as cursor:
        cursor.execute(STORE, {**facts, **call, "entry": new_id()})
        return cursor.fetchone() is not None
