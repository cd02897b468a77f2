"""The doctor judges a database and a queue of one's own."""

from dataclasses import replace

import pytest
from django.db import OperationalError

from config.services import check_own_servers
from config.services.check_own_servers import DatabaseFacts, judge_database, judge_queue_settings
from config.services.doctor import FindingStatus

FINE = DatabaseFacts(180_001, "18.1", "0.8.1", "plumbline_app", is_free=False, owns_tables=False)


@pytest.mark.django_db
def test_a_database_as_it_should_be_is_named_with_the_role_that_asks():
    found = check_own_servers.database()
    assert (found.verdict, "as plumbline_app" in found.detail) == (FindingStatus.GOOD, True)


def test_a_database_that_does_not_answer_is_missing(monkeypatch):
    def refuse() -> None:
        raise OperationalError("connection refused\nIs the server running?")

    monkeypatch.setattr(check_own_servers.connection, "cursor", refuse)
    found = check_own_servers.database()
    assert (found.verdict, found.detail) == (FindingStatus.BAD, "connection refused")
    assert "DATABASE_URL" in found.remedy


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"number": 150_008, "version": "15.8"}, "16 or newer"),
        ({"vector": None}, "CREATE EXTENSION vector"),
        ({"vector": "0.7.4"}, "ALTER EXTENSION vector UPDATE"),
        ({"is_free": True}, "NOBYPASSRLS"),
        ({"owns_tables": True}, "another role"),
    ],
)
def test_each_fault_of_a_database_comes_with_its_remedy(wrong, words):
    found = judge_database(replace(FINE, **wrong))
    assert (found.verdict, words in found.remedy) == (FindingStatus.BAD, True)


def test_pgvector_of_two_figures_is_newer_than_of_one():
    assert judge_database(replace(FINE, vector="0.10.0")).verdict is FindingStatus.GOOD


def test_a_queue_that_does_not_answer_is_missing(tmp_path):
    found = check_own_servers.queue(f"unix://{tmp_path}/none.sock")
    assert (found.verdict, "REDIS_URL" in found.remedy) == (FindingStatus.BAD, True)


def test_a_queue_that_forgets_is_told_with_what_it_should_be():
    found = judge_queue_settings({"maxmemory-policy": "allkeys-lru", "appendonly": "yes"})
    assert (found.verdict, found.detail) == (
        FindingStatus.OPTIONAL,
        "answers, but has maxmemory-policy allkeys-lru",
    )
    assert "noeviction" in found.remedy
    assert (
        judge_queue_settings({"maxmemory-policy": "noeviction", "appendonly": "yes"}).verdict
        is FindingStatus.GOOD
    )
    assert judge_queue_settings({}).verdict is FindingStatus.GOOD


def test_a_real_queue_is_asked(valkey):
    assert check_own_servers.queue(valkey).detail.startswith("answers, ")
