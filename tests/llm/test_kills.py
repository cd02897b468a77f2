"""Processes are killed in the middle of their calls; the server's own log says what was paid."""

import os
import random
import signal
import subprocess
import sys
from collections import Counter

import pytest
from redis import Redis

from research.db.tenancy import tenant_context
from research.llm.budgets.budgets import release_dead
from research.llm.call_store.model_call_rows import MAX_STEP_S
from research.models import Budget, Step
from tests.fakes.openai_answers import generate_answer
from tests.llm.asking import list_logged_calls
from tests.llm.caller import words
from tests.often import IS_FULL

KILLS = 100 if IS_FULL else 6
CALLS = 2 * KILLS


@pytest.fixture
def caller(gateway, step, child_environment):
    arguments = [
        gateway.base_url,
        str(step.tenant_id),
        str(step.run_id),
        str(step.step_id),
        step.key,
        str(CALLS),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.llm.caller", *arguments],
        env={**child_environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def order(line):
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    yield order
    process.stdin.close()
    process.wait(30)


def test_no_stored_answer_is_paid_again_however_often_its_process_is_killed(gateway, step, caller, valkey):
    assert MAX_STEP_S > 60  # claims are taken over by their fence, not by their age
    chance = random.Random(7)
    gateway.default, gateway.latency_s = generate_answer(), 0.02
    paid_again = 0
    for fence in range(2, KILLS + 2):
        stored = {row.purpose for row in list_logged_calls(step, status="stored")}
        seen = len(gateway.requests)
        pid = caller(fence)
        if len(stored) < CALLS:
            gateway.wait_for_requests(seen + chance.randint(1, max(1, min(5, CALLS - len(stored)))))
        os.kill(pid, signal.SIGKILL)
        caller("wait")
        release_dead(step.tenant_id, list)  # as the sweeper does
        forget_seats(valkey)
        paid_again += sum(purpose_of(sent) in stored for sent in gateway.requests[seen:])
    assert caller(KILLS + 2)
    assert caller("wait") == 0
    assert paid_again == 0
    every_call_is_accounted_for(gateway, step)


def forget_seats(url):
    """The limiter would miss the dead process by itself, after nine seconds."""
    with Redis.from_url(url) as client:
        client.flushall()


def purpose_of(sent):
    said = sent.body["messages"][0]["content"]
    return next(f"call.{n}" for n in range(CALLS) if words(n) == said)


def every_call_is_accounted_for(gateway, step):
    """One stored answer a purpose; each request more is a row whose fate is unknown; only the stored are charged."""
    rows = list_logged_calls(step)
    assert Counter(row.purpose for row in rows if row.status == "stored") == Counter(
        f"call.{n}" for n in range(CALLS)
    )
    assert {row.status for row in rows} <= {"stored", "unknown"}
    sent, claimed = Counter(map(purpose_of, gateway.requests)), Counter(row.purpose for row in rows)
    assert all(sent[purpose] <= claimed[purpose] for purpose in sent)
    with tenant_context(step.tenant_id):
        assert Step.objects.filter(pk=step.step_id).exists()
        spent = Budget.objects.get(run_id=step.run_id, role="").spent_tokens_output
    assert spent == sum(row.tokens_output for row in rows if row.status == "stored")
