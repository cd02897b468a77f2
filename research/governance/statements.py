"""The statements that move a budget. Whoever changes budgets of a run changes the run's row first."""


def take(role: str, agent: str, given: str = "true") -> str:
    """Both decides and takes: under the row's lock, so that no two callers take the same room. `role` and `agent` are
    SQL; nothing is taken unless `given` holds.
    """
    return f"""
UPDATE research_budget AS budget
SET reserved_tokens_input = reserved_tokens_input + %(input)s,
    reserved_tokens_output = reserved_tokens_output + %(output)s,
    reserved_usd = reserved_usd + %(usd)s, updated_at = clock_timestamp()
WHERE run_id = %(run)s AND role = {role} AND agent_id = {agent} AND closed_at IS NULL
    AND spent_tokens_input + reserved_tokens_input + %(input)s <= limit_tokens_input
    AND spent_tokens_output + reserved_tokens_output + %(output)s <= limit_tokens_output
    AND (limit_tokens_total IS NULL OR spent_tokens_input + spent_tokens_output + reserved_tokens_input
        + reserved_tokens_output + %(input)s + %(output)s <= limit_tokens_total)
    AND (%(usd)s = 0 OR (limit_usd IS NULL OR spent_usd + reserved_usd + %(usd)s <= limit_usd)
        AND (role <> '' OR spent_usd + reserved_usd + %(usd)s <= funded_usd))
    AND {given}
RETURNING (SELECT tier FROM research_tenant WHERE id = budget.tenant_id)
"""  # noqa: S608 - the parts are ours


TAKE = take("%(role)s", "%(agent)s")

# With the step's fence and holder, by which the sweeper tells that nobody will come back for it. Of a step that
# another holds by now, the holder is unknown.
NOTE = """
INSERT INTO research_reservation
    (id, tenant_id, run_id, step_id, fence, holder, role, agent_id, operation, ref, tokens_input, tokens_output, usd)
SELECT %(reservation)s, %(tenant)s, %(run)s, %(step)s::uuid, coalesce(%(step_fence)s::bigint, step.fence),
    CASE WHEN step.fence = coalesce(%(step_fence)s::bigint, step.fence) THEN step.lease_owner ELSE '' END, %(role)s,
    %(agent)s, %(operation)s, %(ref)s, %(input)s, %(output)s, %(price)s::numeric
FROM (SELECT 1) AS one LEFT JOIN research_step step ON step.id = %(step)s::uuid
"""

DROP = "DELETE FROM research_reservation WHERE id = %(reservation)s"


def enter(given: str = "true") -> str:
    """In the log of use, once; nothing unless `given`, which is SQL, holds."""
    return f"""
INSERT INTO research_usageentry
    (id, tenant_id, run_id, step_id, role, operation, ref, tokens_input, tokens_output, cost_usd)
SELECT %(entry)s, %(tenant)s, %(run)s, %(step)s, %(role)s, %(operation)s, %(ref)s, %(input)s, %(output)s,
    %(price)s::numeric
WHERE {given}
ON CONFLICT (run_id, operation, ref) DO NOTHING
"""


ENTER = enter()


def change(role: str, agent: str, back: str = "1", used: str = "1") -> str:
    """What was set aside is given back, what was used is counted. `role` and `agent` are SQL, and so are `back` and
    `used`: 1 or 0, whether that is to be done at all.
    """
    return f"""
UPDATE research_budget
SET reserved_tokens_input = reserved_tokens_input - %(back_input)s * {back},
    reserved_tokens_output = reserved_tokens_output - %(back_output)s * {back},
    reserved_usd = reserved_usd - %(back_usd)s * {back},
    spent_tokens_input = spent_tokens_input + %(input)s * {used},
    spent_tokens_output = spent_tokens_output + %(output)s * {used},
    spent_usd = spent_usd + %(usd)s * {used},
    excess_tokens_input = excess_tokens_input + greatest(0, %(input)s * {used} - %(back_input)s * {back}),
    excess_tokens_output = excess_tokens_output + greatest(0, %(output)s * {used} - %(back_output)s * {back}),
    excess_usd = excess_usd + greatest(0, %(usd)s * {used} - %(back_usd)s * {back}),
    updated_at = clock_timestamp()
WHERE run_id = %(run)s AND role = {role} AND agent_id = {agent}
"""  # noqa: S608 - the parts are ours


CHANGE = change("%(role)s", "%(agent)s")

# Steps end with their handler, so nobody comes back for a reservation of an ended one; of one whose lease
# merely ran out, the call may still be in flight.
DEAD = """
SELECT reservation.id, reservation.role, reservation.agent_id, reservation.tokens_input,
    reservation.tokens_output, reservation.usd
FROM research_reservation reservation LEFT JOIN research_step step ON step.id = reservation.step_id
WHERE reservation.run_id = %(run)s AND (
    reservation.holder = ANY(%(gone)s)
    OR step.id IS NULL AND reservation.created_at < clock_timestamp() - %(alone)s * interval '1 second'
    OR step.fence = reservation.fence AND (step.status IN ('completed', 'failed')
        OR step.status = 'retrying' AND step.error_code <> 'LEASE_EXPIRED')
    OR (step.fence <> reservation.fence OR step.status <> 'running')
        AND reservation.created_at < clock_timestamp() - %(longest)s * interval '1 second')
FOR NO KEY UPDATE OF reservation SKIP LOCKED
"""
