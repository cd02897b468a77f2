"""Bytes are kept once, whole, under their hash, and encrypted for their tenant."""

import errno
import gzip
import hashlib
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from research.db.tenancy import create_tenant, tenant_context
from research.engine.states.step_failures import failure_of
from research.models import DataKey
from research.storage.keys import data_encryption_keys
from research.storage.keys.data_encryption_keys import at_hand
from research.storage.object_store import (
    ForeignObject,
    ObjectDamaged,
    ObjectError,
    get_object,
    has_object,
    object_key,
    put_object,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> UUID:
    data_encryption_keys.forget()
    return create_tenant("Keepers").pk


def list_stored_files() -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@given(data=st.binary(max_size=2_000))
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_what_was_put_comes_back(tenant, data):
    assert get_object(put_object(tenant, data)) == data


def test_the_same_bytes_are_kept_once(tenant):
    assert put_object(tenant, b"words") == put_object(tenant, b"words")
    assert len(list_stored_files()) == 1


def test_two_tenants_never_share_an_object(tenant):
    assert put_object(tenant, b"words") != put_object(create_tenant("Others").pk, b"words")
    assert len(list_stored_files()) == 2


def test_bytes_are_compressed(tenant):
    put_object(tenant, b"word " * 10_000)
    assert list_stored_files()[0].stat().st_size < 1_000


def test_an_object_that_is_gone_has_a_clear_message(tenant):
    key = put_object(tenant, b"words")
    list_stored_files()[0].unlink()
    with pytest.raises(ObjectError, match="no longer there"):
        get_object(key)


@pytest.mark.parametrize(
    "damage",
    [b"", b"not gzip", gzip.compress(b"other words", mtime=0), gzip.compress(b"words", mtime=0)[:-6]],
    ids=["empty", "not gzip", "other words", "cut off"],
)
def test_damage_is_noticed(tenant, damage):
    key = put_object(tenant, b"words")
    list_stored_files()[0].write_bytes(damage)
    with pytest.raises(ObjectDamaged, match="damaged") as raised:
        get_object(key)
    assert failure_of(raised.value).code == "DATA_CORRUPTION"


@pytest.mark.parametrize("key", ["", "../secret_key", "objects/../../etc/passwd", "objects/x/ab/cd.gz"])
def test_a_key_names_nothing_else(key):
    with pytest.raises(ObjectError, match="does not name"):
        get_object(key)


def test_a_full_disk_has_a_clear_message_and_leaves_nothing_behind(tenant, monkeypatch):
    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("research.storage.object_store.os.fsync", full)
    with pytest.raises(ObjectError, match="disk is full"):
        put_object(tenant, b"words")
    assert list_stored_files() == []


def test_a_folder_that_cannot_be_written_has_a_clear_message(tenant):
    Path(settings.MEDIA_ROOT).parent.mkdir(exist_ok=True)
    Path(settings.MEDIA_ROOT).write_text("a file where the folder should be")
    with pytest.raises(ObjectError, match="could not be stored"):
        put_object(tenant, b"words")


# --- encrypted ---


def test_bytes_are_not_to_be_seen_in_the_store(tenant):
    put_object(tenant, b"secret words")
    kept = list_stored_files()[0].read_bytes()
    assert b"secret" not in kept
    with pytest.raises(gzip.BadGzipFile):
        gzip.decompress(kept)


def test_without_its_tenants_key_an_object_is_lost(tenant):
    key = put_object(tenant, b"words")
    with tenant_context(tenant):
        DataKey.objects.all().delete()
    assert not has_object(key)
    with pytest.raises(ObjectError, match="the data key is gone"):
        get_object(key)


def test_the_same_bytes_come_again_after_their_key_was_destroyed(tenant):
    put_object(tenant, b"words")
    with tenant_context(tenant):
        DataKey.objects.all().delete()
    data_encryption_keys.forget()
    assert get_object(put_object(tenant, b"words")) == b"words"
    assert len(list_stored_files()) == 1


def test_an_object_moved_to_another_tenant_does_not_open(tenant):
    other = create_tenant("Others").pk
    mine, moved = put_object(tenant, b"words"), object_key(other, sha256(b"words"))
    path = Path(settings.MEDIA_ROOT) / moved
    path.parent.mkdir(parents=True)
    path.write_bytes((Path(settings.MEDIA_ROOT) / mine).read_bytes())
    with pytest.raises(ObjectError, match="cannot be opened"):
        get_object(moved)


def test_a_tenants_object_is_not_opened_while_another_is_at_work(tenant):
    key = put_object(tenant, b"words")
    others = tenant_context(create_tenant("Others").pk)
    with others, pytest.raises(ForeignObject, match="does not name") as raised:
        get_object(key)
    assert failure_of(raised.value).code == "SECURITY_VIOLATION"


def test_what_was_kept_before_there_was_encryption_is_read_and_encrypted_when_it_comes_again(tenant):
    key = object_key(tenant, sha256(b"words"))
    path = Path(settings.MEDIA_ROOT) / key
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(b"words"))
    assert get_object(key) == b"words"
    assert put_object(tenant, b"words") == key
    assert not path.read_bytes().startswith(b"\x1f\x8b")
    assert get_object(key) == b"words"


def test_with_the_keys_at_hand_no_database_is_asked(tenant, django_assert_num_queries):
    with at_hand(tenant), django_assert_num_queries(0):
        assert get_object(put_object(tenant, b"words")) == b"words"


def test_a_key_that_cannot_be_unwrapped_has_a_clear_message(tenant, settings):
    put_object(tenant, b"words")
    settings.PLUMBLINE_KEY_ENCRYPTION_KEY = "x" * 40
    data_encryption_keys.forget()
    data_encryption_keys._unwrap_data_key.cache_clear()
    with pytest.raises(ObjectError, match="another key-encryption key"):
        put_object(tenant, b"other words")
    data_encryption_keys._unwrap_data_key.cache_clear()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
