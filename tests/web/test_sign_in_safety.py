"""Passwords that are guessed, forgotten and stolen: what the sign-in pages do about it."""

import re
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from axes.models import AccessAttempt
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.utils import timezone

from config import settings as product
from research.db.tenancy import tenant_context
from research.models import AuditEntry, Outcome
from research.web.account.sign_in_page import unseen
from tests.people import join
from tests.web.pages import words

RIGHT = {"login": "ada", "password": "plumb-line-9"}
WRONG = RIGHT | {"password": "plumb-line-8"}


def tries(client: Client, number: int, sent: dict[str, str] = WRONG, **extra: str) -> list[int]:
    return [client.post("/login/", sent, **extra).status_code for _ in range(number)]


def test_five_wrong_passwords_close_the_door_for_a_quarter_of_an_hour(ada):
    assert tries(Client(), 5)[-1] == 429
    locked = Client().post("/login/", RIGHT)
    assert (locked.status_code, locked["Retry-After"]) == (429, "900")
    assert "Try again in 15 minutes" in words(locked)


def test_the_door_opens_again_by_itself(ada):
    tries(Client(), 5)
    with time_machine.travel(timezone.now() + timedelta(minutes=15, seconds=1), tick=False):
        assert Client().post("/login/", RIGHT).status_code == 302


def test_who_comes_from_elsewhere_is_not_locked_out_by_a_guesser(ada):
    tries(Client(), 6, REMOTE_ADDR="203.0.113.9")
    assert Client().post("/login/", RIGHT).status_code == 302


def test_another_account_may_still_sign_in_from_there(ada):
    join("bob")
    tries(Client(), 6)
    assert Client().post("/login/", RIGHT | {"login": "bob"}).status_code == 302


def test_letters_of_another_size_give_no_further_tries(ada):
    tries(Client(), 3)
    assert tries(Client(), 2, WRONG | {"login": "ADA"})[-1] == 429


def test_a_header_that_anybody_can_send_gives_no_further_tries(ada):
    codes = [
        Client().post("/login/", WRONG, headers={"X-Forwarded-For": f"198.51.100.{number}"}).status_code
        for number in range(5)
    ]
    assert codes[-1] == 429
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"127.0.0.1"}


def test_behind_a_proxy_of_ones_own_its_word_counts(ada, settings):
    settings.PLUMBLINE_PROXIES = 1
    tries(Client(), 5, HTTP_X_FORWARDED_FOR="198.51.100.1, 203.0.113.9")
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"203.0.113.9"}


def test_passwords_are_kept_as_argon2():
    assert product.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")
    assert Argon2PasswordHasher().encode("plumb-line-9", "saltsalt").startswith("argon2$argon2id$")


def test_an_unknown_name_gets_the_same_answer_as_a_wrong_password(ada):
    unknown = Client().post("/login/", WRONG | {"login": "nobody"})
    known = Client().post("/login/", WRONG)
    assert words(unknown).replace("nobody", "ada") == words(known)


def test_an_address_signs_in_as_well_as_a_name(ada):
    ada.user.email = "ada@example.org"
    ada.user.save()
    assert Client().post("/login/", RIGHT | {"login": "Ada@Example.org"}).status_code == 302


def test_signing_in_gives_a_new_session(ada):
    client = Client()
    client.session.save()
    client.get("/login/")
    before = client.session.session_key
    client.post("/login/", RIGHT)
    assert client.session.session_key != before


def test_nobody_makes_an_account_for_themselves(db):
    assert Client().get("/signup/").status_code == 404


def test_the_admin_has_no_door_of_its_own(ada):
    answer = Client().get("/admin/login/?next=/admin/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=%2Fadmin%2F")


# --- a forgotten password ---------------------------------------------------------------------------


@pytest.fixture
def link(ada):
    ada.user.email = "ada@example.org"
    ada.user.save()
    Client().post("/password/reset/", {"email": "ada@example.org"})
    unseen.submit(int).result(timeout=30)  # behind the mail
    return re.search(r"http://testserver(/password/reset/\S+)", mail.outbox[0].body)[1]


def test_a_link_in_the_mail_leads_to_a_new_password(ada, link):
    client = Client()
    page = client.get(link, follow=True)
    new = {"password1": "brass-plummet-7", "password2": "brass-plummet-7"}
    assert client.post(page.request["PATH_INFO"], new).status_code == 302
    assert Client().post("/login/", RIGHT | {"password": "brass-plummet-7"}).status_code == 302


def test_the_link_works_once(ada, link):
    client = Client()
    page = client.get(link, follow=True)
    client.post(page.request["PATH_INFO"], dict.fromkeys(("password1", "password2"), "brass-plummet-7"))
    assert "This link no longer works" in words(Client().get(link, follow=True))


def test_an_address_that_nobody_has_gets_no_mail_and_the_same_answer(ada):
    answer = Client().post("/password/reset/", {"email": "nobody@example.org"}, follow=True)
    assert "If there is an account with this address" in words(answer)
    assert mail.outbox == []


def test_a_mail_server_that_is_away_gives_the_same_answer(ada, settings):
    ada.user.email = "ada@example.org"
    ada.user.save()
    settings.EMAIL_BACKEND = "tests.web.test_sign_in_safety.Away"
    answer = Client().post("/password/reset/", {"email": "ada@example.org"}, follow=True)
    assert "If there is an account with this address" in words(answer)


class Away(BaseEmailBackend):
    def send_messages(self, email_messages):
        raise ConnectionRefusedError


# --- the second step ---------------------------------------------------------------------------------


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


@pytest.fixture
def second_step_secret(ada):
    """Ada with a second step; returns her secret."""
    client = Client()
    client.post("/login/", RIGHT)
    client.post("/account/confirm/", {"password": RIGHT["password"]})
    page = client.get("/account/second-step/on/")
    secret = page.context["form"].secret
    assert client.post("/account/second-step/on/", {"code": code_of(secret)}).status_code == 302
    return secret


def test_after_the_password_a_code_is_asked_for(second_step_secret):
    client = Client()
    assert client.post("/login/", RIGHT)["Location"] == "/login/second-step/"
    assert client.get("/").status_code == 302  # still nobody
    with time_machine.travel(timezone.now() + timedelta(seconds=60)):
        assert client.post("/login/second-step/", {"code": code_of(second_step_secret)}).status_code == 302
    assert client.get("/").status_code == 200


def test_a_wrong_code_lets_nobody_in(ada, second_step_secret):
    client = Client()
    client.post("/login/", RIGHT)
    assert "Incorrect code" in words(client.post("/login/second-step/", {"code": "000000"}))
    assert client.get("/").status_code == 302
    with tenant_context(ada.tenant.pk):
        wrong = AuditEntry.objects.get(outcome=Outcome.FAILED)
    assert (wrong.act, wrong.who, wrong.after) == ("account.sign_in", "ada", {"step": "second factor"})


def test_a_recovery_code_works_once(ada, second_step_secret):
    client = Client()
    client.post("/login/", RIGHT)
    codes = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).wrap().get_unused_codes()
    assert client.post("/login/second-step/", {"code": codes[0]}).status_code == 302
    again = Client()
    again.post("/login/", RIGHT)
    assert again.post("/login/second-step/", {"code": codes[0]}).status_code == 200


def test_the_secret_is_kept_sealed(second_step_secret):
    kept = Authenticator.objects.get(type=Authenticator.Type.TOTP).data
    assert second_step_secret not in str(kept)


def test_the_second_step_is_turned_off_only_by_who_proves_it(second_step_secret, ada):
    client = ada.sign_in()  # a session that somebody left open
    assert client.post("/account/second-step/off/")["Location"].startswith("/account/confirm/")
    assert Authenticator.objects.filter(user=ada.user, type=Authenticator.Type.TOTP).exists()


# --- sessions ------------------------------------------------------------------------------------------


def test_other_sessions_are_listed_and_ended(ada):
    here, there = Client(), Client()
    there.post("/login/", RIGHT, headers={"User-Agent": "Lynx"})
    here.post("/login/", RIGHT)
    assert "Lynx" in words(here.get("/account/sessions/"))
    here.post("/account/sessions/")
    assert (here.get("/").status_code, there.get("/").status_code) == (200, 302)
