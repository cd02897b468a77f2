"""Accounts: guessed, found open, asked about. What the sign-in pages do is in `tests/web/test_sign_in_safety.py`."""

import threading
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib import admin
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import timezone

from config.services import process_roles
from research.admin.base_admin import ValidatedLookupAdmin
from research.db.tenancy import tenant_context
from research.models import Act, AuditEntry, Outcome, Role
from research.web.account.sign_in_page import unseen
from tests.people import join
from tests.web.test_sign_in_safety import RIGHT, code_of, second_step_secret

__all__ = ["second_step_secret"]
STEP, CONFIRM = "/login/second-step/", "/account/confirm/code/"


@pytest.fixture
def ada(db):
    return join("ada")


def at_the_second_step() -> Client:
    client = Client()
    client.post("/login/", RIGHT)
    return client


def guess(client: Client, number: int, path: str = STEP) -> list[int]:
    return [client.post(path, {"code": f"{number:06}"}).status_code for number in range(number)]


def later(**after: int) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(**after), tick=False)


def test_codes_are_not_guessed_one_after_the_other(ada, second_step_secret):
    assert guess(at_the_second_step(), 6) == [200] * 5 + [429]
    with tenant_context(ada.tenant.pk):
        assert AuditEntry.objects.filter(act=Act.LOCKED_OUT, after={"step": "second factor"}).count() == 1


def test_after_too_many_even_the_right_one_waits_from_wherever_it_comes(second_step_secret):
    guess(at_the_second_step(), 5)
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    elsewhere.post("/login/", RIGHT)
    with later(seconds=60):
        assert elsewhere.post(STEP, {"code": code_of(second_step_secret)}).status_code == 429
    with later(minutes=16):
        client = at_the_second_step()
        assert client.post(STEP, {"code": code_of(second_step_secret)}).status_code == 302


def test_a_cache_that_lost_its_memory_gives_no_further_codes(second_step_secret):
    client = at_the_second_step()
    guess(client, 5)
    cache.clear()
    assert client.post(STEP, {"code": "999999"}).status_code == 429


def test_a_right_code_ends_the_count(second_step_secret):
    client = at_the_second_step()
    guess(client, 4)
    with later(seconds=60):
        assert client.post(STEP, {"code": code_of(second_step_secret)}).status_code == 302
    assert not AccessAttempt.objects.exists()


def test_a_code_that_was_seen_opens_nothing_again_whatever_the_cache_knows(second_step_secret):
    with later(seconds=60):
        assert at_the_second_step().post(STEP, {"code": code_of(second_step_secret)}).status_code == 302
        cache.clear()
        watcher = at_the_second_step()
        assert watcher.post(STEP, {"code": code_of(second_step_secret)}).status_code == 200
        assert watcher.get("/").status_code == 302


def test_who_found_a_session_open_does_not_guess_the_code_there(ada, second_step_secret):
    client = ada.sign_in()
    guess(client, 5, CONFIRM)
    with later(seconds=60):
        client.post(CONFIRM, {"code": code_of(second_step_secret)})
        assert client.get("/account/second-step/off/")["Location"].startswith("/account/confirm/")


def test_what_comes_without_a_code_is_asked_for_one(second_step_secret):
    answer = at_the_second_step().post(STEP, {"credential": "{}"})
    assert (answer.status_code, answer.context["form"].errors.keys()) == (200, {"code"})


def test_who_found_a_session_open_does_not_guess_the_password_there(ada):
    client = ada.sign_in()
    new = {"new_password1": "brass-plummet-7", "new_password2": "brass-plummet-7"}
    codes = [
        client.post("/account/password/", {"old_password": f"wrong-{number}", **new}).status_code
        for number in range(6)
    ]
    assert codes[0] == 422
    assert codes[-1] == 429
    ada.user.refresh_from_db()
    assert ada.user.check_password(RIGHT["password"])


class Slow(EmailBackend):
    """A server that takes its time: until the test lets it."""

    go_on = threading.Event()

    def send_messages(self, email_messages):
        assert self.go_on.wait(timeout=30)
        return super().send_messages(email_messages)


def test_how_long_a_mail_takes_does_not_tell_that_there_was_one(ada, settings):
    ada.user.email = "ada@example.org"
    ada.user.save()
    settings.EMAIL_BACKEND = "tests.threats.test_accounts.Slow"
    assert Client().post("/password/reset/", {"email": "ada@example.org"}).status_code == 302
    assert mail.outbox == []  # the page was there before
    Slow.go_on.set()
    unseen.submit(int).result(timeout=30)
    assert [one.to for one in mail.outbox] == [["ada@example.org"]]


@pytest.mark.django_db
def test_nobodys_mailbox_is_filled_by_asking_for_passwords():
    asked = [
        Client().post("/password/reset/", {"email": "ada@example.org"}, REMOTE_ADDR=f"203.0.113.{number}")
        for number in range(6)
    ]
    assert [one.status_code for one in asked] == [302] * 5 + [429]


def test_the_server_believes_no_header_about_who_asks():
    assert "--no-proxy-headers" in process_roles.web("--port", "8000")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked",
    [
        "usersessions/usersession/?session_key__startswith=a",
        "research/apitoken/?token_hash__startswith=a",
        "research/invitation/?token_hash__startswith=a",
        "exports/sharelink/?token_hash__startswith=a",
        "research/mail/?body__contains=invitations",
        "auth/user/?password__startswith=argon2",
        "mfa/authenticator/?data__contains=secret",
    ],
)
def test_who_looks_at_rows_is_told_no_secret_letter_by_letter(asked):
    root = join("root", is_staff=True, is_superuser=True).sign_in()
    assert root.get(f"/admin/{asked}").status_code == 400


@pytest.mark.django_db
def test_an_address_that_is_none_is_no_fault_of_the_admin():
    root = join("root", is_staff=True, is_superuser=True).sign_in()
    lists = {
        "axes/accessattempt": "ip_address",
        "axes/accesslog": "ip_address",
        "axes/accessfailurelog": "ip_address",
        "usersessions/usersession": "ip",
        "research/auditentry": "address",
        "research/siteauditentry": "address",
    }
    asked = [f"/admin/{table}/?{column}{how}" for table, column in lists.items()
             for how in ("=9999", "__in=::1,x", "__gt=x")]  # fmt: skip
    assert {path for path in asked if root.get(path).status_code != 400} == set()
    assert {root.get(f"/admin/{table}/?{column}=::1").status_code for table, column in lists.items()} == {200}


@pytest.mark.django_db
def test_nobody_gives_a_second_factor_to_another_or_sees_what_makes_its_codes(ada, second_step_secret):
    root = join("root", is_staff=True, is_superuser=True)
    client, row = root.sign_in(), Authenticator.objects.get(user=ada.user, type="totp")
    page = f"/admin/mfa/authenticator/{row.pk}/change/"
    assert row.data["secret"] not in client.get(page).text
    sent = {"user": root.user.pk, "type": row.type, "data": "{}"}
    assert [client.post(path, sent).status_code for path in (page, "/admin/mfa/authenticator/add/")] == [
        403
    ] * 2
    assert client.post(f"/admin/mfa/authenticator/{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.filter(pk=row.pk).exists()


@pytest.mark.django_db
def test_nonsense_in_forms_and_lists_is_no_fault_of_the_admin(settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "posts_a_minute": (10_000,)}
    root, faults = join("root", is_staff=True, is_superuser=True).sign_in(), []
    root.raise_request_exception = False
    for model, table in admin.site._registry.items():
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        names = [field.name for field in model._meta.fields]
        answers = [
            root.get(f"{path}add/", dict.fromkeys(names, "2026-01-01 10:00")),
            root.post(f"{path}add/", dict.fromkeys(names, "1")),
        ]
        if isinstance(table, ValidatedLookupAdmin):
            chosen = {"action": "delete_selected", "_selected_action": "no key", "index": "0"}
            answers.append(root.post(path, chosen))
        faults += [path for answer in answers if answer.status_code >= 500]
    assert faults == []


@pytest.mark.django_db
def test_lists_of_the_admin_run_no_pattern_of_a_visitor_and_fail_at_no_question() -> None:
    root, faults = join("root", is_staff=True, is_superuser=True).sign_in(), []
    root.raise_request_exception = False
    for model, table in admin.site._registry.items():
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        name = model._meta.pk.name
        asked = [
            f"{name}__regex=(((",
            f"{name}__range=x",
            f"{name}__contains=%00",
            f"{name}=%00",
            "q=%00",
            "%00=x",
        ]
        if "created_at" in {field.name for field in model._meta.fields}:
            asked += [
                "created_at__year=99999",
                "created_at__year=0",
                "created_at__month=x",
                "created_at__hour=99",
            ]
        faults += [
            f"{path}?{one}" for one in asked if root.get(f"{path}?{one}").status_code not in (302, 400)
        ]
        if not isinstance(table, ValidatedLookupAdmin) or root.get(f"{path}?q=a").status_code != 200:
            faults.append(path)
    assert faults == []


@pytest.mark.django_db
def test_who_is_refused_the_sites_own_trail_is_told_so_and_it_is_on_record(ada):
    rita = join("rita", role=Role.REVIEWER, tenant=ada.tenant, is_staff=True)
    assert rita.sign_in().post("/admin/research/siteauditentry/add/").status_code == 403
    with tenant_context(ada.tenant.pk):
        assert AuditEntry.objects.filter(who="rita", outcome=Outcome.REFUSED).exists()
