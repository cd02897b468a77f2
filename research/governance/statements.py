"""The statements that move a budget. Whoever changes budgets of a run changes the run's row first."""

# Both decides and takes: under the row's lock, so that no two callers take the same room.
TAKE = """
UPDATE research_budget AS budget
SET reserved_tokens_input = reserved_tokens_input + %(input)s,
    reserved_tokens_output = reserved_tokens_output + %(output)s,
    reserved_usd = reserved_usd + %(usd)s, updated_at = clock_timestamp()
WHERE run_id = %(run)s AND role = %(role)s AND agent_id = %(agent)s AND closed_at IS NULL
    AND spent_tokens_input + reserved_tokens_input + %(input)s <= limit_tokens_input
    AND spent_tokens_output + reserved_tokens_output + %(output)s <= limit_tokens_output
    AND (limit_tokens_total IS NULL OR spent_tokens_input + spent_tokens_output + reserved_tokens_input
        + reserved_tokens_output + %(input)s + %(output)s <= limit_tokens_total)
    AND (%(usd)s = 0 OR (limit_usd IS NULL OR spent_usd + reserved_usd + %(usd)s <= limit_usd)
        AND (role <> '' OR spent_usd + reserved_usd + %(usd)s <= funded_usd))
RETURNING (SELECT tier FROM research_tenant WHERE id = budget.tenant_id)
"""

# With the step's fence and holder, by which the sweeper tells that nobody will come back for it. Of a step that
# another holds by now, the holder is unknown.
NOTE = """
INSERT INTO research_reservation
    (id, tenant_id, run_id, step_id, fence, holder, role, agent_id, operation, ref, tokens_input, tokens_output, usd)
SELECT %(id)s, %(tenant)s, %(run)s, %(step)s::uuid, coalesce(%(fence)s::bigint, step.fence),
    CASE WHEN step.fence = coalesce(%(fence)s::bigint, step.fence) THEN step.lease_owner ELSE '' END, %(role)s,
    %(agent)s, %(operation)s, %(ref)s, %(input)s, %(output)s, %(price)s::numeric
FROM (SELECT 1) AS one LEFT JOIN research_step step ON step.id = %(step)s::uuid
"""

DROP = "DELETE FROM research_reservation WHERE id = %(id)s"

ENTER = """
INSERT INTO research_usageentry
    (id, tenant_id, run_id, step_id, role, operation, ref, tokens_input, tokens_output, cost_usd)
VALUES (%(id)s, %(tenant)s, %(run)s, %(step)s, %(role)s, %(operation)s, %(ref)s, %(input)s, %(output)s, %(price)s)
ON CONFLICT (run_id, operation, ref) DO NOTHING
"""

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
