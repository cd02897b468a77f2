"""The restore drill: of a workspace that was erased, an older backup brings back nothing, of the others all."""

import io
import json
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from citations.models import Citation
from config.services.embedded_postgres import connect
from config.services.service_paths import private_folder
from exports.building.build_document import build_document
from research.db.tenancy import memberships, tenant_context, tenant_ids
from research.models import ModelCall, Run, Source
from research.ops.retention import delete_workspace
from research.ops.retention.delete_workspace import begin, carry_on, carry_on_all
from research.storage.backups.backup_archive import BadArchive, parts
from research.storage.backups.backup_tables import find_tables
from research.storage.backups.restore_backup import NotRestored, restore_backup
from research.storage.backups.write_backup import write_backup
from research.storage.keys import backup_keys, data_encryption_keys
from research.storage.keys.backup_keys import load_backup_key
from research.storage.object_store import ObjectError, get_object, put_object
from tests import databases
from tests.conftest import DATABASE
from tests.people import join
from tests.worlds import make_report

CANARY = "nightingale-7f3a"  # in every kind of row and file of the one that goes


@pytest.fixture(autouse=True)
def _own_folders(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PLUMBLINE_BACKUP_KEYS = tmp_path / "ring"
    monkeypatch.setattr(delete_workspace, "_remove_from_cache", lambda _tenant: None)
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    data_encryption_keys.forget()


def plant_canary(name):
    """A finished report, its prompt kept sealed, a stored page; the canary where people and pages could bring it."""
    world = make_report(join(name))
    with tenant_context(world.person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(topic=f"{CANARY} of {name}?")
        Source.objects.filter(pk=world.trial.pk).update(title=f"{CANARY} {name}", author=CANARY)
        call = ModelCall(run=world.run, step_key="s", purpose="p", request_hash="0" * 64, role="writer")
        call.request_body = data_encryption_keys.seal(CANARY.encode(), f"request:{call.pk}")
        call.save()
        key = put_object(world.person.tenant.pk, f"a page with {CANARY} for {name}".encode())
    return world, key


def every_row(cluster):
    """All rows of all tables, as text, by a superuser."""
    found = []
    with connect(cluster, DATABASE) as server:
        names = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in names:
            found += [row[0] for row in server.execute(f'SELECT t::text FROM "{name}" t').fetchall()]
    return "\n".join(found)


def open_by_any_key(path, ring):
    """Plain bytes of an archive, or None where no surviving key opens it, under any name."""
    names = {key.stem for key in ring.glob("*.key")}
    for holder in names:
        for name in names | {path.stem}:
            try:
                key = load_backup_key(holder)
                return b"".join(
                    json.dumps(part.head).encode() + b"".join(part.pieces)
                    for part in parts(io.BytesIO(path.read_bytes()), key, name)
                )
            except BadArchive:
                continue
    return None


def quotes(world):
    with tenant_context(world.person.tenant.pk):
        document = build_document(world.run.pk)
        cited = sorted(Citation.objects.filter(claim__run=world.run).values_list("quote", flat=True))
    return document, cited


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_a_backup_brings_back_nothing_of_what_was_erased_and_all_of_the_others(
    tmp_path, settings, database_cluster, capsys
):
    (gone, gone_key), (stays, stays_key) = plant_canary("mallory"), plant_canary("bob")
    before = quotes(stays)
    folder = tmp_path / "backup"
    call_command("backup", str(folder))
    assert CANARY.encode() not in b"".join(path.read_bytes() for path in folder.iterdir())
    begin(gone.person.tenant.pk, gone.person.tenant.name)
    carry_on(gone.person.tenant.pk)

    for path in settings.MEDIA_ROOT.rglob("*.gz"):
        path.unlink()  # the machine is another one: only the backup, the ring and the key-encryption key came along
    databases.recreate(database_cluster, DATABASE)
    data_encryption_keys.forget()
    call_command("restore", str(folder))
    told = capsys.readouterr().out
    assert f"{gone.person.tenant.pk}  left as it is: it was erased" in told

    rows = every_row(database_cluster)
    assert str(gone.person.tenant.pk) not in rows.replace(erasure_row(database_cluster), "")
    assert "mallory" not in rows
    assert rows.count(CANARY) == 3  # bob's topic, title and author
    assert [path.parent.parent.name for path in settings.MEDIA_ROOT.rglob("*.gz")] == [
        str(stays.person.tenant.pk)
    ]
    ring = settings.PLUMBLINE_BACKUP_KEYS
    assert open_by_any_key(folder / f"{gone.person.tenant.pk}.plumbline", ring) is None
    left = {path.stem: open_by_any_key(path, ring) for path in folder.glob("*.plumbline")}
    assert b"mallory" not in b"".join(plain for plain in left.values() if plain)
    assert left[str(stays.person.tenant.pk)]

    assert quotes(stays) == before
    assert get_object(stays_key) == f"a page with {CANARY} for bob".encode()
    assert memberships(stays.person.user.pk)[0].tenant_id == stays.person.tenant.pk
    with tenant_context(stays.person.tenant.pk):
        call = ModelCall.objects.get(run=stays.run)
        assert (
            data_encryption_keys.open_sealed(bytes(call.request_body), f"request:{call.pk}")
            == CANARY.encode()
        )
        assert Run.objects.create(owner=stays.person.user, topic="And after it?")
    assert join("a new one").user.pk > stays.person.user.pk  # numbers go on
    assert "it is here already" in again(folder, capsys)
    check_raw_copy(gone_key)


def erasure_row(cluster):
    with connect(cluster, DATABASE) as server:
        return (
            "\n".join(row[0] for row in server.execute("SELECT t::text FROM research_erasure t").fetchall())
            or "-"
        )


def again(folder, capsys):
    call_command("restore", str(folder))
    return capsys.readouterr().out


def check_raw_copy(key):
    """The next sweep removes what an operator's own copy of the database brings back."""
    carry_on_all()
    with pytest.raises(ObjectError):
        get_object(key)


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_one_workspace_comes_back_alone_and_a_damaged_archive_brings_nothing(tmp_path, database_cluster):
    (one, _), (other, _) = plant_canary("ada"), plant_canary("bob")
    folder = tmp_path / "backup"
    list(write_backup(folder))
    databases.recreate(database_cluster, DATABASE)
    path = folder / f"{one.person.tenant.pk}.plumbline"
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with pytest.raises(NotRestored, match=r"cut off.*Nothing of it"):
        list(restore_backup(folder, one.person.tenant.pk))
    assert tenant_ids() == []
    path.write_bytes(whole)
    list(restore_backup(folder, one.person.tenant.pk))
    assert tenant_ids() == [one.person.tenant.pk]
    assert other.person.tenant.pk not in tenant_ids()


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_a_backup_from_before_migrations_were_squashed_comes_back(tmp_path, database_cluster):
    one, _ = plant_canary("ada")
    call_command("backup", str(tmp_path / "backup"))
    path = tmp_path / "backup" / "backup.json"
    contents = json.loads(path.read_text())
    contents["migrations"] = [name for name in contents["migrations"] if "_squashed_" not in name]
    path.write_text(json.dumps(contents))
    databases.recreate(database_cluster, DATABASE)
    call_command("restore", str(tmp_path / "backup"))
    assert tenant_ids() == [one.person.tenant.pk]


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_without_the_ring_nothing_comes_back_and_that_is_no_success(tmp_path, settings, database_cluster):
    plant_canary("ada")
    call_command("backup", str(tmp_path / "backup"))
    settings.PLUMBLINE_BACKUP_KEYS = tmp_path / "another ring"
    databases.recreate(database_cluster, DATABASE)
    with pytest.raises(CommandError, match="2 archives stay closed: put back the newest copy of the ring"):
        call_command("restore", str(tmp_path / "backup"))
    assert tenant_ids() == []


@pytest.mark.django_db(databases=["default", "owner"])
def test_refusals_are_told(tmp_path, settings):
    with pytest.raises(CommandError, match="There is no whole backup"):
        call_command("restore", str(tmp_path))
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(tmp_path))
    (tmp_path / "backup.json").write_text(json.dumps({"format": 1, "migrations": ["x"], "archives": {}}))
    with pytest.raises(CommandError, match="another version"):
        call_command("restore", str(tmp_path))


@pytest.mark.django_db(databases=["default", "owner"])
def test_every_table_of_a_tenant_is_in_its_archive():
    tables = find_tables(connections["default"])
    assert {
        "research_run",
        "citations_citation",
        "exports_export",
        "slides_deck",
        "research_tenantkey",
    } <= set(tables.own)
    assert (
        tables.own.index("research_content")
        < tables.own.index("research_source")
        < tables.own.index("citations_citation")
    )
    assert "research_run" not in {*tables.site, *tables.people}
    assert "auth_user" in tables.people


@pytest.mark.parametrize("damaged", ["", "{}", "[1]", '{"kek": "x", "wrapped": "?"}', "\N{SNOWMAN}"])
def test_a_damaged_key_is_named_and_no_other_takes_its_place(settings, damaged):
    path = private_folder(settings.PLUMBLINE_BACKUP_KEYS) / "some.key"
    path.write_text(damaged, encoding="utf-8")
    for ask in (lambda: backup_keys.key_for("some"), backup_keys.rewrap_ring):
        with pytest.raises(backup_keys.NoBackupKey, match="some.key is damaged|cannot be unwrapped"):
            ask()
    assert path.read_text(encoding="utf-8") == damaged


def test_a_key_is_made_once_and_destroyed_for_good(settings, tmp_path):
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "first" * 8
    tenant = uuid4()
    key = backup_keys.key_for(str(tenant))
    assert (backup_keys.key_for(str(tenant)), len(key)) == (key, 32)
    settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = settings.PLUMBLINE_KEY_ENCRYPTION_KEY
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "second" * 8
    assert (backup_keys.rewrap_ring(), backup_keys.rewrap_ring()) == (1, 0)
    settings.PLUMBLINE_PREVIOUS_KEY_ENCRYPTION_KEY = ""
    assert backup_keys.load_backup_key(str(tenant)) == key
    backup_keys.destroy(tenant)
    backup_keys.destroy(tenant)
    with pytest.raises(backup_keys.ErasedBackupKey):
        backup_keys.key_for(str(tenant))
    assert backup_keys.list_erased_workspaces() == {tenant}
    assert [path.suffix for path in Path(settings.PLUMBLINE_BACKUP_KEYS).iterdir()] == [".erased"]
