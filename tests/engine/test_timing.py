"""Times that follow from the length of a lease (spec: durability.md)."""

from research.engine import lease_timing


def test_with_the_usual_lease_the_times_are_those_of_the_specification():
    assert (lease_timing.LEASE_S, lease_timing.HEARTBEAT_S, lease_timing.SWEEP_S) == (90, 20, 15)
    assert (lease_timing.REPUBLISH_AFTER_S, lease_timing.STEP_LIMIT_S, lease_timing.RUNNER_LIMIT_S) == (
        30,
        300,
        240,
    )
    assert (lease_timing.RUN_LIMIT_S, lease_timing.CANCEL_GRACE_S) == (3600, 5)
