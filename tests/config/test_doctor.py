"""The doctor finds what is wrong with an installation."""

import os
import socket
import sys
from contextlib import suppress
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config.services import doctor
from config.services.doctor import Finding, FindingStatus, InstallationFacts, examine
from config.services.service_processes import ServiceError


def question(paths, **changes) -> InstallationFacts:
    usual = {
        "lock": settings.BASE_DIR / "requirements.lock",
        "host": "127.0.0.1",
        "port": 8000,
    }
    return InstallationFacts(paths=paths, **{**usual, **changes})


def raise_service_error() -> None:
    raise ServiceError("Run `make run`.")


def test_a_complete_machine_lacks_nothing(paths):
    assert [finding for finding in examine(question(paths)) if finding.verdict is FindingStatus.BAD] == []


def test_a_python_that_the_user_may_not_start_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    found = doctor.python()
    assert (found.verdict, found.detail) == (
        FindingStatus.BAD,
        f"this user may not start {tmp_path / 'python'}",
    )


def test_a_package_of_another_version_is_named(tmp_path):
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        "django==1.0 \\\n    --hash=sha256:0\nnot-there==2 \\\nwin==1 ; sys_platform == 'win32' \\\n"
    )
    found = doctor.packages(lock)
    assert (found.verdict, found.detail) == (FindingStatus.BAD, "2 differ: django==1.0, not-there==2")


@pytest.mark.parametrize("service", ["postgres", "valkey"])
def test_a_missing_server_comes_with_a_remedy(monkeypatch, service):
    monkeypatch.setattr(doctor, "binaries", raise_service_error)
    monkeypatch.setattr(doctor, "binary", raise_service_error)
    found = getattr(doctor, service)()
    assert (found.verdict, found.remedy) == (FindingStatus.BAD, "Run `make run`.")


def test_servers_of_ones_own_need_no_package_and_nothing_of_the_embedded_size(monkeypatch, paths):
    monkeypatch.setattr(doctor, "binaries", raise_service_error)
    monkeypatch.setattr(doctor, "binary", raise_service_error)
    own = [Finding(name, FindingStatus.GOOD, "answers") for name in ("PostgreSQL", "Valkey")]
    asked = question(paths, own_database=lambda: own[0], own_queue=lambda: own[1])
    found = list(examine(asked))
    assert set(own) <= set(found)
    assert {"Sockets", "Port"} & {finding.subject for finding in found} == set()


def test_a_folder_that_cannot_be_ours_comes_with_a_remedy(paths):
    paths.data.write_text("")
    found = doctor.folder(paths)
    assert found.verdict is FindingStatus.BAD
    assert "PLUMBLINE_DATA" in found.remedy


def test_a_full_disk_is_missing_room(paths, monkeypatch):
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 2**62)
    assert doctor.disk(paths).verdict is FindingStatus.BAD


def test_a_port_in_use_is_no_obstacle():
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = doctor.port("127.0.0.1", server.getsockname()[1])
    assert found.verdict is FindingStatus.OPTIONAL
    assert "would be taken" in found.remedy


def test_without_a_browser_pages_are_read_as_they_come(monkeypatch):
    monkeypatch.setenv("PATH", "")
    found = doctor.browser("", lambda: True)
    assert (found.verdict, "none is installed" in found.detail) == (FindingStatus.OPTIONAL, True)
    assert "apt-get install chromium" in found.remedy


def test_a_browser_that_is_not_there_is_named():
    assert "there is no program /nowhere/chromium" in doctor.browser("/nowhere/chromium", lambda: True).detail


def test_a_browser_that_is_not_wanted_needs_no_remedy():
    found = doctor.browser("none", lambda: True)
    assert (found.verdict, "PLUMBLINE_BROWSER" in found.detail, found.remedy) == (
        FindingStatus.OPTIONAL,
        True,
        "",
    )


@pytest.mark.parametrize(
    ("is_walled", "verdict", "words"),
    [
        (True, FindingStatus.GOOD, "in a network of its own"),
        (False, FindingStatus.OPTIONAL, "by its flags alone"),
    ],
)
def test_how_a_browser_is_shut_in_is_told(is_walled, verdict, words):
    found = doctor.browser("/bin/true", lambda: is_walled)
    assert (found.verdict, words in found.detail) == (verdict, True)


def test_a_browser_that_does_not_start_is_told_with_what_that_costs_and_what_to_do():
    found = doctor.browser("/bin/true", lambda: False, lambda path: f"{path} does not start: no sandbox")
    assert (found.verdict, "/bin/true does not start: no sandbox; pages" in found.detail) == (
        FindingStatus.OPTIONAL,
        True,
    )
    assert "user namespaces" in found.remedy


def test_without_a_model_it_says_how_to_get_one():
    found = doctor.model("")
    assert (found.verdict, "PLUMBLINE_MODEL_API_KEY" in found.remedy) == (FindingStatus.OPTIONAL, True)


def test_the_configured_model_is_named():
    assert doctor.model("gpt-5-mini at https://api.openai.com/v1").verdict is FindingStatus.GOOD


def test_the_doctor_says_what_stands_between_documents_and_the_machine():
    said = StringIO()
    with suppress(CommandError):  # of what else this machine lacks
        call_command("doctor", stdout=said)
    [line] = [line for line in said.getvalue().splitlines() if " reader " in line]
    is_root = os.geteuid() == 0
    assert ("without files, network or rights" in line) == is_root


def test_a_ring_of_keys_that_others_cannot_see_is_told_where_files_are_shared(paths, tmp_path):
    own = doctor.backup_keys(paths.backup_keys, paths, is_shared=True)
    assert (own.verdict, "PLUMBLINE_BACKUP_KEYS" in own.remedy) == (FindingStatus.OPTIONAL, True)
    assert doctor.backup_keys(paths.backup_keys, paths, is_shared=False).verdict is FindingStatus.GOOD
    assert doctor.backup_keys(tmp_path / "mounted", paths, is_shared=True).verdict is FindingStatus.GOOD


def test_a_ring_of_keys_that_cannot_be_written_is_missing(paths, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert doctor.backup_keys(paths.backup_keys, paths, is_shared=False).verdict is FindingStatus.BAD
