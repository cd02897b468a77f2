"""Schedules, plans, slides, links and deletion for programs: as on their pages."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exports.models import ShareLink
from research.db.tenancy import tenant_context
from research.models import Act, AuditEntry, Role, Run, Schedule, State
from research.models.schemas import Plan, PlannedSection, Subtopic
from slides.models import Deck
from tests.api.programs import program_of
from tests.people import join

pytestmark = pytest.mark.django_db
DAILY = {"cron": "30 0 7 * * mon-fri", "time_zone": "Europe/Zurich"}
REPORT = {"input": {"question": "Do heat pumps work in the cold?"}, "config": {"depth": "quick"}}


@pytest.fixture
def inside(ada):
    return lambda: tenant_context(ada.tenant.pk)


def assert_refused(response, words):
    assert response.status_code in (409, 422), response.content
    assert words in response.json()["detail"]


def test_a_schedule_is_made_read_changed_and_deleted(program, post, inside):
    made = post("/schedules", {**REPORT, "times": DAILY, "playbook": "not example.org"})
    assert made["when"] == "Monday to Friday at 07:00:30 (Europe/Zurich)"
    assert (len(made["next_times"]), made["config"]["depth"]) == (5, "quick")
    assert made["name"] == "Do heat pumps work in the cold?"
    address = f"/schedules/{made['id']}"
    assert program.get(address).json() == made
    changed = program.send("PUT", address, {**REPORT, "name": "Cold", "times": {"every_minutes": 60}}).json()
    assert (changed["name"], changed["cron"], changed["every_minutes"]) == ("Cold", "", 60)
    assert [one["id"] for one in program.get("/schedules").json()["items"]] == [made["id"]]
    assert program.send("DELETE", address).status_code == 204
    with inside():
        assert not Schedule.objects.exists()
        acts = list(AuditEntry.objects.order_by("created_at").values_list("act", flat=True))
    assert acts == [Act.SCHEDULE_CHANGE, Act.SCHEDULE_CHANGE, Act.SCHEDULE_DELETE]


def test_a_table_is_scheduled_once_and_run_now(post, inside):
    at = (timezone.now() + timedelta(days=1)).isoformat()
    asked = {"prompt": "Capital of each country", "items": ["Norway", "Chile"]}
    made = post("/schedules", {"kind": "table", "input": asked, "times": {"once_at": at}})
    assert (len(made["next_times"]), made["kind"]) == (1, "table")
    run = post(f"/schedules/{made['id']}/runs")
    with inside():
        stored = Run.objects.get(pk=run["id"])
        assert (stored.items.count(), str(stored.schedule_id)) == (2, made["id"])


def test_pausing_and_going_on(post):
    made = post("/schedules", {**REPORT, "times": DAILY})
    paused = post(f"/schedules/{made['id']}/pause")
    assert (paused["is_enabled"], paused["next_times"]) == (False, [])
    assert len(post(f"/schedules/{made['id']}/resume")["next_times"]) == 5


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"times": {}}, "Say when in one way"),
        ({"times": {"cron": "0 7 * * *", "every_minutes": 60}}, "Say when in one way"),
        ({"times": {"cron": "61 7 * * *"}}, "“61” is not valid in a cron expression"),
        ({"times": {"cron": "0 7 * * *", "time_zone": "Atlantis"}}, "no time zone"),
        ({"times": {"once_at": "2099-01-01T00:00:00"}}, "with its offset"),
        ({"times": {"once_at": "2020-01-01T00:00:00Z"}}, "This time has passed."),
        ({"kind": "synthesis", "input": {}}, "can’t be scheduled"),
        ({"kind": "nothing"}, "kind"),
        ({"config": {"deepness": 1}}, "deepness"),
        ({"config": {"folders": ["Nowhere"]}}, "Nowhere"),
        ({"input": {"question": "?"}}, "at least 3 characters"),
        ({"playbook": "x"}, "at least 3 characters"),
        ({"kind": "technical", "playbook": "add a section on costs"}, "Only reports"),
        ({"kind": "technical", "playbook": "read more sources"}, "Only reports"),
        ({"kind": "technical", "playbook": "sing a song"}, "Only reports"),
        ({"kind": "technical", "playbook": "nothing before 2026\nonly until 2020"}, "can’t be set"),
    ],
)
def test_what_cannot_be_is_told_and_stores_nothing(program, inside, wish, words):
    assert_refused(program.post("/schedules", {**REPORT, "config": {}, "times": DAILY, **wish}), words)
    with inside():
        assert not Schedule.objects.exists()


@pytest.fixture
def plan_path(world, inside):
    """A run that waits for consent to its plan."""
    steps = [Subtopic(name=name, queries=[name]) for name in ("Trials", "Costs")]
    outline = [PlannedSection(heading=one.name, subtopic=one.name) for one in steps]
    plan = Plan(goal="Find out.", subtopics=steps, outline=outline)
    with inside():
        Run.objects.filter(pk=world.run.pk).update(
            plan=plan.model_dump(mode="json"), state=State.HUMAN_REVIEW_PLAN
        )
    return f"/runs/{world.run.pk}/plan"


def test_a_plan_is_read_and_changed_as_a_whole(program, plan_path, world, inside):
    before = program.get(plan_path).json()
    assert (before["is_editable"], [step["name"] for step in before["steps"]]) == (True, ["Trials", "Costs"])
    noise = {"name": "Noise", "queries": ["heat pump noise"], "target_sources": 2}
    wish = {"version": before["version"], "goal": "Decide.", "steps": [noise, before["steps"][0]]}
    after = program.send("PUT", plan_path, wish).json()
    assert (after["goal"], [step["name"] for step in after["steps"]]) == ("Decide.", ["Noise", "Trials"])
    with inside():
        stored = Run.objects.get(pk=world.run.pk).plan
    assert [section["heading"] for section in stored["outline"]] == ["Noise", "Trials"]
    assert_refused(program.send("PUT", plan_path, wish), "changed in the meantime")
    double = {**wish, "version": after["version"], "steps": [noise, noise]}
    assert_refused(program.send("PUT", plan_path, double), "Another step already has this name.")


def test_a_run_is_shared_by_a_link_that_can_be_taken_back(program, post, world, client, inside):
    made = post(f"/runs/{world.run.pk}/links", {"days": 7, "note": "For Ben"})
    path = "/" + made["address"].split("/", 3)[3]
    assert client.get(path).status_code == 200
    [listed] = program.get(f"/runs/{world.run.pk}/links").json()["items"]
    assert (listed["note"], listed["address"]) == ("For Ben", None)
    assert program.send("DELETE", f"/runs/{world.run.pk}/links/{made['id']}").status_code == 204
    assert client.get(path).status_code == 404
    with inside():
        assert ShareLink.objects.get().revoked_at is not None


def test_sharing_can_be_switched_off(program, world, settings):
    settings.PLUMBLINE_SHARE_LINKS = False
    assert_refused(program.post(f"/runs/{world.run.pk}/links", {}), "can’t be shared")


def test_slides_are_asked_for_and_unknown_themes_named(program, post, world, inside):
    deck = post(f"/runs/{world.run.pk}/decks", {"theme": "zurich", "length": "short"})
    assert program.get(f"/decks/{deck['id']}").json()["state"] == "waiting"
    assert_refused(program.post(f"/decks/{deck['id']}/files", {"mode": "pptx"}), "not ready yet")
    assert_refused(
        program.post(f"/runs/{world.run.pk}/decks", {"theme": "sofia"}), "There is no theme “sofia”"
    )
    with inside():
        assert Deck.objects.count() == 1


def test_a_run_is_deleted_once_it_has_ended(ada, program, world, inside):
    mia = join("mia", role=Role.MEMBER, tenant=ada.tenant)
    assert program_of(mia).send("DELETE", f"/runs/{world.run.pk}").status_code == 403
    with inside():
        Run.objects.filter(pk=world.run.pk).update(state=State.READING)
    assert_refused(program.send("DELETE", f"/runs/{world.run.pk}"), "Cancel it first")
    with inside():
        Run.objects.filter(pk=world.run.pk).update(state=State.COMPLETED)
    assert program.send("DELETE", f"/runs/{world.run.pk}").status_code == 204
    assert program.get(f"/runs/{world.run.pk}").status_code == 404
