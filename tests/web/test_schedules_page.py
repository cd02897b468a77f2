"""The schedules' pages: made, shown, changed, stopped, run."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from research.db.tenancy import tenant_context
from research.models import LibraryDocument, Role, Run, Schedule, State, UserSettings
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish

NEW = "/schedules/new/"
FORM = {
    "name": "Heat pumps", "question": "Do heat pumps work in the cold?", "how": "cron", "cron": "0 7 * * mon-fri",
    "every": "1", "unit": "days", "time_zone": "Europe/Zurich", "kind": "report",
}  # fmt: skip


def inside(person):
    return tenant_context(person.tenant.pk)


def only(person):
    with inside(person):
        return Schedule.objects.get()


def times_on(page):
    return tree(page).xpath("//section[@role='status']//li/text()")


def read_shown(page):
    return tree(page).xpath("//input[@name='shown']/@value")[-1]


def save(client, address=NEW, **changed):
    """Save as a person does: look at the times, then save."""
    form = {**FORM, **changed}
    return client.post(address, {**form, "shown": read_shown(client.post(address, form)), "save": "yes"})


@pytest.fixture
def schedule(client, ada):
    save(client)
    return only(ada)


def test_without_any_it_says_what_they_are_for(client):
    assert "Nothing is scheduled yet" in words(client.get("/schedules/"))


def test_the_next_five_times_are_shown_before_anything_is_saved(client, ada):
    page = client.post(NEW, FORM)
    times = times_on(page)
    assert len(times) == 5
    assert all(time.endswith("07:00") and not time.startswith(("Saturday", "Sunday")) for time in times)
    with inside(ada):
        assert not Schedule.objects.exists()


def test_what_was_shown_is_saved_and_listed(client, ada):
    assert save(client)["Location"] == "/schedules/"
    made = only(ada)
    assert (made.cron, made.time_zone, made.owner, made.enabled) == (
        "0 7 * * mon-fri", "Europe/Zurich", ada.user, True,
    )  # fmt: skip
    assert made.next_at > timezone.now()
    page = words(client.get("/schedules/"))
    assert "Monday to Friday at 07:00 (Europe/Zurich)" in page
    assert re.search(r"Next run ?(Mon|Tues|Wednes|Thurs|Fri)day, [^,]+, 07:00", page)
    assert PeriodicTask.objects.get(name=f"schedule.{made.pk}").enabled


def test_other_times_than_those_shown_are_shown_first(client, ada):
    shown = read_shown(client.post(NEW, FORM))
    page = client.post(NEW, {**FORM, "cron": "0 9 * * *", "shown": shown, "save": "yes"})
    assert all(time.endswith("09:00") for time in times_on(page))
    with inside(ada):
        assert not Schedule.objects.exists()


@pytest.mark.parametrize(
    "kind",
    [{"kind": "technical"}, {"kind": "table", "items": "Norway", "question": "Capital of the country"}],
)
def test_a_playbook_sets_the_sources_of_runs_that_are_told_nothing(client, ada, library_stock, kind):
    save(client, playbook="not example.org\nnothing before 2024", **kind)
    client.post(f"/schedules/{only(ada).pk}/run/", {"key": "a"})
    with inside(ada):
        run = Run.objects.get()
        assert not run.instructions.exists()
        assert run.config["excluded_domains"] == ["example.org"]
        assert run.config["published_from"] == "2024"
        assert "published_from" not in Schedule.objects.get().config


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"cron": "61 7 * * *"}, "“61” is not valid in a cron expression"),
        ({"cron": ""}, "this has 0"),
        ({"cron": "0 7 30 2 *"}, "This date does not exist"),
        ({"cron": "* * * * *"}, "at least 15 minutes"),
        ({"cron": "x" * 200}, "at most 100 characters"),
        ({"how": "interval", "every": "0"}, "greater than or equal to 1"),
        ({"how": "interval", "every": ""}, "Say how many."),
        ({"how": "interval", "every": "9999", "unit": "weeks"}, "at most a year"),
        ({"time_zone": "Atlantis"}, "Select a valid choice"),
        ({"question": "?"}, "at least 3 characters"),
        ({"name": ""}, "Give the schedule a name."),
        ({"question": ""}, "Write a question first."),
        ({"how": "now and then"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_named_and_nothing_is_lost(client, ada, changed, complaint):
    page = client.post(NEW, {**FORM, **changed, "save": "yes"})
    assert page.status_code == 422
    assert complaint in words(page)
    if "question" not in changed:
        assert FORM["question"] in page.content.decode()
    with inside(ada):
        assert not Schedule.objects.exists()


def test_every_so_often_is_told_in_words(client, ada):
    save(client, how="interval", every="6", unit="hours")
    made = only(ada)
    assert (made.cron, made.interval_seconds) == ("", 21_600)
    assert made.next_at - timezone.now() <= timedelta(hours=6)
    assert "every 6 hours" in words(client.get("/schedules/"))


def test_a_finished_run_lends_its_question_configuration_and_report(client, ada, world):
    address = f"{NEW}?run={world.run.pk}"
    with inside(ada):
        Run.objects.filter(pk=world.run.pk).update(config={"sources": "library"})
    assert world.run.topic in client.get(address).content.decode()
    save(client, address, question=world.run.topic)
    made = only(ada)
    told = (made.topic, made.config, made.last_run_id)
    assert told == (world.run.topic, {"sources": "library"}, world.run.pk)


def test_a_question_of_the_form_is_kept_paused_until_its_times_are_set(client, ada):
    response = client.post("/runs/new/", {"question": "Do heat pumps work in the cold?", "schedule": "yes"})
    made = only(ada)
    assert response["Location"] == f"/schedules/{made.pk}/"
    assert (made.enabled, made.next_at) == (False, None)
    with inside(ada):
        assert not Run.objects.exists()
    save(client, response["Location"])
    assert only(ada).enabled


def test_it_is_paused_and_goes_on(client, ada, schedule):
    client.post(f"/schedules/{schedule.pk}/pause/")
    assert (only(ada).enabled, only(ada).next_at) == (False, None)
    assert not PeriodicTask.objects.get(name=f"schedule.{schedule.pk}").enabled
    assert "Paused" in words(client.get("/schedules/"))
    client.post(f"/schedules/{schedule.pk}/resume/")
    assert only(ada).next_at == schedule.next_at


def test_it_is_edited(client, ada, schedule):
    assert "0 7 * * mon-fri" in client.get(f"/schedules/{schedule.pk}/").content.decode()
    save(client, f"/schedules/{schedule.pk}/", cron="0 9 * * *", name="At nine")
    assert (only(ada).name, only(ada).cron) == ("At nine", "0 9 * * *")


def test_it_is_deleted_and_its_runs_stay(client, ada, schedule):
    client.post(f"/schedules/{schedule.pk}/run/", {"key": "a"})
    client.post(f"/schedules/{schedule.pk}/delete/")
    with inside(ada):
        assert (Schedule.objects.count(), Run.objects.count()) == (0, 1)
    assert not PeriodicTask.objects.filter(name=f"schedule.{schedule.pk}").exists()


def test_it_is_run_now_and_a_second_click_finds_the_first_ones_run(client, ada, schedule):
    [key] = set(re.findall(r'name="key" value="(\w+)"', client.get("/schedules/").content.decode()))
    places = {client.post(f"/schedules/{schedule.pk}/run/", {"key": key})["Location"] for _ in range(2)}
    with inside(ada):
        run = Run.objects.get()
    assert places == {f"/runs/{run.pk}/"}


def test_while_its_run_is_going_another_is_refused_with_the_reason(client, ada, schedule):
    client.post(f"/schedules/{schedule.pk}/run/", {"key": "a"})
    page = client.post(f"/schedules/{schedule.pk}/run/", {"key": "b"}, follow=True)
    assert "still under way" in words(page)
    with inside(ada):
        assert Run.objects.count() == 1


def test_its_last_change_is_a_line_with_a_link(client, ada, schedule, world):
    with inside(ada):
        again = Run.objects.create(
            owner=ada.user, topic=world.run.topic, parent=world.run, relation="rerun", schedule=schedule
        )
        finish(again, State.COMPLETED)
        Schedule.objects.update(last_run=again)
    page = client.get("/schedules/")
    assert "3 claims gone since" in words(page)
    assert f"/runs/{again.pk}/changes/" in page.content.decode()


def test_without_an_address_there_is_no_mail_and_the_page_says_so(client, ada):
    assert "no e-mail address" in words(client.get(NEW))
    save(client, sends_mail="on")
    assert not only(ada).sends_mail


def test_with_an_address_mail_can_be_had(client, ada):
    ada.user.email = "ada@plumb.example"
    ada.user.save()
    save(client, sends_mail="on")
    assert only(ada).sends_mail


ACTS = ("pause/", "resume/", "run/", "delete/")


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_cannot_act_and_a_link_does_nothing(client, stranger, ada, schedule, act):
    assert stranger.post(f"/schedules/{schedule.pk}/{act}").status_code == 404
    assert client.get(f"/schedules/{schedule.pk}/{act}").status_code == 405
    assert only(ada).enabled


def test_a_stranger_sees_and_edits_nothing(stranger, schedule):
    assert stranger.get(f"/schedules/{schedule.pk}/").status_code == 404
    assert "Heat pumps" not in words(stranger.get("/schedules/"))


def test_a_viewer_looks_and_does_nothing(ada, schedule):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert viewer.get("/schedules/").status_code == 200
    assert viewer.get(NEW).status_code == 403
    assert {viewer.post(f"/schedules/{schedule.pk}/{act}").status_code for act in ACTS} == {403}


def test_beats_own_tables_are_not_in_the_admin(db):
    boss = join("grace", is_staff=True, is_superuser=True).sign_in()
    assert boss.get("/admin/django_celery_beat/periodictask/").status_code == 404


def test_who_wants_no_mail_from_schedules_is_told_that_none_comes(client, ada):
    ada.user.email = "ada@plumb.example"
    ada.user.save()
    UserSettings.objects.create(user=ada.user, mail_schedules=False)
    assert "Mail from schedules is turned off in your settings" in words(client.get(NEW))


def test_a_schedule_says_where_it_searches_and_can_be_sent_elsewhere(client, ada):
    with inside(ada):
        for folder in ("sample", "uploads/Contracts"):
            LibraryDocument.objects.create(folder=folder, path="a.txt", status="ready")
    save(client, folders=["uploads/Contracts"])
    made = only(ada)
    assert made.config == {"folders": ["uploads/Contracts"]}
    assert tree(client.get("/schedules/")).xpath("//dt[.='Search in']/../dd/text()") == ["Contracts"]
    with inside(ada):
        LibraryDocument.objects.filter(folder="uploads/Contracts").delete()
    address = f"/schedules/{made.pk}/"
    assert "No document is left in: Contracts" in words(client.get(address))
    save(client, address, folders=["sample"])
    assert only(ada).config == {"folders": ["sample"]}


def test_a_single_run_is_put_on_a_date_in_its_zone(client, ada):
    day = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%d")
    page = client.post(NEW, {**FORM, "how": "once", "once_at": f"{day}T09:30"})
    assert len(times_on(page)) == 1
    save(client, how="once", once_at=f"{day}T09:30")
    made = only(ada)
    assert (made.cron, made.interval_seconds, made.next_at) == ("", None, made.once_at)
    assert made.once_at.astimezone(ZoneInfo("Europe/Zurich")).strftime("%Y-%m-%d %H:%M") == f"{day} 09:30"
    assert "once, on" in words(client.get("/schedules/"))
    assert not PeriodicTask.objects.filter(name=f"schedule.{made.pk}").exists()


def test_a_table_keeps_its_rows_and_runs_with_them(client, ada, library_stock):
    save(client, kind="table", items="Norway\nChile", question="Capital and population of each country")
    made = only(ada)
    assert (made.kind, made.input["items"]) == ("table", ["Norway", "Chile"])
    assert "table (2 rows)" in words(client.get("/schedules/")).lower()
    client.post(f"/schedules/{made.pk}/run/", {"key": "a"})
    with inside(ada):
        run = Run.objects.get()
        assert (run.kind, run.schedule_id, run.items.count()) == ("table", made.pk, 2)


def test_a_technical_answer_can_be_scheduled(client, ada, library_stock):
    save(client, kind="technical", question="How are passwords hashed with Argon2?")
    made = only(ada)
    client.post(f"/schedules/{made.pk}/run/", {"key": "a"})
    with inside(ada):
        assert Run.objects.get().kind == "technical"


def test_a_playbook_is_told_to_each_run(client, ada, library_stock):
    save(client, playbook="not example.org\n\nadd a section on costs")
    made = only(ada)
    client.post(f"/schedules/{made.pk}/run/", {"key": "a"})
    client.post(f"/schedules/{made.pk}/run/", {"key": "a"})
    with inside(ada):
        told = list(Run.objects.get().instructions.order_by("created_at").values_list("text", flat=True))
    assert told == ["not example.org", "add a section on costs"]
    assert "add a section on costs" in words(client.get("/schedules/"))


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"how": "once", "once_at": ""}, "Enter a date and a time."),
        ({"how": "once", "once_at": "2020-01-01T09:00"}, "This time has passed."),
        ({"kind": "table"}, "A table needs at least one item."),
        (
            {"kind": "technical", "playbook": "add a section on costs"},
            "Only reports can look for something more",
        ),
        ({"playbook": "x"}, "Enter at least 3 characters."),
        ({"cron": "*/5 0 7 * * *"}, "is not a valid second"),
    ],
)
def test_what_makes_no_sense_for_its_kind_is_named(client, changed, complaint):
    page = client.post(NEW, {**FORM, **changed, "save": "yes"})
    assert page.status_code == 422
    assert complaint in words(page)


def test_a_finished_table_is_scheduled_with_its_rows(client, ada, library_stock):
    save(client, kind="table", items="Norway\nChile", question="Capital of each country")
    client.post(f"/schedules/{only(ada).pk}/run/", {"key": "a"})
    with inside(ada):
        run = Run.objects.get()
        finish(run, State.COMPLETED)
    page = tree(client.get(f"/schedules/new/?run={run.pk}"))
    assert page.xpath("//textarea[@name='items']")[0].text.split() == ["Norway", "Chile"]
    save(client, f"/schedules/new/?run={run.pk}", items="Norway\nChile\nPeru", name="Again")
    with inside(ada):
        made = Schedule.objects.get(name="Again")
    assert (made.kind, made.input["items"]) == ("table", ["Norway", "Chile", "Peru"])
    assert made.input["fields"] == run.config["fields"]


def test_a_schedule_for_once_is_done_after_its_time_and_paused_before(client, ada):
    day = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%d")
    save(client, how="once", once_at=f"{day}T09:30")
    client.post(f"/schedules/{only(ada).pk}/pause/")
    page = tree(client.get("/schedules/"))
    assert page.xpath("//h2/span[@class='tag']/text()") == ["Paused"]
    assert page.xpath("//button[text()='Continue']")
    with inside(ada):
        Schedule.objects.update(once_at=timezone.now() - timedelta(days=1))
    page = tree(client.get("/schedules/"))
    assert page.xpath("//h2/span[@class='tag']/text()") == ["Done"]
    assert not page.xpath("//button[text()='Continue' or text()='Pause']")
