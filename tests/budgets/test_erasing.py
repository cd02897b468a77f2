"""An erased workspace leaves nothing in any table, folder or cache, whenever the process dies."""

from io import StringIO

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from redis import Redis

from research.db.tenancy import memberships, tenant_context, tenant_ids
from research.llm.budgets.credits import grant_of_the_month
from research.models import CreditEntry, Erasure, Membership, Role, Run
from research.ops.retention import delete_workspace
from research.ops.retention.delete_workspace import NotErased, begin, carry_on, carry_on_all
from research.storage.keys import backup_keys
from research.storage.keys.backup_keys import ErasedBackupKey
from research.storage.object_store import get_object, put_object
from tests.people import join
from tests.worlds import make_report

pytestmark = pytest.mark.django_db

TENANT_TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relrowsecurity
"""


@pytest.fixture(autouse=True)
def _own_folders(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PLUMBLINE_BACKUP_KEYS = tmp_path / "keys"
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)


@pytest.fixture
def without_cache(monkeypatch):
    monkeypatch.setattr(delete_workspace, "_remove_from_cache", lambda _tenant: None)


@pytest.fixture
def world():
    found = make_report(join("ada"))
    put_object(found.person.tenant.pk, b"a raw page")
    backup_keys.key_for(str(found.person.tenant.pk))
    LogEntry.objects.create(
        user=found.person.user, content_type=content_type(Run), object_id=str(found.run.pk),
        object_repr=found.run.topic, action_flag=CHANGE,
    )  # fmt: skip
    return found


def content_type(model):
    return ContentType.objects.get_for_model(model)


def query(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def rows_of(tenant_id):
    with tenant_context(tenant_id):
        tables = [name for (name,) in query(TENANT_TABLES)]
        counts = {name: query(f"SELECT count(*) FROM {name}")[0][0] for name in tables}
        return {name: count for name, count in counts.items() if count}


def erase(person):
    begin(person.tenant.pk, person.tenant.name)
    carry_on(person.tenant.pk)


def files(settings):
    return [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]


def test_nothing_is_left_of_it_and_nothing_is_missing_of_others(world, settings, valkey):
    settings.REDIS_LOCATION = valkey
    other = make_report(join("bob"))
    kept = put_object(other.person.tenant.pk, b"another page")
    before = rows_of(other.person.tenant.pk)
    tenant_id = world.person.tenant.pk
    with Redis.from_url(valkey) as client:
        client.set(f"plumbline:results:{tenant_id}:abc", "what was found")
        client.set(f"plumbline:results:{other.person.tenant.pk}:abc", "what was found")
        assert rows_of(tenant_id)
        erase(world.person)
        assert [key.decode() for key in client.scan_iter()] == [
            f"plumbline:results:{other.person.tenant.pk}:abc"
        ]
    assert rows_of(tenant_id) == {}
    assert tenant_id not in tenant_ids()
    assert not LogEntry.objects.filter(object_repr=world.run.topic).exists()
    assert not User.objects.filter(username="ada").exists()
    assert rows_of(other.person.tenant.pk) == before
    assert get_object(kept) == b"another page"
    assert len(files(settings)) == 1
    [erasure] = Erasure.objects.all()
    assert (erasure.workspace, erasure.people, erasure.files) == (tenant_id, [], 1)
    assert erasure.rows > 20
    with pytest.raises(ErasedBackupKey):
        backup_keys.key_for(str(tenant_id))


def test_its_name_has_to_be_typed(world):
    with pytest.raises(NotErased, match="not the name"):
        begin(world.person.tenant.pk, "another name")
    assert memberships(world.person.user.pk)
    assert not Erasure.objects.exists()


def test_once_begun_nobody_gets_in_and_no_step_is_taken(world):
    with tenant_context(world.person.tenant.pk):
        waiting = Run.objects.create(owner=world.person.user, topic="Still going?")
    begin(world.person.tenant.pk, world.person.tenant.name)
    assert memberships(world.person.user.pk) == []
    with tenant_context(world.person.tenant.pk):
        assert Run.objects.get(pk=waiting.pk).cancel_at is not None


class Killed(BaseException):
    """Stands for the end of the process."""


PARTS = ("_remove_rows", "remove_all", "_remove_from_cache", "_remove_people")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_anywhere_a_sweep_goes_on(world, without_cache, monkeypatch, settings, part, when):
    real = getattr(delete_workspace, part)

    def dies(*args):
        if when == "after":
            real(*args)
        raise Killed

    begin(world.person.tenant.pk, world.person.tenant.name)
    with monkeypatch.context() as patch:
        patch.setattr(delete_workspace, part, dies)
        with pytest.raises(Killed):
            carry_on(world.person.tenant.pk)
    carry_on_all()
    assert Erasure.objects.get().done_at is not None
    assert rows_of(world.person.tenant.pk) == {}
    assert files(settings) == []
    assert not User.objects.filter(username="ada").exists()


def test_a_key_ring_that_is_away_lets_it_wait(world, without_cache, monkeypatch):
    begin(world.person.tenant.pk, world.person.tenant.name)

    def away(_tenant):
        raise PermissionError("read-only")

    with monkeypatch.context() as patch:
        patch.setattr(backup_keys, "destroy", away)
        carry_on_all()
        assert Erasure.objects.get().done_at is None
    carry_on_all()
    assert Erasure.objects.get().done_at is not None


def test_a_workspace_that_came_back_with_an_old_copy_of_the_database_goes_again(world, without_cache):
    backup_keys.destroy(world.person.tenant.pk)
    carry_on_all()
    assert rows_of(world.person.tenant.pk) == {}
    assert world.person.tenant.pk not in tenant_ids()


def test_who_belongs_to_another_workspace_or_looks_after_the_site_stays(world, without_cache):
    tenant = world.person.tenant
    guest, chief = join("guest"), join("chief", is_staff=True, tenant=tenant)
    join_again(guest, tenant)
    erase(world.person)
    assert set(User.objects.values_list("username", flat=True)) >= {"guest", "chief"}
    assert [access.tenant_id for access in memberships(guest.user.pk)] == [guest.tenant.pk]
    assert memberships(chief.user.pk) == []


def join_again(person, tenant):
    with tenant_context(tenant.pk):
        Membership.objects.create(user=person.user, role=Role.VIEWER)


def test_who_is_named_by_another_workspace_is_shut_out_and_stays(world, without_cache):
    """A run of theirs in a workspace that they left."""
    other = join("bob")
    with tenant_context(other.tenant.pk):
        Run.objects.create(owner=world.person.user, topic="What I asked for them")
    erase(world.person)
    assert User.objects.get(username="ada").is_active is False


def test_history_can_be_deleted_by_erasing_alone(world):
    with tenant_context(world.person.tenant.pk):
        grant_of_the_month()
        assert CreditEntry.objects.exists()
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('plumbline.erasing', %s, true)", [str(world.person.tenant.pk)])
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            CreditEntry.objects.all().delete()
    with pytest.raises(DatabaseError, match="no erasure"), transaction.atomic():
        query("SELECT plumbline_erase(%s)", world.person.tenant.pk)


def test_no_erasure_is_forgotten(world):
    begin(world.person.tenant.pk, world.person.tenant.name)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Erasure.objects.all().delete()


def test_where_nobody_can_type_the_name_nothing_is_erased(world, without_cache, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(CommandError, match="give it with --name"):
        call_command("erase_tenant", str(world.person.tenant.pk))
    assert not Erasure.objects.exists()


def test_the_command_erases_once_and_says_so(world, without_cache, capsys):
    tenant = world.person.tenant
    with pytest.raises(CommandError, match="not the name"):
        call_command("erase_tenant", str(tenant.pk), "--name", "no")
    call_command("erase_tenant", str(tenant.pk), "--name", tenant.name)
    assert "Erased." in capsys.readouterr().out
    call_command("erase_tenant", str(tenant.pk))
    with pytest.raises(CommandError, match="There is no workspace"):
        call_command("erase_tenant", "00000000-0000-7000-8000-000000000001")
