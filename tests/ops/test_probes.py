"""Answers to load balancers and scrapers."""

import socket
from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client

from research.ops import health
from research.ops.metrics import figures
from research.storage.keys.data_encryption_keys import CannotOpen
from tests.worlds import make_report

TOKEN = "t" * 24
ASKING = {"Authorization": f"Bearer {TOKEN}"}


def raise_gone(*args: object, **kwargs: object) -> object:
    raise OperationalError("gone")


def scrape(client: Client, **headers: str):
    return client.get("/metrics/", headers=headers or ASKING)


def test_a_process_is_alive_without_a_database(client):
    answer = client.get("/health/live/")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_needs_database_tables_and_key(client, valkey):
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "missing": [], "queue": True})


def test_the_health_check_of_the_site_asks_the_site(settings, live_server, valkey):
    there = urlsplit(live_server.url)
    settings.PLUMBLINE_HOST, settings.PLUMBLINE_PORT = there.hostname, there.port
    call_command("healthy", "--site", stdout=StringIO())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.PLUMBLINE_PORT = silent.getsockname()[1]
    with pytest.raises(CommandError, match=f"does not answer at port {settings.PLUMBLINE_PORT}"):
        call_command("healthy", "--site")


@pytest.mark.django_db
def test_without_the_queue_pages_still_open(client, settings):
    settings.REDIS_LOCATION = "unix:///nowhere/valkey.sock"
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["queue"]) == (200, False)


@pytest.mark.django_db
def test_not_ready_says_what_is_missing(client, monkeypatch):
    monkeypatch.setattr(connection, "cursor", raise_gone)
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["missing"]) == (503, ["database"])


@pytest.mark.django_db
def test_tables_of_an_older_release_are_not_ready(client, monkeypatch):
    monkeypatch.setattr(health, "_seen_migrated", [])
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: ["one to come"])
    assert client.get("/health/ready/").json()["missing"] == ["migrations"]


@pytest.mark.django_db
def test_a_ring_of_keys_that_is_named_for_all_machines_must_be_there(client, settings, tmp_path):
    settings.PLUMBLINE_BACKUP_KEYS = tmp_path / "mounted"
    assert client.get("/health/ready/").status_code == 200, "of this machine alone: made when it is needed"
    settings.PLUMBLINE_S3_BUCKET = "files"
    assert client.get("/health/ready/").json()["missing"] == ["backup_keys"]
    (tmp_path / "mounted").mkdir()
    assert client.get("/health/ready/").status_code == 200


@pytest.mark.django_db
def test_another_key_is_not_ready(client, monkeypatch):
    def refuse(*_: object) -> bytes:
        raise CannotOpen("another key")

    monkeypatch.setattr(health, "open_own", refuse)
    assert client.get("/health/ready/").json()["missing"] == ["key"]


@pytest.mark.parametrize("wrong", ["", "Bearer ", "Bearer x", f"Basic {TOKEN}", TOKEN])
def test_figures_are_for_who_has_the_token(client, settings, wrong):
    settings.PLUMBLINE_METRICS_TOKEN = TOKEN
    assert scrape(client, Authorization=wrong).status_code == 404


def test_without_a_token_nobody_reads_them(client, settings):
    settings.PLUMBLINE_METRICS_TOKEN = ""
    assert scrape(client, Authorization="Bearer ").status_code == 404


@pytest.mark.django_db
def test_a_scraper_reads_what_runs_and_how_long_pages_take(client, settings, ada):
    settings.PLUMBLINE_METRICS_TOKEN = TOKEN
    world = make_report(ada, state="reading")
    client.get("/health/live/")
    text = scrape(client).content.decode()
    assert "plumbline_up 1.0" in text
    assert 'plumbline_runs{state="reading"} 1.0' in text
    assert 'plumbline_request_seconds_count{method="GET",status="2xx",view="live"}' in text
    assert "process_resident_memory_bytes" in text
    assert world.run.topic not in text
    assert str(world.run.pk) not in text


@pytest.mark.django_db
def test_without_a_database_the_scraper_is_told_so(client, settings, monkeypatch):
    settings.PLUMBLINE_METRICS_TOKEN = TOKEN
    monkeypatch.setattr(figures, "latest", raise_gone)
    text = scrape(client).content.decode()
    assert "plumbline_up 0.0" in text
    assert "plumbline_runs{" not in text


@pytest.mark.parametrize("path", ["/health/live/", "/health/ready/", "/metrics/"])
@pytest.mark.django_db
def test_a_probe_past_the_proxy_is_not_sent_to_https(client, settings, path):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path).status_code != 301
    assert client.get("/login/").status_code == 301
