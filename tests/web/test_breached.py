"""Passwords from breaches, asked of a server of this machine."""

import hashlib

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from research.web.account import pwned_passwords
from tests.fetching.site import Said, serve_site

STOLEN, OTHER = "correct-plumb-line-7", "another-plumb-line-8"


def sha1(password: str) -> str:
    return hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()


def list_password(password: str, times: int) -> str:
    """Return the service's answer to a beginning: the password's line among others, one of which only pads."""
    return f"{'0' * 34}1:12\r\n{sha1(password)[5:]}:{times}\r\n{'F' * 35}:0\r\n"


@pytest.fixture
def service(settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = True
    with serve_site({}) as site:
        settings.PLUMBLINE_BREACHED_PASSWORDS_URL = site.base
        yield site


def answer(service, password: str, said: Said) -> None:
    service.pages[f"/range/{sha1(password)[:5]}"] = said


def test_a_password_from_a_breach_is_refused_and_only_five_letters_of_its_hash_are_told(service):
    answer(service, STOLEN, Said(list_password(STOLEN, 3), kind="text/plain"))
    with pytest.raises(ValidationError, match="stolen") as refused:
        validate_password(STOLEN)
    assert refused.value.error_list[0].code == "password_breached"
    assert service.asked == [f"/range/{sha1(STOLEN)[:5]}"]
    assert service.heard[0]["add-padding"] == "true"
    assert STOLEN not in str(service.heard)


def test_other_passwords_and_lines_that_only_pad_are_taken(service):
    answer(service, OTHER, Said(list_password(STOLEN, 3), kind="text/plain"))
    validate_password(OTHER)
    answer(service, OTHER, Said(list_password(OTHER, 0), kind="text/plain"))
    validate_password(OTHER)
    assert len(service.asked) == 2


@pytest.mark.parametrize("said", [Said("", 503), Said("<h1>Sign in to the wifi</h1>"), Said("", 200)])
def test_a_service_that_does_not_say_refuses_nobody_and_the_log_tells(service, said, caplog):
    answer(service, OTHER, said)
    with pytest.raises(pwned_passwords.BreachServiceError):
        pwned_passwords.times_seen(OTHER)
    with caplog.at_level("WARNING"):
        validate_password(OTHER)
    assert "breached_passwords_unknown" in caplog.text
    assert OTHER not in caplog.text


def test_a_service_inside_the_network_is_not_asked(service, settings):
    settings.PLUMBLINE_ALLOW_LOOPBACK = False
    validate_password(OTHER)
    assert service.asked == []


def test_nobody_is_asked_unless_an_operator_says_whom(service, settings):
    settings.PLUMBLINE_BREACHED_PASSWORDS_URL = ""
    validate_password(STOLEN)
    assert service.asked == []
