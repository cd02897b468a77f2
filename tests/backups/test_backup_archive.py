"""An archive gives back what was put in, whole and in order, or nothing."""

import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.storage.backups import backup_archive
from research.storage.backups.backup_archive import ArchiveWriter, BadArchive, parts

KEY = bytes(range(32))
PARTS = [({"table": "a"}, [b"one", b"two"]), ({"file": "b"}, []), ({"table": "c"}, [os.urandom(3_000_000)])]


def write_archive(given_parts, key=KEY, name="x"):
    file = io.BytesIO()
    writer = ArchiveWriter(file, key, name)
    for head, data in given_parts:
        writer.add(head, data)
    writer.end()
    return file.getvalue()


def read(data, key=KEY, name="x"):
    return [(part.head, b"".join(part.pieces)) for part in parts(io.BytesIO(data), key, name)]


def test_what_was_put_in_comes_out():
    assert read(write_archive(PARTS)) == [(head, b"".join(data)) for head, data in PARTS]


@given(st.lists(st.tuples(st.dictionaries(st.text(), st.text()), st.lists(st.binary()))))
def test_any_parts_come_out_as_they_went_in(some):
    assert read(write_archive(some)) == [(head, b"".join(data)) for head, data in some]


def test_nothing_of_it_is_readable_without_its_key():
    data = write_archive([({"table": "secrets"}, [b"secret words"])])
    assert b"secret" not in data
    with pytest.raises(BadArchive, match="another key"):
        read(data, key=bytes(32))
    with pytest.raises(BadArchive, match="another key"):
        read(data, name="y")


DATA = write_archive([({"n": str(n)}, [b"%d" % n]) for n in range(4)])


def test_a_byte_changed_anywhere_is_noticed():
    for at in range(len(DATA)):
        changed = bytearray(DATA)
        changed[at] ^= 1
        with pytest.raises(BadArchive):
            read(bytes(changed))


def test_one_that_is_cut_off_anywhere_is_noticed():
    for end in range(len(DATA)):
        with pytest.raises(BadArchive):
            read(DATA[:end])


def test_one_that_goes_on_after_its_end_is_noticed():
    with pytest.raises(BadArchive):
        read(DATA + b"x")


def test_pieces_that_change_places_are_noticed(monkeypatch):
    monkeypatch.setattr(backup_archive, "PIECE_BYTES", 8)
    data = write_archive([({}, [b"12345678abcdefgh"])])
    size = backup_archive.LENGTH_BYTES + backup_archive.NONCE_BYTES + backup_archive.TAG_BYTES
    start = len(backup_archive.MAGIC) + size + len(b"h{}")
    one, two = size + 9, size + 9
    swapped = (
        data[:start]
        + data[start + one : start + one + two]
        + data[start : start + one]
        + data[start + one + two :]
    )
    assert len(swapped) == len(data)
    with pytest.raises(BadArchive):
        read(swapped)
