"""The duration of a lease and the intervals that follow from it, in seconds."""

from django.conf import settings

from research.llm.budgets.budget_limits import most

# Crash tests shorten this value, and with it all others. The defaults are 90 s, 20 s, 15 s and 30 s.
LEASE_S: float = settings.PLUMBLINE_LEASE_SECONDS
HEARTBEAT_S = LEASE_S * 2 / 9
SWEEP_S = LEASE_S / 6
REPUBLISH_AFTER_S = LEASE_S / 3  # after which a ready step that no worker has claimed gets another wake-up

STEP_LIMIT_S = 300  # time limit of one execution of a step
RUNNER_LIMIT_S = 240  # then the runner sends a message, so that another one continues
RUN_LIMIT_S = most("run_s")  # 3 600: the active time of a whole run
CANCEL_GRACE_S = 5  # time for running steps to finish after a cancellation; then they are dropped
