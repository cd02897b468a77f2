"""The settings of a user: shown as they are, kept as they were sent, and the password."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from research.accounts.people import ensure_local_account
from research.models import UserSettings
from tests.people import may_enter
from tests.web.pages import tree, words

PAGE, PASSWORD = "/account/settings/", "/account/password/"
ALL_MAIL = {"mail_asked": "on", "mail_failures": "on", "mail_schedules": "on"}
SENT = {"theme": "dark", "language": "de", "single_keys": "on", **ALL_MAIL}


def list_checked(page):
    return set(tree(page).xpath("//main//input[@checked]/@id"))


def test_at_first_everything_is_as_the_defaults_say(client):
    page = client.get(PAGE)
    assert list_checked(page) == {
        "id_theme_0", "id_single_keys", "id_mail_asked", "id_mail_failures", "id_mail_schedules",
    }  # fmt: skip
    assert tree(page).xpath("//select[@name='language']/option[@selected]/text()") == ["Same as browser"]
    assert not UserSettings.objects.exists(), "looking changes nothing"


def test_what_is_saved_is_shown_and_counts(ada, client):
    answer = client.post(PAGE, SENT | {"mail_asked": "", "single_keys": ""})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    row = UserSettings.objects.get(user=ada.user)
    assert (row.theme, row.language, row.single_keys) == ("dark", "de", False)
    assert (row.mail_asked, row.mail_failures, row.mail_schedules) == (False, True, True)
    page = client.get(PAGE)
    assert {"id_theme_2", "id_mail_failures", "id_mail_schedules"} == list_checked(page)
    assert (tree(page).get("data-theme"), tree(page).get("lang"), tree(page).get("data-keys")) == (
        "dark", "de", "off",
    )  # fmt: skip


def test_the_browsers_language_can_be_had_again(client):
    client.post(PAGE, SENT)
    client.post(PAGE, SENT | {"language": ""})
    assert tree(client.get(PAGE, headers={"accept-language": "en"})).get("lang") == "en"


@pytest.mark.parametrize("fault", [{"theme": "neon"}, {"theme": ""}, {"language": "fr"}])
def test_nonsense_is_named_and_changes_nothing(client, fault):
    answer = client.post(PAGE, SENT | fault)
    assert answer.status_code == 422
    [link] = tree(answer).xpath("//*[@id='error-summary']//a/@href")
    assert tree(answer).xpath(f"//*[@id='{link[1:]}']")
    assert not UserSettings.objects.exists()


def test_a_mistake_loses_nothing_of_what_else_was_chosen(client):
    answer = client.post(PAGE, SENT | {"language": "fr", "mail_failures": ""})
    assert {"id_theme_2", "id_mail_asked", "id_mail_schedules", "id_single_keys"} == list_checked(answer)


def test_each_mail_is_described_and_where_it_goes(ada, client):
    assert "Your account has no e-mail address" in words(client.get(PAGE))
    User.objects.update(email="ada@plumb.example")
    page = words(client.get(PAGE))
    assert "Sent to ada@plumb.example" in page
    assert "One mail for each question" in page
    assert "One mail for each run and reason" in page
    assert "What is new, changed or gone since the previous run" in page


def test_settings_are_ones_own(client, stranger, ada):
    client.post(PAGE, SENT)
    stranger.post(PAGE, SENT | {"theme": "light"})
    assert UserSettings.objects.get(user=ada.user).theme == "dark"
    assert UserSettings.objects.count() == 2


NEW = {"new_password1": "brass-plummet-7", "new_password2": "brass-plummet-7"}


def test_the_password_is_changed_and_other_devices_have_to_sign_in_again(ada, client):
    other = Client()
    other.force_login(ada.user)
    answer = client.post(PASSWORD, {"old_password": "plumb-line-9", **NEW})
    assert answer["Location"] == PAGE
    assert "Your password has been changed." in words(client.get(PAGE))
    assert other.get("/").status_code == 302
    assert may_enter("ada", "brass-plummet-7")


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        ({"old_password": "wrong", **NEW}, "entered incorrectly"),
        ({"old_password": "plumb-line-9", **NEW, "new_password2": "other"}, "match"),
        ({"old_password": "plumb-line-9", "new_password1": "abc", "new_password2": "abc"}, "too short"),
        ({}, "required"),
    ],
)
def test_a_password_that_will_not_do_is_refused_with_the_reason(client, sent, complaint):
    answer = client.post(PASSWORD, sent)
    assert answer.status_code == 422
    assert complaint in words(answer)
    assert tree(answer).xpath("//*[@id='error-summary']//a")
    assert may_enter("ada", "plumb-line-9")


def test_passwords_can_be_pasted_and_filled_in_by_a_manager(client):
    fields = tree(client.get(PASSWORD)).xpath("//main//input[@autocomplete]/@autocomplete")
    assert fields == ["username", "current-password", "new-password", "new-password"]


def test_an_account_without_a_password_has_none_to_change(db):
    browser = Client()
    browser.force_login(ensure_local_account().user)
    assert PASSWORD not in browser.get(PAGE).content.decode()
    assert "manage.py changepassword demo" in words(browser.get(PAGE))
    answer = browser.get(PASSWORD)
    assert (answer.status_code, "has no password" in words(answer)) == (403, True)
