"""Pages for an address that is reached in a way that it has no answer for."""

import pytest
from django.db import connection
from django.test import Client

from research.ops import health
from tests.api.programs import program_of
from tests.web.pages import words

SOMEBODY = {"login": "ada", "password": "plumb-line-9"}


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


def without_tables(monkeypatch) -> None:
    """Hide the tables for this transaction, and for every connection from now on."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL search_path TO pg_catalog")
    nowhere = connection.settings_dict["OPTIONS"] | {"options": "-c search_path=pg_catalog"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", nowhere)
    monkeypatch.setattr(health, "_seen_migrated", [])


@pytest.mark.parametrize("address", ["/runs/{run}/cancel/", "/logout/", "/display/"])
def test_an_address_that_only_takes_buttons_says_so(client, world, address):
    answer = client.get(address.format(run=world.run.pk))
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]
    assert "This address only accepts submitted forms." in words(answer)


def test_a_program_that_asks_with_the_wrong_method_is_told_which_are_right(client, world):
    answer = client.delete(f"/runs/{world.run.pk}/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.django_db(transaction=True)
def test_who_signs_in_while_the_database_is_away_is_asked_to_come_again(visitor, monkeypatch):
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    answer = visitor.post("/login/", SOMEBODY)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Not ready yet" in words(answer)


@pytest.mark.django_db(transaction=True)
def test_a_program_is_told_so_as_a_problem(ada, monkeypatch):
    program = program_of(ada)
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    answer = program.get("/runs")
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "unavailable", "5")


@pytest.mark.django_db
def test_who_signs_in_before_there_are_tables_is_asked_to_come_again(visitor, monkeypatch):
    without_tables(monkeypatch)
    assert visitor.post("/login/", SOMEBODY).status_code == 503


@pytest.mark.django_db
def test_a_table_that_is_not_there_although_all_were_made_is_a_fault(visitor):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL search_path TO pg_catalog")
    answer = visitor.post("/login/", SOMEBODY)
    assert (answer.status_code, "Retry-After" in answer) == (500, False)
