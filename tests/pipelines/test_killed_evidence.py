"""Processes die while evidence is looked for after a deep report's check: the run ends as if none had died."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from redis import Redis

from citations.models import Citation, Claim
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import ModelCall, Run, Source, Step
from research.pipelines.report.report_step_names import ReportStepName
from research.runtime.fault_injection import FaultPoint
from tests import databases
from tests.conftest import DATABASE
from tests.crash.invariants import find_violations, unknown_calls
from tests.forking import Fork, start_fork_server
from tests.often import one_in
from tests.pipelines.model_world import KEY
from tests.pipelines.seeking_team import DEEP, LABORATORY, Seeking, exits, seeking_team
from tests.pipelines.stepping import begin, go_until, now
from tests.pipelines.test_floor import TWO_PARTS
from tests.pipelines.test_model_report import WEAK

pytestmark = pytest.mark.crash
SEEKING = "tests.pipelines.seeking_evidence"
SEED = int(os.environ.get("CRASH_SEED", "7"))
KILLED = -9
MAX_WAITS = 9
RANDOM_RUNS, MAX_KILLS = 20, 2  # a step that died three times is given up
# How often the second look passes each point; at least so often, where it is four times.
PASSES = {
    FaultPoint.AFTER_CLAIM: 4,
    FaultPoint.BEFORE_WRITE_AHEAD: 4,
    FaultPoint.RESERVED_BEFORE_COMMIT: 4,
    FaultPoint.ANSWER_IN_FLIGHT: 4,
    FaultPoint.ANSWERED_BEFORE_STORE: 4,
    FaultPoint.SETTLED_BEFORE_COMMIT: 4,
    FaultPoint.STORED_BEFORE_FINISH: 4,
    FaultPoint.WORKED_BEFORE_FINISH: 4,
    FaultPoint.FINISH_BEFORE_COMMIT: 4,
    FaultPoint.FINISH_AFTER_COMMIT: 4,
    FaultPoint.FAN_OUT: 3,
    FaultPoint.FAN_IN: 4,
    FaultPoint.FAN_IN_BEFORE_OUTBOX: 4,
    FaultPoint.CHUNK_BATCH: 1,
    FaultPoint.OBJECT_BEFORE_ROW: 1,
    FaultPoint.TRANSITION_BEFORE_COMMIT: 4,
}
FETCHING = f"{FaultPoint.OBJECT_BEFORE_ROW}:"  # a page is there, and nobody knows of it yet
PLACES = [f"{point}:{number}" for point, times in PASSES.items() for number in range(1, times + 1)]
SMOKE = {
    f"{FaultPoint.FAN_OUT}:2",
    f"{FaultPoint.ANSWERED_BEFORE_STORE}:3",
    f"{FaultPoint.FINISH_BEFORE_COMMIT}:4",
}
TRIED = [place if place in SMOKE else pytest.param(place, marks=pytest.mark.full) for place in PLACES]


@dataclass(frozen=True)
class Asked:
    """What others were asked for: model calls, searches and pages."""

    calls: int
    searches: int
    pages: int


@dataclass(frozen=True)
class Ending:
    """What there is at the end of the run."""

    state: str
    exits: list[str]
    claims: list[tuple[object, ...]]
    quotes: list[tuple[str, str, int, str]]
    left_out: list[str]
    sources: list[tuple[str, str]]
    steps: Counter[tuple[str, str]]
    calls: Counter[tuple[str, str]]  # answers that were paid for and stored


@dataclass
class SecondLook:
    """A report whose check sent it back for evidence: the same one again for each trial."""

    team: Seeking
    fork: Fork
    go_back: Callable[[], Run]
    valkey_url: str
    editions: Iterator[int] = field(default_factory=count)

    def begin(self) -> Run:
        """Return the run as it was sent back. No page and no result is known from the trials before."""
        page = replace(LABORATORY, body=f"{LABORATORY.body}<!-- edition {next(self.editions)} -->")
        self.team.site.pages["/laboratory"] = page
        run = self.go_back()
        with Redis.from_url(self.valkey_url) as client:
            client.flushall()
        return run

    def serve(self, run: Run, dies_after_s: str = "", *, crash_at: str = "") -> int:
        order = (f"{SEEKING}:main", str(run.tenant_id), str(run.pk), dies_after_s)
        return self.fork(*order, CRASH_AT=crash_at)

    def asked(self) -> Asked:
        return Asked(len(self.team.requests), len(self.team.searches), len(self.team.site.asked))

    def asked_since(self, before: Asked) -> Asked:
        now = self.asked()
        return Asked(now.calls - before.calls, now.searches - before.searches, now.pages - before.pages)


@dataclass(frozen=True)
class Undisturbed:
    """The same report without a kill."""

    ending: Ending
    asked: Asked
    seconds: float


@pytest.fixture(scope="module")
def team(module_database: None, valkey_url: str) -> Iterator[Seeking]:
    with seeking_team(valkey_url) as made:
        yield made


@pytest.fixture(scope="module")
def look(
    account: PersonalAccount,
    team: Seeking,
    driven_once: Callable[..., Run],
    database_cluster: Path,
    valkey_url: str,
) -> Iterator[SecondLook]:
    def drive() -> Run:
        run = begin(account, TWO_PARTS, **DEEP)
        for _wait in range(MAX_WAITS):
            if is_sent_back(go_until(run, is_sent_back)):
                return run
            let_time_pass(run)
        raise AssertionError(f"The check did not send the run back: {now(run).state}")

    environment = {
        **os.environ,
        **databases.urls(database_cluster, DATABASE),
        "REDIS_URL": valkey_url,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PLUMBLINE_HTTPS": "no",
        "PLUMBLINE_MODEL_BASE_URL": settings.PLUMBLINE_MODEL_BASE_URL,
        "PLUMBLINE_MODEL_API_KEY": KEY,
        "PLUMBLINE_MODEL": settings.PLUMBLINE_MODEL,
        "PLUMBLINE_MODEL_CALLS_A_MINUTE": str(settings.PLUMBLINE_MODEL_CALLS_A_MINUTE),
        "PLUMBLINE_ALLOW_LOOPBACK": "yes",
        "PLUMBLINE_POLITENESS_MS": "0",
        "PLUMBLINE_PROVIDERS": "searxng",
        "PLUMBLINE_SEARXNG_URL": settings.PLUMBLINE_SEARXNG_URL,
    }
    with start_fork_server(environment, SEEKING) as fork:
        yield SecondLook(team, fork, lambda: driven_once("sent_back", drive), valkey_url)


def is_sent_back(run: Run) -> bool:
    with tenant_context(run.tenant_id):
        return Step.objects.filter(run=run, handler=ReportStepName.SEEK_SUPPORT).exists()


def let_time_pass(run: Run) -> None:
    """Make due what waits before it is tried again."""
    with tenant_context(run.tenant_id):
        Step.objects.filter(run=run).update(not_before=None)


@pytest.fixture(scope="module")
def undisturbed(look: SecondLook) -> Undisturbed:
    run, before, began = look.begin(), look.asked(), time.monotonic()
    assert look.serve(run) == 0
    return Undisturbed(read_ending(run), look.asked_since(before), time.monotonic() - began)


def read_ending(run: Run) -> Ending:
    run = now(run)
    with tenant_context(run.tenant_id):
        urls = dict(Source.objects.filter(run=run).values_list("pk", "canonical_url"))
        claims = Claim.objects.filter(section__run=run)
        facts = ("section__index", "text", "verification_status", "confidence")
        cited = Citation.objects.filter(claim__section__run=run)
        quotes = ("claim__text", "source__canonical_url", "start_offset", "quote")
        steps = Step.objects.filter(run=run).values_list("key", "status")
        calls = ModelCall.objects.filter(run=run, status="stored").values_list("step_key", "purpose")
        return Ending(
            run.state,
            exits(run),
            sorted(claims.values_list(*facts)),
            sorted(cited.values_list(*quotes)),
            sorted(left["text"] for left in run.result["left_out"]),
            sorted(Source.objects.filter(run=run).values_list("canonical_url", "status")),
            Counter((name_source(key, urls), status) for key, status in steps),
            Counter((name_source(key, urls), purpose) for key, purpose in calls),
        )


def name_source(key: str, urls: Mapping[UUID, str]) -> str:
    """Return a step's key with the address of its source instead of an id, which each run draws anew."""
    head, dot, last = key.rpartition(".")
    return f"{head}{dot}{next((url for pk, url in urls.items() if str(pk) == last), last)}"


def test_the_second_look_finds_the_page_that_carries_the_claim(undisturbed: Undisturbed) -> None:
    ending = undisturbed.ending
    assert (ending.state, ending.exits) == ("completed", ["claims_lack_evidence", "report_is_verified"])
    assert [url.rpartition("/")[2] for text, url, *_place in ending.quotes if text == WEAK] == ["laboratory"]
    assert undisturbed.asked.searches > 0
    assert undisturbed.asked.pages == 2  # with the site's robots.txt


@pytest.mark.parametrize("place", TRIED)
def test_a_death_in_the_second_look_loses_and_repeats_nothing(
    place: str, look: SecondLook, undisturbed: Undisturbed
) -> None:
    run, before = look.begin(), look.asked()
    assert look.serve(run, crash_at=place) == KILLED, f"{place} was never passed"
    assert look.serve(run) == 0
    assert_whole(look, run, before, undisturbed, kills=1)
    asked, usual = look.asked_since(before), undisturbed.asked
    assert asked.searches == usual.searches
    assert asked.pages == usual.pages + place.startswith(FETCHING)


@pytest.mark.parametrize("number", one_in(RANDOM_RUNS, range(RANDOM_RUNS)))
def test_the_second_look_survives_deaths_at_any_time(
    number: int, look: SecondLook, undisturbed: Undisturbed
) -> None:
    chance = random.Random(f"{SEED} {number}")
    run, before, kills = look.begin(), look.asked(), 0
    for _time in range(MAX_KILLS):
        kills += look.serve(run, f"{chance.uniform(0, undisturbed.seconds):.3f}") == KILLED
    assert look.serve(run) == 0
    assert_whole(look, run, before, undisturbed, kills)


def assert_whole(look: SecondLook, run: Run, before: Asked, undisturbed: Undisturbed, kills: int) -> None:
    """Assert that the run ended as the undisturbed one, and that no more was asked than was in flight at the kills."""
    assert read_ending(run) == undisturbed.ending
    assert find_violations(run.tenant_id) == {}
    asked, usual = look.asked_since(before), undisturbed.asked
    unknown = unknown_calls(run.tenant_id)
    assert unknown <= kills
    assert usual.calls <= asked.calls <= usual.calls + unknown
    assert usual.searches <= asked.searches <= usual.searches * (1 + kills)  # a search asks for several pages
    assert usual.pages <= asked.pages <= usual.pages + kills
