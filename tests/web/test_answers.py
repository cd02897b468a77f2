"""Every answer of the site: headers, caches, methods, sizes, faults, and what it refuses."""

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from research.integrations.api_rate_limit import forget
from research.web.site.page_body_limits import most_bytes
from tests.people import may_enter


def test_every_page_carries_the_headers_that_keep_browsers_strict(client, world):
    for address in ("/", f"/runs/{world.run.pk}/report/", "/help/", "/nothing/"):
        headers = client.get(address).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], address
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in headers


def test_over_https_browsers_are_told_to_stay_there(settings):
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 31_536_000, True
    # A client of its own: middleware reads the settings when it is made.
    assert Client().get("/help/", secure=True)["Strict-Transport-Security"].startswith("max-age=31536000")


def test_no_cache_keeps_a_page_of_a_person(client, world):
    for address in (
        "/",
        "/runs/",
        "/account/",
        f"/runs/{world.run.pk}/report/",
        f"/runs/{world.run.pk}/sources/",
    ):
        assert "no-store" in client.get(address)["Cache-Control"], address


def test_pages_for_everybody_may_be_kept():
    assert "Cache-Control" not in Client().get("/help/").headers


@pytest.mark.parametrize("method", ["TRACE", "OPTIONS", "PUT", "DELETE", "PROPFIND"])
def test_methods_that_no_page_has_are_refused(client, method):
    assert client.generic(method, "/runs/").status_code in (403, 405)


@pytest.mark.parametrize(
    "address", ["/.git/config", "/.env", "/settings.py", "/manage.py", "/static/../config/settings.py"]
)
def test_nothing_of_the_program_is_served(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert b"SECRET_KEY" not in response.content


def test_what_is_missing_is_told_without_the_inside_of_the_program(client):
    page = client.get("/runs/00000000-0000-7000-8000-000000000001/").content.decode()
    assert not any(word in page for word in ("Traceback", "urlpatterns", "Django", "psycopg"))


def test_a_fault_of_the_program_is_told_without_its_inside(client, monkeypatch):
    def fail(*_any: object) -> None:
        raise ZeroDivisionError("the inside")

    monkeypatch.setattr("research.web.runs.run_list_page.render", fail)
    client.raise_request_exception = False
    response = client.get("/runs/")
    assert response.status_code == 500
    assert not any(word in response.content for word in (b"Traceback", b"ZeroDivision", b"the inside"))


def test_a_request_line_over_eight_kilobytes_is_refused_in_words(client):
    response = client.get("/runs/", {"q": "x" * 9000})
    assert (response.status_code, b"longer than 8 KB" in response.content) == (414, True)


def test_a_form_that_is_too_large_is_refused_in_words(client, settings):
    forget()
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = client.post(reverse("research:new_run"), {"question": "x" * 2000})
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("path", "most"),
    [("/library/", 1_002_000_000), ("/runs/new/", 50_100_000), (f"/hooks/parallel/{UUID(int=1)}/", 262_144)],
)
def test_a_body_that_is_told_to_be_larger_than_sense_is_not_read(client, path, most):
    assert client.post(path, CONTENT_LENGTH=str(most + 1)).status_code == 413
    assert most_bytes(path) == most
    assert client.post("/api/v1/runs", CONTENT_LENGTH="99999999999").json()["code"] == "too_large"


def test_every_form_needs_its_token(ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada.user)
    for address in ("/runs/new/", "/account/settings/", "/account/tokens/", "/library/"):
        assert strict.post(address, {}).status_code == 403, address


def test_the_session_cookie_is_for_the_server_alone(ada):
    client = Client()
    client.post("/login/", {"login": "ada", "password": "plumb-line-9"})
    cookie = client.cookies["session"]
    assert (cookie["httponly"], cookie["samesite"], cookie["domain"]) == (True, "Lax", "")


@pytest.mark.parametrize("password", ["password123", "1234567890", "qwertyuiop", "short", "iloveyou12"])
def test_a_password_that_everybody_knows_is_refused(client, ada, password):
    given = {"old_password": "plumb-line-9", "new_password1": password, "new_password2": password}
    assert client.post("/account/password/", given).status_code == 422
    assert may_enter("ada", "plumb-line-9")


def test_a_long_password_of_any_letters_is_taken_as_it_is(client, ada):
    password = " Füße 猫 " + "x" * 100 + "  "
    given = {"old_password": "plumb-line-9", "new_password1": password, "new_password2": password}
    assert client.post("/account/password/", given).status_code == 302
    assert may_enter("ada", password)
    assert not may_enter("ada", password.strip())
