"""Mail: written with what happened, sent by the sweep through a server that may be away, refuse or break."""

import socket
from datetime import timedelta
from typing import ClassVar

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.utils import timezone

from research.accounts.notification_mail import (
    DOUBTFUL,
    MAX_PAUSE,
    MAX_TRIES,
    MIN_PAUSE,
    SENDING,
    TAKEN_FOR,
    address_of,
    link,
    pause_after,
    post,
    send_waiting,
)
from research.db.tenancy import create_tenant, tenant_context, tenant_ids
from research.models import Mail
from tests.fakes.smtp_server import smtp_server
from tests.people import join

SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def tenant(db):
    return create_tenant("Post office")


@pytest.fixture
def server(settings):
    with smtp_server() as server:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", server.port
        yield server


@pytest.fixture
def write(tenant):
    def write_one(ref="run 1", subject="Your run", body="It ended.", to="ada@plumb.example", kind="ended"):
        with tenant_context(tenant.pk):
            return post(kind, ref, to, subject, body)

    return write_one


@pytest.fixture
def mails_by_ref(tenant):
    """The rows, by their `ref`."""

    def rows():
        with tenant_context(tenant.pk):
            return {mail.ref: mail for mail in Mail.objects.order_by("created_at", "ref")}

    return rows


@pytest.fixture
def change(tenant):
    def update(**values):
        with tenant_context(tenant.pk):
            Mail.objects.update(**values)

    return update


def test_a_mail_goes_out_with_its_words_and_is_marked(server, write, mails_by_ref):
    assert write(subject="Grüsse", body="Öl costs 5 €.\n.\nlink")
    assert send_waiting() == 1
    [mail] = server.received
    assert (mail["Subject"], mail["To"], mail["From"]) == (
        "Grüsse", "ada@plumb.example", "plumbline@localhost",
    )  # fmt: skip
    assert mail.get_content().splitlines() == ["Öl costs 5 €.", ".", "link"]
    assert mails_by_ref()["run 1"].sent_at is not None


def test_what_is_sent_is_sent_once(server, write):
    write()
    assert [send_waiting(), send_waiting()] == [1, 0]
    assert len(server.received) == 1


def test_the_same_occasion_again_is_the_mail_of_the_first_time(write, mails_by_ref):
    write(body="first")
    assert write(body="second")
    assert mails_by_ref()["run 1"].body == "first"
    write(body="other", kind="asked")
    assert mails_by_ref()["run 1"].body == "other"


def test_what_did_not_happen_is_not_told(tenant, mails_by_ref):
    def fail():
        with tenant_context(tenant.pk), transaction.atomic():
            post("ended", "run 1", "ada@plumb.example", "s", "b")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert mails_by_ref() == {}


@pytest.mark.parametrize(
    "address", ["", "  ", "ada", "ada@", "a@b.example\nBcc: all@c.example", "a@b.example, c@d.example"]
)
def test_without_an_address_that_could_be_right_there_is_no_mail(write, mails_by_ref, address):
    assert not write(to=address)
    assert mails_by_ref() == {}


@pytest.mark.parametrize(
    "subject",
    [
        "Oil\nBcc: all@c.example",
        "Oil\r\nBcc: all@c.example",
        "Oil\x0bBcc: x",
        "Oil\u2028Bcc: x",
        "Oil\x00\x1b",
    ],
)
def test_no_question_writes_headers(server, write, subject):
    write(subject=subject)
    assert send_waiting() == 1
    [mail] = server.received
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("Oil")


def test_a_very_long_subject_is_cut(write, mails_by_ref):
    write(subject="why " * 200)
    assert len(mails_by_ref()["run 1"].subject) == 300
    assert mails_by_ref()["run 1"].subject.endswith("…")


def test_a_server_that_is_away_loses_nothing(settings, write, mails_by_ref, change):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND, settings.EMAIL_HOST = SMTP, "127.0.0.1"
        settings.EMAIL_PORT = closed.getsockname()[1]
        write()
        assert send_waiting() == 0
    mail = mails_by_ref()["run 1"]
    assert (mail.sent_at, mail.attempts) == (None, 1)
    assert "ConnectionRefusedError" in mail.error
    assert mail.not_before > timezone.now()
    with smtp_server() as server:
        settings.EMAIL_PORT = server.port
        assert send_waiting() == 0, "its pause is not over"
        change(not_before=timezone.now())
        assert send_waiting() == 1
    assert mails_by_ref()["run 1"].error == ""


def test_a_refusal_keeps_its_reason_and_does_not_hold_up_others(server, write, mails_by_ref):
    server.answer = lambda line: "550 no such user" if "bob@" in line else None
    write(ref="a", to="bob@plumb.example")
    write(ref="b")
    assert send_waiting() == 1
    assert "no such user" in mails_by_ref()["a"].error
    assert not mails_by_ref()["a"].error.startswith(DOUBTFUL)
    assert mails_by_ref()["b"].sent_at is not None


def test_a_connection_that_breaks_ends_the_round_and_is_tried_again(server, write, mails_by_ref, change):
    server.answer = lambda line: "" if line == "data" else None
    write(ref="a")
    write(ref="b")
    assert send_waiting() == 0
    assert (mails_by_ref()["a"].attempts, mails_by_ref()["b"].attempts) == (1, 0)
    server.answer = lambda line: None
    change(not_before=None)
    assert send_waiting() == 2


def kill_while_sending(change, again=False):
    change(attempts=1, not_before=timezone.now(), error=(DOUBTFUL if again else "") + SENDING)


def test_a_mail_whose_sender_was_killed_is_sent_once_more_under_the_same_name(
    server, write, mails_by_ref, change
):
    write()
    send_waiting()
    kill_while_sending(change)
    change(sent_at=None)
    assert send_waiting() == 1
    first, second = server.received
    assert first["Message-ID"] == second["Message-ID"]
    assert first["Date"] == second["Date"]


def test_a_mail_whose_sender_was_killed_twice_is_left_to_a_person(server, write, mails_by_ref, change):
    write()
    kill_while_sending(change, again=True)
    assert send_waiting() == 0
    assert mails_by_ref()["run 1"].error == DOUBTFUL + SENDING


def test_a_doubt_outlives_a_refusal(server, write, mails_by_ref, change):
    server.answer = lambda line: "451 later" if line.startswith("rcpt") else None
    write()
    kill_while_sending(change)
    assert send_waiting() == 0
    assert mails_by_ref()["run 1"].error.startswith(DOUBTFUL + "SMTPRecipientsRefused")


class Looking(EmailBackend):
    """Looks at the row, and sweeps, while a mail is on its way."""

    seen: ClassVar[list[tuple[str, timedelta, int]]] = []

    def send_messages(self, messages):
        with tenant_context(tenant_ids()[-1]):
            mail = Mail.objects.get()
        self.seen.append((mail.error, mail.not_before - timezone.now(), send_waiting()))
        return super().send_messages(messages)


def test_while_a_mail_is_on_its_way_nobody_else_sends_it(settings, write):
    settings.EMAIL_BACKEND = f"{__name__}.Looking"
    write()
    assert send_waiting() == 1
    [(error, pause, sent_beside)] = Looking.seen
    assert (error, sent_beside) == (SENDING, 0)
    assert timedelta() < pause <= TAKEN_FOR


@pytest.mark.parametrize(("attempts", "sent"), [(MAX_TRIES - 1, 1), (MAX_TRIES, 0)])
def test_tries_come_to_an_end(server, write, change, attempts, sent):
    write()
    change(attempts=attempts)
    assert send_waiting() == sent


def test_pauses_double_up_to_six_hours():
    assert [pause_after(1), pause_after(2)] == [MIN_PAUSE, 2 * MIN_PAUSE]
    assert pause_after(9) == timedelta(minutes=256)
    assert pause_after(10) == pause_after(MAX_TRIES) == MAX_PAUSE
    assert timedelta(days=4) < sum(map(pause_after, range(1, MAX_TRIES + 1)), timedelta()) < timedelta(days=5)


def test_no_address_or_word_of_a_mail_reaches_the_log(settings, write, caplog):
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", 1
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "plumbline", "hunter2"
    write(body="secret plans")
    send_waiting()
    assert "mail_server_away" in caplog.text
    assert not any(word in caplog.text for word in ("hunter2", "ada@", "secret plans"))


def test_every_tenants_mail_is_sent(server, write, tenant):
    write()
    other = create_tenant("Another")
    with tenant_context(other.pk):
        post("ended", "run 1", "bob@plumb.example", "s", "b")
    assert send_waiting() == 2
    assert {mail["To"] for mail in server.received} == {"ada@plumb.example", "bob@plumb.example"}


def test_a_user_who_left_or_gave_no_address_has_none(db):
    ada = join("ada").user
    assert address_of(ada) == ""
    ada.email = "ada@plumb.example"
    assert address_of(ada) == "ada@plumb.example"
    ada.is_active = False
    assert address_of(ada) == ""


def test_links_start_where_people_open_the_site(settings):
    settings.PLUMBLINE_URL = "https://plumbline.example"
    assert link("/runs/1/") == "https://plumbline.example/runs/1/"
