"""Folders and sockets."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.services.service_paths import SOCKET_PATH_LIMIT, ServicePaths, UnsafeFolder, private_folder

SEGMENT = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=40
)


@given(st.lists(SEGMENT, max_size=12))
def test_socket_paths_fit_whatever_the_data_directory_is_called(segments):
    paths = ServicePaths(Path("/", *segments))
    for socket in (paths.postgres_sockets / ".s.PGSQL.5432.lock", paths.valkey_socket):
        assert len(os.fsencode(socket)) < SOCKET_PATH_LIMIT


def test_a_short_data_directory_holds_its_own_sockets(tmp_path):
    assert ServicePaths(Path("/srv/p")).run == Path("/srv/p/run")


def test_two_long_data_directories_do_not_share_sockets():
    one, other = (ServicePaths(Path("/srv", name * 100)) for name in "ab")
    assert one.run != other.run


def test_sockets_are_found_again_from_the_data_directory_alone():
    long = Path("/srv", "a" * 100)
    assert ServicePaths(long).run == ServicePaths(long).run


def test_a_private_folder_is_closed_to_others(tmp_path):
    assert private_folder(tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_an_open_folder_of_ours_is_closed(tmp_path):
    (tmp_path / "a").mkdir(mode=0o755)
    assert private_folder(tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_a_link_is_refused_as_private_folder(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with pytest.raises(UnsafeFolder, match="PLUMBLINE_DATA"):
        private_folder(tmp_path / "link")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of someone else's")
def test_a_folder_of_someone_else_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    os.chown(tmp_path / "a", 65534, 65534)
    with pytest.raises(UnsafeFolder):
        private_folder(tmp_path / "a")


def test_a_file_in_the_way_is_refused(tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(UnsafeFolder):
        private_folder(tmp_path / "a")
