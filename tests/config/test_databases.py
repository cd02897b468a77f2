"""The two roles, and what tests rely on."""

import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections


def _role(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])


@pytest.mark.django_db(databases=["default", "owner"])
def test_the_application_and_the_owner_are_two_roles() -> None:
    assert (_role("default"), _role("owner")) == ("plumbline_app", "plumbline_owner")


@pytest.mark.django_db
def test_the_application_cannot_bypass_row_level_security() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False)


@pytest.mark.django_db
def test_the_application_owns_no_table() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", [1, 2])
def test_what_a_test_commits_is_gone_in_the_next(time: int) -> None:
    assert not User.objects.filter(username="ada").exists()
    User.objects.create_user("ada")


def test_a_child_process_works_on_the_same_database(child_environment: dict[str, str]) -> None:
    User.objects.create_user("ada")
    code = """import django; django.setup()
from django.contrib.auth.models import User; print(User.objects.get())"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("ada", 0), done.stderr


@pytest.mark.django_db
def test_a_session_that_stops_inside_a_transaction_does_not_keep_its_locks_for_ever():
    """A suspended worker once kept a run's row locked: nobody else could go on with the run."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone()[0] == "30s"
