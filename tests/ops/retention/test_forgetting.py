"""Rows over their period are deleted, a little at a time, with a line in the trail; the rest stays."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from exports.models import Export
from research.accounts.audit.read_audit_trail import site_rows
from research.accounts.workspace_retention_periods import (
    FOR_GOOD,
    RetentionCategory,
    effective_periods,
    file_days,
    load_chosen_periods,
)
from research.db.tenancy import tenant_context
from research.models import (
    Act,
    AuditEntry,
    ModelCall,
    ModelCallStatus,
    Role,
    Run,
    SiteAuditEntry,
    State,
    Tenant,
    WebhookEvent,
)
from research.ops.retention import retention_sweep
from research.ops.retention.choose_retention_periods import choose
from research.ops.retention.remove_old_webhooks import tidy_messages
from research.ops.retention.retention_sweep import delete_expired
from tests.people import join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db
PAGE = "/account/workspace/retention/"
NOTHING = {RetentionCategory.RUNS: 0, RetentionCategory.CALLS: 0, RetentionCategory.TRAIL: 0}


@pytest.fixture
def world():
    return make_report(join("ada"))


def in_tenant(world):
    return tenant_context(world.person.tenant.pk)


def days_ago(days):
    return timezone.now() - timedelta(days=days)


def choose_for(world, **days):
    with in_tenant(world):
        choose({RetentionCategory(name): value for name, value in days.items()})


def end(run, days):
    Run.objects.filter(pk=run.pk).update(completed_at=days_ago(days))


def call(run, days):
    made = ModelCall.objects.create(
        run=run, step_key="s", request_hash=f"{days}", role="writer", model="m", status=ModelCallStatus.STORED
    )
    ModelCall.objects.filter(pk=made.pk).update(created_at=days_ago(days))


def act(days):
    """A row of the past: added as any, and dated by who owns the tables alone."""
    AuditEntry.objects.create(act=Act.SETTINGS, via="pages", who="ada", created_at=days_ago(days))


def test_nothing_goes_where_nobody_chose_a_period(world):
    with in_tenant(world):
        end(world.run, 3000)
        call(world.run, 3000)
        act(3000)
    assert delete_expired() == NOTHING


def test_runs_go_from_their_end_on_each_with_its_line(world):
    with in_tenant(world):
        young = make_report(world.person).run
        under_way = Run.objects.create(owner=world.person.user, topic="Still going?")
        end(world.run, 31)
        end(young, 29)
    choose_for(world, runs=30)
    assert delete_expired() == {**NOTHING, RetentionCategory.RUNS: 1}
    with in_tenant(world):
        assert set(Run.objects.values_list("pk", flat=True)) == {young.pk, under_way.pk}
        row = AuditEntry.objects.get(act=Act.RUN_DELETE)
        assert (row.object_id, row.via, row.after) == (str(world.run.pk), "command", {"days": 30})
    assert delete_expired() == NOTHING


def test_a_run_that_another_goes_on_from_waits(world):
    with in_tenant(world):
        end(world.run, 31)
        child = Run.objects.create(
            owner=world.person.user, topic="And then?", parent=world.run, relation="follow_up"
        )
    choose_for(world, runs=30)
    assert delete_expired() == NOTHING
    with in_tenant(world):
        Run.objects.filter(pk=child.pk).update(state=State.CANCELLED)
    assert delete_expired() == {**NOTHING, RetentionCategory.RUNS: 1}


def test_of_the_log_of_calls_what_a_run_under_way_may_need_stays(world, monkeypatch):
    monkeypatch.setattr(retention_sweep, "BATCH", 2)
    with in_tenant(world):
        under_way = Run.objects.create(owner=world.person.user, topic="Still going?")
        for days in (31, 32, 33, 29):
            call(world.run, days)
        call(None, 40)
        call(under_way, 50)
    choose_for(world, calls=30)
    assert delete_expired() == {**NOTHING, RetentionCategory.CALLS: 4}
    with in_tenant(world):
        assert set(ModelCall.objects.values_list("request_hash", flat=True)) == {"29", "50"}
        rows = AuditEntry.objects.filter(act=Act.FORGET, object_name="calls")
        assert [row.after for row in rows] == [{"rows": 2, "days": 30}] * 2


def test_the_trail_goes_by_its_period_and_never_before_90_days(world):
    with in_tenant(world):
        act(200)
        act(100)
    choose_for(world, trail=180)
    assert delete_expired() == {**NOTHING, RetentionCategory.TRAIL: 1}
    with in_tenant(world):
        assert AuditEntry.objects.filter(act=Act.SETTINGS).count() == 1
        with pytest.raises(ValueError, match="trail"):
            choose({RetentionCategory.TRAIL: 30})
        with (
            pytest.raises(DatabaseError, match="90 days"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT plumbline_forget_acts(89, 10)")
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            AuditEntry.objects.all().delete()


def test_without_a_workspace_the_function_deletes_nothing(world):
    with (
        pytest.raises(DatabaseError, match="one workspace"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT plumbline_forget_acts(100, 10)")


def test_the_sites_own_trail_has_the_sites_period(world, settings, monkeypatch):
    settings.PLUMBLINE_KEEP_TRAIL_DAYS = 100
    monkeypatch.setattr(retention_sweep, "BATCH", 1)
    for days in (130, 120, 80):
        SiteAuditEntry.objects.create(act=Act.SIGN_IN, via="pages", who=str(days), created_at=days_ago(days))
    delete_expired()
    with site_rows():
        assert set(SiteAuditEntry.objects.filter(act=Act.SIGN_IN).values_list("who", flat=True)) == {"80"}
        told = SiteAuditEntry.objects.filter(act=Act.FORGET).values_list("object_name", flat=True)
        assert list(told) == ["trail: 1", "trail: 1"]


def test_whoever_dies_in_between_has_lost_nothing_else(world, monkeypatch):
    with in_tenant(world):
        second = make_report(world.person).run
        end(world.run, 40)
        end(second, 35)
    choose_for(world, runs=30)
    real, seen = retention_sweep.delete_run, []

    def dies(run_id):
        if seen:
            real(run_id)
            raise KeyboardInterrupt
        seen.append(run_id)
        real(run_id)

    with monkeypatch.context() as patch:
        patch.setattr(retention_sweep, "delete_run", dies)
        with pytest.raises(KeyboardInterrupt):
            delete_expired()
    with in_tenant(world):
        assert Run.objects.get().pk == second.pk
        assert AuditEntry.objects.filter(act=Act.RUN_DELETE).count() == 1
    assert delete_expired()[RetentionCategory.RUNS] == 1


def test_another_workspace_keeps_its_own(world, settings):
    settings.PLUMBLINE_KEEP_RUNS_DAYS = 30
    other = make_report(join("bob"))
    for one in (world, other):
        with in_tenant(one):
            end(one.run, 60)
    choose_for(other, runs=FOR_GOOD)
    assert delete_expired()[RetentionCategory.RUNS] == 1
    with in_tenant(other):
        assert Run.objects.exists()


def test_files_and_messages_end_by_the_workspaces_period(world):
    with in_tenant(world):
        file = Export.objects.create(
            run=world.run, report_version=1, evidence_version="1", format="csv", options_hash="x", state="ready",
            object_key="k", sha256="h", file_size=9, expires_at=days_ago(-20), finished_at=days_ago(10),
        )  # fmt: skip
        message = WebhookEvent.objects.create(provider="parallel", message_id="m")
        WebhookEvent.objects.filter(pk=message.pk).update(created_at=days_ago(8))
    choose_for(world, files=5, messages=7)
    with in_tenant(world):
        file.refresh_from_db()
        assert file.expires_at < timezone.now()
        assert file_days() == 5
    assert tidy_messages().events == 1


def test_what_is_no_period_is_refused_by_the_database_too(world):
    with in_tenant(world):
        for column, days in (("files", 0), ("trail", 30), ("runs", 4000)):
            with pytest.raises(DatabaseError), transaction.atomic():
                Tenant.objects.update(**{f"keep_{column}_days": days})


def test_an_owner_is_told_what_would_go_before_it_counts(world):
    client = world.person.sign_in()
    with in_tenant(world):
        end(world.run, 60)
    assert b"Nothing is past its retention period now." in client.get(PAGE).content
    asked = client.post(PAGE, {"runs": "30"})
    assert b"This would permanently delete" in asked.content
    with in_tenant(world):
        assert load_chosen_periods()[RetentionCategory.RUNS] is None
    assert client.post(PAGE, {"runs": "30", "trail": "90", "sure": "1"}).headers["Location"] == PAGE
    with in_tenant(world):
        assert effective_periods(load_chosen_periods())[RetentionCategory.RUNS] == 30
        row = AuditEntry.objects.get(act=Act.RETENTION)
        assert (row.before, row.after) == ({"runs": 0, "trail": 0}, {"runs": 30, "trail": 90})
    assert b"1 is past its retention period" in client.get(PAGE).content


@pytest.mark.parametrize("wrong", [{"trail": "30"}, {"files": "0"}, {"runs": "-1"}, {"runs": "abc"}])
def test_what_is_not_offered_is_refused_in_words(world, wrong):
    answer = world.person.sign_in().post(PAGE, {**wrong, "sure": "1"})
    assert answer.status_code == 422
    assert b"Select a valid choice" in answer.content


def test_members_do_not_see_it(world):
    member = join("bea", role=Role.MEMBER, tenant=world.person.tenant).sign_in()
    assert {member.get(PAGE).status_code, member.post(PAGE).status_code} == {403}
    assert PAGE.encode() not in member.get("/account/").content


def test_the_command_says_what_would_go_and_then_deletes_it(world, monkeypatch, capsys):
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    with in_tenant(world):
        end(world.run, 60)
    choose_for(world, runs=30)
    call_command("forget", "--dry-run")
    assert "runs: 1 (kept 30)" in capsys.readouterr().out
    with in_tenant(world):
        assert Run.objects.exists()
    call_command("forget", "--tenant", str(world.person.tenant.pk))
    assert "Gone: runs: 1" in capsys.readouterr().out
    with in_tenant(world):
        assert not Run.objects.exists()
