"""What follows from the length of a lease (spec: durability.md)."""

from research.lifecycle import timing


def test_with_the_usual_lease_the_times_are_those_of_the_specification():
    assert (timing.LEASE_S, timing.HEARTBEAT_S, timing.SWEEP_S) == (90, 20, 15)
    assert (timing.REPUBLISH_AFTER_S, timing.STEP_LIMIT_S, timing.RUNNER_LIMIT_S) == (30, 300, 240)
    assert (timing.RUN_LIMIT_S, timing.CANCEL_GRACE_S) == (3600, 5)
