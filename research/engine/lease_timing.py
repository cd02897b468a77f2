"""The duration of a lease and the intervals that follow from it, in seconds."""

from django.conf import settings

from research.llm.budgets.limits import most

# One knob: the crash tests shorten it, and all the rest with it (spec: 90 s, 20 s, 15 s, 30 s).
LEASE_S: float = settings.PLUMBLINE_LEASE_SECONDS
HEARTBEAT_S = LEASE_S * 2 / 9
SWEEP_S = LEASE_S / 6
REPUBLISH_AFTER_S = LEASE_S / 3  # a ready step that no one took so long gets another knock

STEP_LIMIT_S = 300  # of one execution of a step
RUNNER_LIMIT_S = 240  # then the runner hands on to a new message
RUN_LIMIT_S = most("run_s")  # 3 600: of active time, a whole run
CANCEL_GRACE_S = 5  # running steps may finish after a cancel; what lasts longer is dropped
