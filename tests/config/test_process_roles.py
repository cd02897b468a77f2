"""The commands that start the processes of an installation."""

from config.services import process_roles


def test_processes_give_back_the_memory_that_they_no_longer_need():
    assert process_roles.environment()["MALLOC_ARENA_MAX"] == "2"


def test_an_operator_may_say_otherwise(monkeypatch):
    monkeypatch.setenv("MALLOC_ARENA_MAX", "8")
    assert process_roles.environment()["MALLOC_ARENA_MAX"] == "8"
