"""Doing a run's CPU steps one by one in a prefork process, until none is left."""

import time
from uuid import UUID

from research.lifecycle.claims import claim
from research.lifecycle.crash import Point, crash_point
from research.lifecycle.execution import execute
from research.lifecycle.finishing import Outcome, finish
from research.lifecycle.leases import Leases
from research.lifecycle.owners import owner_name
from research.lifecycle.recipe import Recipe
from research.lifecycle.runner import Ending, advance_or_fail, recipe_of_run
from research.lifecycle.timing import RUNNER_LIMIT_S
from research.models import Queue


def work_through(tenant_id: UUID, run_id: UUID, queue: Queue, limit_s: float = RUNNER_LIMIT_S) -> Ending:
    """Claim and do steps of one queue. Raises Run.DoesNotExist and UnknownRecipe."""
    recipe = recipe_of_run(tenant_id, run_id)
    owner, until = owner_name(), time.monotonic() + limit_s
    with Leases(tenant_id) as leases:
        while time.monotonic() < until:
            if not _do_one(tenant_id, run_id, queue, owner, recipe, leases):
                return Ending.IDLE
    return Ending.HANDED_ON


def _do_one(tenant_id: UUID, run_id: UUID, queue: Queue, owner: str, recipe: Recipe, leases: Leases) -> bool:
    """False: there was nothing to take."""
    served = frozenset({queue})
    claimed = claim(tenant_id, run_id, queues=served, owner=owner, most=1)
    for step in claimed:
        leases.hold(step)
        if step.is_state and not step.is_spent:
            advance_or_fail(step, served)
        else:
            result = execute(recipe, step, leases)
            crash_point(Point.WORKED_BEFORE_FINISH)
            finish([Outcome(step, result)], served)
        leases.drop(step)
    return bool(claimed)
