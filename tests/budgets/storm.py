"""Fifty callers spend from the same budgets at once, and some of their processes are killed on the way.

Usage: python -m tests.budgets.storm TENANT OPERATIONS SEED RUN...   (prints what it saw as JSON)

Every caller takes its turns from one pipe. Now and then one kills its process (SIGKILL): the other nine
callers in it die wherever they are. A reader looks meanwhile, at one moment at a time, whether any limit is
passed or any credit missing, and sweeps up after the dead.
"""

import json
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from select import select
from threading import Thread
from uuid import UUID

import django

django.setup()

from django.db import connection, connections  # noqa: E402 - Django must be set up first
from django.db.models import F  # noqa: E402

from research.db.tenancy import tenant_context  # noqa: E402
from research.llm.budgets.budget_limits import LimitedResource, OperationCost  # noqa: E402
from research.llm.budgets.budget_refusals import BudgetExceeded  # noqa: E402
from research.llm.budgets.budgets import BudgetReservation, release, release_dead  # noqa: E402
from research.models import AgentRole, Run, Step  # noqa: E402
from research.runtime.process_names import dead, owner_name  # noqa: E402
from tests.budgets.spending import reserve, settle  # noqa: E402

PROCESSES, CALLERS = 5, 10
KILLS_PER_TURN = 1 / 250
DOOMED_AT = 3  # turns
PAUSE_S = 0.05  # of the reader
PARTS = list(LimitedResource)
ROLES = [role.value for role in AgentRole]

# Each line is a wrong that must never be seen, counted at one moment.
WRONGS = """
SELECT
    (SELECT count(*) FROM research_budget WHERE
        spent_tokens_input + reserved_tokens_input > limit_tokens_input
        OR spent_tokens_output + reserved_tokens_output > limit_tokens_output
        OR spent_tokens_input + reserved_tokens_input + spent_tokens_output + reserved_tokens_output
            > limit_tokens_total
        OR spent_usd + reserved_usd > limit_usd
        OR role = '' AND spent_usd + reserved_usd > funded_usd),
    (SELECT count(*) FROM research_budget WHERE excess_tokens_input + excess_tokens_output + excess_usd > 0),
    (SELECT count(*) FROM (SELECT 1 FROM research_creditentry GROUP BY kind, ref HAVING sum(amount) <> 0) AS uneven),
    (SELECT count(*) FROM (
        SELECT 1 FROM research_creditentry e JOIN research_creditaccount a ON a.id = e.account_id
        WHERE a.name <> 'granted' GROUP BY a.id HAVING sum(amount) < 0) AS negative),
    (SELECT count(*) FROM research_budget b WHERE role = '' AND (reserved_tokens_input, reserved_usd) <> (
        SELECT coalesce(sum(tokens_input), 0), coalesce(sum(usd), 0)
        FROM research_reservation r WHERE r.run_id = b.run_id)),
    (SELECT count(*) FROM research_budget b WHERE role = '' AND (spent_tokens_output, spent_usd) <> (
        SELECT coalesce(sum(tokens_output), 0), coalesce(sum(cost_usd), 0)
        FROM research_usageentry u WHERE u.run_id = b.run_id))
"""


@dataclass(frozen=True)
class World:
    """The tenant and runs whose budgets are used, and the ends of the pipes that the callers use."""

    tenant_id: UUID
    runs: list[UUID]
    turns: int
    refusals: int


class Caller(Thread):
    """Reserves, settles, releases, forgets; dies now and then and takes its process with it."""

    def __init__(self, world: "World", step_ids: dict[UUID, UUID], seed: str) -> None:
        super().__init__()
        self.world, self.step_ids = world, step_ids
        self.chance = random.Random(seed)
        self.name = seed
        self.is_doomed = seed.endswith(
            ".1.0"
        )  # the first of all: few turns may pass without any chance striking

    def run(self) -> None:
        number = 0
        while os.read(self.world.turns, 1):
            number += 1
            if self.chance.random() < KILLS_PER_TURN or (self.is_doomed and number == DOOMED_AT):
                os.kill(os.getpid(), signal.SIGKILL)
            self.call(number)
        connections.close_all()

    def call(self, number: int) -> None:
        run = self.chance.choice(self.world.runs)
        price = Decimal(self.chance.randrange(1, 50_000)) / 1_000_000
        worst = OperationCost(
            self.chance.randrange(1, 3_000), self.chance.randrange(1, 900), self.chance.choice([price, None])
        )
        role = self.chance.choice(ROLES)
        try:
            reservation = reserve(
                run, role, f"{self.name}.{number}", worst, tenant_id=self.world.tenant_id,
                step_id=self.step_ids[run], agent_id=self.chance.choice(["north", "south"]),
            )  # fmt: skip
        except BudgetExceeded as refused:
            os.write(self.world.refusals, bytes([PARTS.index(refused.part)]))
            return
        self.chance.choice([settle_half] * 7 + [settle_twice, release, mistaken, forgotten])(reservation)


def settle_half(one: BudgetReservation) -> None:
    worst = one.worst
    settle(one, OperationCost(worst.tokens_input // 2, worst.tokens_output // 3, worst.usd and worst.usd / 2))


def settle_twice(one: BudgetReservation) -> None:
    settle(one, one.worst)
    settle(one, one.worst)


def forgotten(_one: BudgetReservation) -> None:
    """Forget a call, as a process does that dies between the answer and the settling."""


def mistaken(one: BudgetReservation) -> None:
    release(one)
    release(one)


def fork(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)  # without closing what belongs to the parent
    return pid


def call_many(world: World, seed: str) -> None:
    steps = {run: step_of(world.tenant_id, run) for run in world.runs}
    callers = [Caller(world, steps, f"{seed}.{n}") for n in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()


def step_of(tenant_id: UUID, run_id: UUID) -> UUID:
    """A step of the run, held by this process."""
    with tenant_context(tenant_id):
        Run.objects.filter(pk=run_id).update(step_count=F("step_count") + 1)
        index = Run.objects.get(pk=run_id).step_count
        return Step.objects.create(
            run_id=run_id, step_index=index, key=f"storm.{index}", handler="storm", agent_role="writer",
            status="running", fence=1, lease_owner=owner_name(), lease_until="2100-01-01T00:00Z",
        ).pk  # fmt: skip


def look(tenant_id: UUID, stop: int, answers: int) -> None:
    """Look until told to stop; then say how often, and what was wrong."""
    looks, released, seen = 0, 0, Counter[int]()
    while True:
        is_last = bool(select([stop], [], [], PAUSE_S)[0])
        with tenant_context(tenant_id), connection.cursor() as cursor:
            cursor.execute(WRONGS)
            seen.update(number for number, count in enumerate(cursor.fetchone()) if count)
        released += release_dead(tenant_id, dead)
        looks += 1
        if is_last:
            break
    os.write(answers, json.dumps({"looks": looks, "wrongs": dict(seen), "released": released}).encode())


def storm(tenant_id: UUID, operations: int, seed: str, runs: list[UUID]) -> dict[str, object]:
    turns, fill = os.pipe()
    os.write(fill, b"." * operations)
    os.close(fill)
    refused, refusals = os.pipe()
    stop, stopper = os.pipe()
    answer, answers = os.pipe()
    world = World(tenant_id, runs, turns, refusals)
    reader = fork(lambda: look(tenant_id, stop, answers))
    killed = keep_calling(world, seed)
    os.write(stopper, b".")
    os.waitpid(reader, 0)
    os.write(refusals, b"\xff")
    parts = Counter(PARTS[number] for number in os.read(refused, 65_536)[:-1])
    return {"killed": killed, "refused": parts, **json.loads(os.read(answer, 65_536))}


def keep_calling(world: World, seed: str) -> int:
    """Five processes until no turn is left: for each that is killed another begins. How many were."""
    at_work, begun, killed = set[int](), 0, 0
    while begun < PROCESSES + killed or at_work:
        if begun < PROCESSES + killed:
            begun += 1
            at_work.add(fork(partial(call_many, world, f"{seed}.{begun}")))
            continue
        pid, status = os.wait()
        if pid in at_work:
            at_work.discard(pid)
            killed += os.WIFSIGNALED(status)
    return killed


if __name__ == "__main__":
    tenant, operations, seed, *run_ids = sys.argv[1:]
    print(json.dumps(storm(UUID(tenant), int(operations), seed, [UUID(run) for run in run_ids])))
