"""An installation on servers: compose.yaml, the units, and the command that both run."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import httpx2
import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from config.celery_settings import QUEUES
from config.services import process_roles
from config.services.service_paths import ServicePaths
from config.services.service_processes import wait_until
from research.management.commands import serve
from research.web.runs.progress_page_snapshot import LATER_INTERVAL

ROOT = Path(settings.BASE_DIR)
DEPLOY = ROOT / "config" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


@pytest.fixture
def became(monkeypatch):
    """Record the program that the process would have become on a server."""
    monkeypatch.setattr(settings, "EMBEDDED_POSTGRES", False)
    monkeypatch.setattr(settings, "EMBEDDED_VALKEY", False)
    found: list[tuple[process_roles.Arguments, dict[str, str]]] = []
    monkeypatch.setattr(
        serve, "become", lambda arguments, environment: found.append((arguments, environment))
    )
    return found


def parse_queues(arguments: process_roles.Arguments) -> set[str]:
    return set(arguments[arguments.index("-Q") + 1].split(",")) if "-Q" in arguments else set()


def compose() -> dict[str, dict[str, object]]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]


def test_agents_and_readers_serve_every_queue_between_them(became):
    for role in ("agents", "reading"):
        call_command("serve", role)
    assert set.union(*(parse_queues(arguments) for arguments, _ in became)) == set(QUEUES)


def test_a_machine_may_serve_one_queue_of_a_role(became):
    call_command("serve", "reading", "--queues", "exports")
    assert parse_queues(became[0][0]) == {"exports"}


@pytest.mark.parametrize(
    ("role", "queues"), [("agents", "reading"), ("reading", "control"), ("reading", "nonsense")]
)
def test_no_role_serves_a_queue_whose_work_it_is_not_made_for(became, role, queues):
    with pytest.raises(CommandError, match="Of these queues"):
        call_command("serve", role, "--queues", queues)
    assert became == []


def test_the_site_listens_where_it_is_told_and_keeps_connections(became):
    call_command("serve", "web", "--host", "0.0.0.0", "--port", "8123")
    arguments, environment = became[0]
    assert arguments[arguments.index("--host") + 1 : arguments.index("--host") + 4] == (
        "0.0.0.0",
        "--port",
        "8123",
    )
    assert environment["PLUMBLINE_DATABASE_POOL"] == "10"
    assert arguments[arguments.index("--workers") + 1] == str(settings.PLUMBLINE_WEB_PROCESSES)
    assert int(arguments[arguments.index("--timeout-keep-alive") + 1]) > LATER_INTERVAL


def test_a_data_folder_that_cannot_be_made_is_told_in_a_sentence(became, settings, tmp_path):
    (tmp_path / "file").touch()
    settings.PATHS = ServicePaths(tmp_path / "file" / "data")
    with pytest.raises(CommandError, match="Set PLUMBLINE_DATA to a folder of yours"):
        call_command("serve", "beat")
    settings.PATHS = ServicePaths(tmp_path / "file")
    with pytest.raises(CommandError, match="is not a folder of ours"):
        call_command("serve", "beat")
    assert became == []


def test_the_embedded_size_is_started_by_up():
    with pytest.raises(CommandError, match="Set DATABASE_URL and REDIS_URL first"):
        call_command("serve", "web")


def test_compose_starts_each_role_once():
    commands = [str(service.get("command", "")) for service in compose().values()]
    assert sorted(c.removeprefix("serve ") for c in commands if c.startswith("serve ")) == sorted(serve.ROLES)


def test_the_units_start_each_role_once():
    started = [re.search(r"manage\.py serve (\w+)$", unit.read_text(), re.M)[1] for unit in UNITS]
    assert sorted(started) == sorted(serve.ROLES)
    target = (DEPLOY / "plumbline.target").read_text()
    assert all(unit.name in target for unit in UNITS)


def test_the_database_counts_as_there_only_once_it_answers_by_the_network():
    """At the first start a server with a socket alone runs database.sh, and ends: tables must not be made by it."""
    asked = compose()["database"]["healthcheck"]["test"]
    assert "--host=127.0.0.1" in asked


def test_each_process_is_asked_for_what_it_does():
    asked = {
        name: service["healthcheck"]["test"][3:]
        for name, service in compose().items()
        if "healthcheck" in service
    }
    assert (asked["web"], asked["agents"]) == (
        ["healthy", "--site"],
        ["healthy", "--queue", "agents", "--queue", "control"],
    )


def test_only_what_makes_the_tables_knows_their_owner():
    knowing = [name for name, service in compose().items() if "plumbline_owner" in str(service)]
    assert knowing == ["database", "tables"]
    assert "OWNER" not in (DEPLOY / "plumbline.env").read_text()


def test_whatever_is_set_there_is_a_documented_setting():
    told = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:# )?([A-Z_]+)=", (DEPLOY / "plumbline.env").read_text(), re.M))
    named |= set(compose()["web"]["environment"]) | set(
        re.findall(r"PLUMBLINE_\w+(?==)", (ROOT / "Dockerfile").read_text())
    )
    assert {name for name in named if f"`{name}`" not in told} == set()


def test_the_site_does_not_start_where_its_files_were_not_collected(became, settings, tmp_path):
    settings.PLUMBLINE_STATIC_COLLECTED = True
    settings.STATIC_ROOT = tmp_path
    with pytest.raises(CommandError, match="collectstatic"):
        call_command("serve", "web")
    (tmp_path / "staticfiles.json").touch()
    call_command("serve", "web")
    assert len(became) == 1


def test_a_command_of_the_operator_gets_what_the_units_get(tmp_path):
    """Values with spaces, quotes and signs that a shell would take for its own."""
    (tmp_path / "env").write_text(
        '# a comment\n\nSECRET_KEY=a$b `c`;d\nPLUMBLINE_BUDGET_RUN=input=1, usd=2\nALLOWED_HOSTS="a.example"\nLAST=e'
    )
    program = tmp_path / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(
        '#!/bin/sh\nprintf "%s|" "$@" "$SECRET_KEY" "$PLUMBLINE_BUDGET_RUN" "$ALLOWED_HOSTS" "$LAST"\n'
    )
    program.chmod(0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "PLUMBLINE_ENV": str(tmp_path / "env"),
        "PLUMBLINE_PROGRAM": str(tmp_path),
        "PLUMBLINE_USER": subprocess.check_output(["id", "-un"], text=True).strip(),
    }
    done = subprocess.run(
        ["sh", DEPLOY / "manage", "doctor"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "manage.py|doctor|a$b `c`;d|input=1, usd=2|a.example|e|"


def test_compose_takes_it(tmp_path):
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    for name in ("compose.yaml", "config/deploy/plumbline.env", "config/deploy/compose.env"):
        shutil.copy(ROOT / name, tmp_path)
    secrets = (tmp_path / "compose.env").read_text().replace("PASSWORD=", "PASSWORD=secret")
    (tmp_path / ".env").write_text(secrets)
    done = subprocess.run(
        ["docker-compose", "config"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "plumbline_app:secret@database" in done.stdout


def test_systemd_takes_the_units(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for unit in (*UNITS, DEPLOY / "plumbline.target"):
        here = unit.read_text().replace("/opt/plumbline/.venv/bin/python", sys.executable)
        (tmp_path / unit.name).write_text(here)
    command = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "plumbline" not in done.stderr, done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=60) as response:  # which prepares nothing: it is asked often
            return response.status == 200
    except OSError:
        return False


READ_ONLY = (
    'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && ! touch manage.py && exec "$@"'
)


@cache
def within_read_only_code() -> list[str]:
    """Return the prefix of a command that must not write into the program; empty where no such mounts are allowed."""
    before = ["unshare", "--mount", "sh", "-c", READ_ONLY, str(ROOT)]
    may = shutil.which("unshare") and subprocess.run([*before, "true"], capture_output=True, check=False)
    return before if may and may.returncode == 0 else []


def test_the_program_can_be_made_read_only_here():
    if not within_read_only_code():
        pytest.skip("no mounts of one's own here: whether the program is written to is not looked at")


def test_a_process_of_a_server_answers_and_ends_when_told_and_writes_nothing_among_the_program(
    child_environment,
):
    port = free_port()
    command = [*within_read_only_code(), sys.executable, "manage.py", "serve", "web", "--port", str(port)]
    with start_command(command, child_environment) as process:
        assert wait_until(lambda: answers(f"http://127.0.0.1:{port}/health/ready/"), 60)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert process.returncode in (0, -signal.SIGTERM)


@contextmanager
def start_command(
    command: Sequence[str], environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command with all its children; nothing of it is left afterwards."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.full
def test_whichever_process_a_scraper_meets_tells_what_all_of_them_answered(child_environment):
    port, token = free_port(), "t" * 24
    site = f"http://127.0.0.1:{port}"
    environment = child_environment | {"PLUMBLINE_WEB_PROCESSES": "2", "PLUMBLINE_METRICS_TOKEN": token}
    command = [sys.executable, "manage.py", "serve", "web", "--port", str(port)]
    with start_command(command, environment) as keeper:
        assert wait_until(lambda: answers(f"{site}/health/ready/"), 60)
        assert wait_until(lambda: len(list_answering_processes(keeper.pid)) == 2, 60)
        assert all(answers(f"{site}/health/live/") for _ in range(20))  # a connection each
        told = {scrape_metrics(site, token) for _ in range(10)}
    assert {
        re.search(r'seconds_count\{method="GET",status="2xx",view="live"\} (\S+)', text)[1] for text in told
    } == {"20.0"}
    assert len({re.search(r"process_start_time_seconds (\S+)", text)[1] for text in told}) <= 2


def list_answering_processes(keeper: int) -> list[str]:
    """Processes that it started to answer."""
    pids = Path(f"/proc/{keeper}/task/{keeper}/children").read_text(encoding="utf-8").split()
    return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def scrape_metrics(site: str, token: str) -> str:
    return httpx2.get(f"{site}/metrics/", headers={"Authorization": f"Bearer {token}"}).text
