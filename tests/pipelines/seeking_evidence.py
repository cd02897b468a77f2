"""A forked process that drives a report on to its end, or dies: at the point that its environment names, or soon."""

import os
import signal
from threading import Timer
from uuid import UUID

from research.engine import claim_and_finish_steps
from research.engine.step_runner import drive
from research.engine.sweeper import sweep_tenant
from research.ops.health_warm_up import load_code
from research.pipelines.report.synthesizing import compose_report_section

load_code()  # once for all


def main(tenant: str, run: str, dies_after_s: str = "") -> None:
    """`dies_after_s`: from the first step; a run that ends before is not killed."""
    # As in tests/pipelines/seeking_team.py.
    compose_report_section.restates = lambda claim, windows, text: True
    claim_and_finish_steps.retry_delay_s = at_once(claim_and_finish_steps.retry_delay_s)
    sweep_tenant(UUID(tenant))
    if dies_after_s:
        Timer(float(dies_after_s), os.kill, (os.getpid(), signal.SIGKILL)).start()
    drive(UUID(tenant), UUID(run))


def at_once(delay):
    """The lifecycle's retries, without the waiting between them."""
    return lambda failure, before: None if delay(failure, before) is None else 0.0
