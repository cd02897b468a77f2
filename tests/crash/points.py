"""The named points (spec: durability.md, Crash tests): where a process dies, which one, in which run."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from research.runtime.fault_injection import FaultPoint
from tests.crash.rig import LEASE_S, Process, Rig

SLOW = LEASE_S + 2.0  # a step that outlasts a lease that nobody renews
MANY_PASSAGES = {"passages": 250}  # two batches


@dataclass(frozen=True)
class NamedPoint:
    """`who` dies: the worker "agents" or "reading", the "web", or the "site" that answers requests.

    `at`: the how-manieth time that it passes.
    """

    point: FaultPoint
    words: str
    who: str
    at: int = 1
    config: Mapping[str, object] = field(default_factory=dict)

    @property
    def crash_at(self) -> str:
        return f"{self.point}:{self.at}"


POINTS = [
    NamedPoint(FaultPoint.RUN_BEFORE_COMMIT, "run insert, before the commit", "web"),
    NamedPoint(FaultPoint.RUN_AFTER_COMMIT, "run insert, after the commit", "web"),
    NamedPoint(FaultPoint.PUBLISHED_BEFORE_MARK, "after publish, before the outbox's mark", "agents"),
    NamedPoint(FaultPoint.RECEIVED_BEFORE_CLAIM, "after receive, before the claim", "agents"),
    NamedPoint(FaultPoint.AFTER_CLAIM, "after the claim", "agents", 2),
    NamedPoint(FaultPoint.BEFORE_WRITE_AHEAD, "before the request is written ahead", "agents", 2),
    NamedPoint(FaultPoint.RESERVED_BEFORE_COMMIT, "reserve", "agents", 2),
    NamedPoint(FaultPoint.ANSWER_IN_FLIGHT, "after send, answer in flight", "agents", 2),
    NamedPoint(FaultPoint.ANSWERED_BEFORE_STORE, "after the answer, before it is stored", "agents", 2),
    NamedPoint(FaultPoint.SETTLED_BEFORE_COMMIT, "settle", "agents", 2),
    NamedPoint(FaultPoint.STORED_BEFORE_FINISH, "after store, before finish", "agents", 2),
    NamedPoint(FaultPoint.WORKED_BEFORE_FINISH, "work done, before finish", "reading", 2),
    NamedPoint(FaultPoint.FINISH_BEFORE_COMMIT, "inside finish, before the commit", "agents", 2),
    NamedPoint(FaultPoint.FINISH_AFTER_COMMIT, "after the commit, before the ack", "reading"),
    NamedPoint(FaultPoint.FAN_OUT, "in fan-out, after its children", "agents", 2),
    NamedPoint(
        FaultPoint.FAN_IN,
        "last two children at the same moment",
        "reading",
        config={"width": 1, "meet": "/read."},
    ),
    NamedPoint(FaultPoint.FAN_IN_BEFORE_OUTBOX, "fan-in's winner, before the outbox", "agents", 3),
    NamedPoint(FaultPoint.CHUNK_BATCH, "in a batch of chunks", "reading", config=MANY_PASSAGES),
    NamedPoint(FaultPoint.OBJECT_BEFORE_ROW, "after the object, before its row", "agents", 2),
    NamedPoint(FaultPoint.TRANSITION_BEFORE_COMMIT, "transition, before the commit", "agents", 2),
    NamedPoint(FaultPoint.CANCEL_BEFORE_COMMIT, "cancel", "web", config={"work_s": 0.2}),
    NamedPoint(
        FaultPoint.SWEPT_BEFORE_PUBLISH,
        "reaper, after re-ready",
        "agents",
        config={"slow": {"read.topic0.0": 1.0}},
    ),
    NamedPoint(FaultPoint.RELAY_BEFORE_PUBLISH, "relay, after its claim", "agents"),
    NamedPoint(
        FaultPoint.ASKED_BEFORE_COMMIT, "question asked, before the commit", "agents", config={"asks": True}
    ),
    NamedPoint(
        FaultPoint.DECIDED_BEFORE_COMMIT, "question answered, before the commit", "web", config={"asks": True}
    ),
    NamedPoint(FaultPoint.SCHEDULED_BEFORE_COMMIT, "schedule's run, before the commit", "agents"),
    NamedPoint(FaultPoint.MAILED_BEFORE_MARK, "after the mail, before its mark", "agents"),
    NamedPoint(FaultPoint.EXPORT_BEFORE_STORING, "file written, before it is stored", "reading"),
    NamedPoint(FaultPoint.EXPORT_AFTER_STORING, "file stored, before its row names it", "reading"),
    NamedPoint(FaultPoint.WEBHOOK_AFTER_VERIFY, "webhook verified, before it is stored", "site"),
    NamedPoint(FaultPoint.WEBHOOK_AFTER_INSERT, "webhook stored, before it is answered", "site"),
    NamedPoint(FaultPoint.SENT_BEFORE_MARK, "after an outgoing webhook, before its mark", "agents"),
    NamedPoint(FaultPoint.HEARTBEAT, "heartbeat's thread only", "agents", config={"slow": {"/plan": SLOW}}),
]
# Those that `make test` tries, once each: of each kind of process, and on both sides of a commit.
SMOKE = {
    FaultPoint.RUN_AFTER_COMMIT,
    FaultPoint.ANSWERED_BEFORE_STORE,
    FaultPoint.FINISH_BEFORE_COMMIT,
    FaultPoint.FAN_IN,
    FaultPoint.EXPORT_AFTER_STORING,
    FaultPoint.WEBHOOK_AFTER_INSERT,
}


def alone(named: NamedPoint, made: Rig) -> Process:
    """The victim has its trap, and nobody else sweeps and relays."""
    victim, other = made.process(named.who), made.process("reading")
    other.is_wanted = False
    other.end()
    victim.restart(named.crash_at)
    return victim


def dead_at(named: NamedPoint, made: Rig) -> float:
    """Wait for the victim's death; the other works again from then on."""
    victim = made.process(named.who)
    assert made.wait_until(lambda: not victim.is_trapped, 30), f"{named.crash_at} was never passed"
    made.process("reading").is_wanted = True
    return time.time()
