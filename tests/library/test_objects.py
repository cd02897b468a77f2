"""Bytes are kept once, whole, under their hash."""

import errno
import gzip
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from research.objects import ObjectError, get_object, put_object

TENANT = uuid4()


def stored() -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@given(st.binary(max_size=2_000))
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_what_was_put_comes_back(data):
    assert get_object(put_object(TENANT, data)) == data


def test_the_same_bytes_are_kept_once():
    assert put_object(TENANT, b"words") == put_object(TENANT, b"words")
    assert len(stored()) == 1


def test_two_tenants_never_share_an_object():
    assert put_object(TENANT, b"words") != put_object(uuid4(), b"words")
    assert len(stored()) == 2


def test_bytes_are_compressed():
    put_object(TENANT, b"word " * 10_000)
    assert stored()[0].stat().st_size < 1_000


def test_an_object_that_is_gone_has_a_clear_message():
    key = put_object(TENANT, b"words")
    stored()[0].unlink()
    with pytest.raises(ObjectError, match="no longer there"):
        get_object(key)


@pytest.mark.parametrize(
    "damage",
    [b"", b"not gzip", gzip.compress(b"other words", mtime=0), gzip.compress(b"words", mtime=0)[:-6]],
    ids=["empty", "not gzip", "other words", "cut off"],
)
def test_damage_is_noticed(damage):
    key = put_object(TENANT, b"words")
    stored()[0].write_bytes(damage)
    with pytest.raises(ObjectError, match="damaged"):
        get_object(key)


@pytest.mark.parametrize("key", ["", "../secret_key", "objects/../../etc/passwd", "objects/x/ab/cd.gz"])
def test_a_key_names_nothing_else(key):
    with pytest.raises(ObjectError, match="does not name"):
        get_object(key)


def test_a_full_disk_has_a_clear_message_and_leaves_nothing_behind(monkeypatch):
    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("research.objects.os.fsync", full)
    with pytest.raises(ObjectError, match="disk is full"):
        put_object(TENANT, b"words")
    assert stored() == []


def test_a_folder_that_cannot_be_written_has_a_clear_message():
    Path(settings.MEDIA_ROOT).parent.mkdir(exist_ok=True)
    Path(settings.MEDIA_ROOT).write_text("a file where the folder should be")
    with pytest.raises(ObjectError, match="could not be stored"):
        put_object(TENANT, b"words")
