"""Signing in, with a password and with one click on one's own machine."""

import pytest
from django.test import Client

from research.accounts.people import ensure_local_account


@pytest.fixture
def local_account(db):
    return ensure_local_account()


def test_the_local_account_is_offered_on_this_machine(local_account):
    assert b"Continue as demo" in Client().get("/login/").content


def test_one_click_signs_in_and_goes_on_to_the_page_that_was_wanted(local_account):
    client = Client()
    response = client.post("/login/local/", {"next": "/library/"})
    assert (response.status_code, response["Location"]) == (302, "/library/")
    assert client.get("/").status_code == 200


def test_one_click_is_listed_among_the_sessions(local_account):
    client = Client()
    client.post("/login/local/")
    assert b"This browser" in client.get("/account/sessions/").content


def test_the_click_never_leads_to_another_site(local_account):
    response = Client().post("/login/local/", {"next": "https://evil.example/"})
    assert response["Location"] == "/"


def test_no_one_click_for_another_machine(local_account):
    away = Client(REMOTE_ADDR="203.0.113.9")
    assert b"Continue as" not in away.get("/login/").content
    assert away.post("/login/local/").status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"])
def test_no_one_click_through_a_proxy_on_this_machine(local_account, header):
    passed_on = {header: "203.0.113.9"}
    assert b"Continue as" not in Client().get("/login/", headers=passed_on).content
    assert Client().post("/login/local/", headers=passed_on).status_code == 404


def test_no_one_click_with_a_database_of_ones_own(local_account, settings):
    settings.EMBEDDED_POSTGRES = False
    assert b"Continue as" not in Client().get("/login/").content
    assert Client().post("/login/local/").status_code == 404


def test_the_click_needs_a_token(local_account):
    assert Client(enforce_csrf_checks=True).post("/login/local/").status_code == 403


def test_a_wrong_password_is_told_without_saying_which_part_was_wrong(ada):
    response = Client().post("/login/", {"login": "ada", "password": "wrong"})
    assert response.status_code == 200
    assert b"The name or password is wrong" in response.content
    assert b'id="error-summary"' in response.content


def test_the_right_password_leads_to_the_first_page(ada):
    response = Client().post("/login/", {"login": "ada", "password": "plumb-line-9"})
    assert (response.status_code, response["Location"]) == (302, "/")


def test_signing_out_ends_the_session(client):
    client.post("/logout/")
    assert client.get("/").status_code == 302
