"""SQL statements that change budgets.

Lock the run's row first whenever several budgets of a run are changed.
"""

_TIER = "(SELECT tier FROM research_tenant WHERE id = budget.tenant_id)"

# Checks and reserves in one statement, under the row's lock, so that two callers never get the same room.
# `share` is the fraction of the limits that the caller may use up.
TAKE = f"""
UPDATE research_budget AS budget
SET reserved_tokens_input = reserved_tokens_input + %(input)s,
    reserved_tokens_output = reserved_tokens_output + %(output)s,
    reserved_usd = reserved_usd + %(usd)s, updated_at = clock_timestamp()
WHERE run_id = %(run)s AND role = %(role)s AND agent_id = %(agent)s AND closed_at IS NULL
    AND spent_tokens_input + reserved_tokens_input + %(input)s <= limit_tokens_input * %(share)s
    AND spent_tokens_output + reserved_tokens_output + %(output)s <= limit_tokens_output * %(share)s
    AND (limit_tokens_total IS NULL OR spent_tokens_input + spent_tokens_output + reserved_tokens_input
        + reserved_tokens_output + %(input)s + %(output)s <= limit_tokens_total * %(share)s)
    AND (%(usd)s = 0 OR (limit_usd IS NULL OR spent_usd + reserved_usd + %(usd)s <= limit_usd * %(share)s)
        AND (role <> '' OR spent_usd + reserved_usd + %(usd)s <= funded_usd))
RETURNING {_TIER}
"""  # noqa: S608 - the parts are ours


def take_together(which: str, by: str, given: str) -> str:
    """Return `TAKE` for the calls of `asked` that match `which`, summed by budget row.

    `by` is the SQL of two columns that name the row: its role and its agent. Nothing is reserved unless
    `given`, an SQL condition, holds.
    """
    share = "CASE WHEN budget.role = '' THEN %(share)s::numeric ELSE 1 END"
    return f"""
UPDATE research_budget AS budget
SET reserved_tokens_input = reserved_tokens_input + wanted.input,
    reserved_tokens_output = reserved_tokens_output + wanted.output,
    reserved_usd = reserved_usd + wanted.usd, updated_at = clock_timestamp()
FROM (SELECT role, agent, sum(input)::bigint AS input, sum(output)::bigint AS output, sum(usd) AS usd
    FROM (SELECT {by} AS agent, input, output, usd FROM asked WHERE {which}) AS drawing GROUP BY 1, 2) AS wanted
WHERE run_id = %(run)s AND budget.role = wanted.role AND agent_id = wanted.agent AND closed_at IS NULL
    AND spent_tokens_input + reserved_tokens_input + wanted.input <= limit_tokens_input * {share}
    AND spent_tokens_output + reserved_tokens_output + wanted.output <= limit_tokens_output * {share}
    AND (limit_tokens_total IS NULL OR spent_tokens_input + spent_tokens_output + reserved_tokens_input
        + reserved_tokens_output + wanted.input + wanted.output <= limit_tokens_total * {share})
    AND (wanted.usd = 0 OR (limit_usd IS NULL OR spent_usd + reserved_usd + wanted.usd <= limit_usd * {share})
        AND (budget.role <> '' OR spent_usd + reserved_usd + wanted.usd <= funded_usd))
    AND {given}
RETURNING {_TIER}
"""  # noqa: S608 - the parts are ours


_RESERVATION = """
INSERT INTO research_reservation
    (id, tenant_id, run_id, step_id, fence, holder, role, agent_id, operation, ref, tokens_input, tokens_output, usd)
"""
# The step's fence and the holder, which is the process that makes the call, let the sweeper recognise an abandoned
# reservation.
NOTE = f"""{_RESERVATION}
SELECT %(reservation)s, %(tenant)s, %(run)s, %(step)s::uuid, coalesce(%(step_fence)s::bigint, step.fence), %(holder)s,
    %(role)s, %(agent)s, %(operation)s, %(ref)s, %(input)s, %(output)s, %(price)s::numeric
FROM (SELECT 1) AS one LEFT JOIN research_step step ON step.id = %(step)s::uuid
"""  # noqa: S608 - the parts are ours


def note_together(given: str) -> str:
    """Return `NOTE` for each call of `asked`, to be run if `given`, an SQL condition, holds."""
    return f"""{_RESERVATION}
SELECT asked.reservation, %(tenant)s, %(run)s, asked.step, coalesce(asked.step_fence, step.fence), %(holder)s,
    asked.role, asked.agent, asked.operation, asked.ref, asked.input, asked.output, asked.price
FROM asked LEFT JOIN research_step step ON step.id = asked.step
WHERE {given}
RETURNING id
"""  # noqa: S608 - the parts are ours


DROP = "DELETE FROM research_reservation WHERE id = %(reservation)s"

_ENTRY = """
INSERT INTO research_usageentry
    (id, tenant_id, run_id, step_id, role, operation, ref, tokens_input, tokens_output, cost_usd)
"""


def enter_together(calls: str) -> str:
    """Return SQL that adds an entry to the usage log for each row of `calls`; the same call twice adds it once."""
    return f"""{_ENTRY}
SELECT entry, %(tenant)s, %(run)s, step, role, operation, ref, input, output, price FROM {calls}
ON CONFLICT (run_id, operation, ref) DO NOTHING
RETURNING id
"""  # noqa: S608 - the parts are ours


# Gives back what was reserved and counts what was used.
CHANGE = """
UPDATE research_budget
SET reserved_tokens_input = reserved_tokens_input - %(back_input)s,
    reserved_tokens_output = reserved_tokens_output - %(back_output)s,
    reserved_usd = reserved_usd - %(back_usd)s,
    spent_tokens_input = spent_tokens_input + %(input)s,
    spent_tokens_output = spent_tokens_output + %(output)s,
    spent_usd = spent_usd + %(usd)s,
    excess_tokens_input = excess_tokens_input + greatest(0, %(input)s - %(back_input)s),
    excess_tokens_output = excess_tokens_output + greatest(0, %(output)s - %(back_output)s),
    excess_usd = excess_usd + greatest(0, %(usd)s - %(back_usd)s),
    updated_at = clock_timestamp()
WHERE run_id = %(run)s AND role = %(role)s AND agent_id = %(agent)s
"""


def change_together(calls: str, by: str, given: str = "true") -> str:
    """Return `CHANGE` for the rows of `calls`, summed by budget.

    Their columns `back` and `used`, 1 or 0, say whether the reservation is given back and the use counted.
    `by` is the SQL of two columns that name the budget: its role and its agent.
    """
    return f"""
UPDATE research_budget AS budget
SET reserved_tokens_input = reserved_tokens_input - all_of.back_input,
    reserved_tokens_output = reserved_tokens_output - all_of.back_output,
    reserved_usd = reserved_usd - all_of.back_usd,
    spent_tokens_input = spent_tokens_input + all_of.input,
    spent_tokens_output = spent_tokens_output + all_of.output,
    spent_usd = spent_usd + all_of.usd,
    excess_tokens_input = excess_tokens_input + all_of.more_input,
    excess_tokens_output = excess_tokens_output + all_of.more_output,
    excess_usd = excess_usd + all_of.more_usd,
    updated_at = clock_timestamp()
FROM (SELECT role, agent, sum(input * used)::bigint AS input, sum(output * used)::bigint AS output,
        sum(usd * used) AS usd, sum(back_input * back)::bigint AS back_input,
        sum(back_output * back)::bigint AS back_output, sum(back_usd * back) AS back_usd,
        sum(greatest(0, input * used - back_input * back))::bigint AS more_input,
        sum(greatest(0, output * used - back_output * back))::bigint AS more_output,
        sum(greatest(0, usd * used - back_usd * back)) AS more_usd
    FROM (SELECT {by} AS agent, input, output, usd, back_input, back_output, back_usd, back, used FROM {calls}) AS one
    GROUP BY 1, 2) AS all_of
WHERE run_id = %(run)s AND budget.role = all_of.role AND agent_id = all_of.agent AND {given}
RETURNING budget.id
"""  # noqa: S608 - the parts are ours


# A step ends with its handler, so nobody settles a reservation of a step that has ended. If only its lease
# ran out, the call may still be in flight. What a run that is over had reserved limits nothing any more; what is made
# from its report is reserved after its end.
DEAD = """
SELECT reservation.id, reservation.role, reservation.agent_id, reservation.tokens_input,
    reservation.tokens_output, reservation.usd
FROM research_reservation reservation LEFT JOIN research_step step ON step.id = reservation.step_id
    JOIN research_run run ON run.id = reservation.run_id
WHERE reservation.run_id = %(run)s AND (
    reservation.holder = ANY(%(gone)s)
    OR run.state = ANY(%(finished)s) AND reservation.created_at < run.completed_at
    OR step.id IS NULL AND reservation.created_at < clock_timestamp() - %(alone)s * interval '1 second'
    OR step.fence = reservation.fence AND (step.status IN ('completed', 'failed')
        OR step.status = 'retrying' AND step.error_code <> 'LEASE_EXPIRED')
    OR (step.fence <> reservation.fence OR step.status <> 'running')
        AND reservation.created_at < clock_timestamp() - %(longest)s * interval '1 second')
FOR NO KEY UPDATE OF reservation SKIP LOCKED
"""
