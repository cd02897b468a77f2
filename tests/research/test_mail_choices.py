"""A user gets the mail that the settings ask for, in the language of the settings, and no other."""

import re

import pytest
from django.utils import translation

from research.accounts.notification_mail import reader_of
from research.accounts.people import AccountBackend, settings_of
from research.db.tenancy import tenant_context
from research.engine.states.escalation_mail import mail_owner
from research.engine.states.step_failure_mail import mail_failure
from research.models import Mail, Membership, Notice, Schedule, State, UserSettings
from research.runs.schedules.run_schedule_mail import tell_owners
from tests.people import join
from tests.web.asked import ask_about_claims
from tests.worlds import finish, make_report

SWITCHES = {
    Notice.ASKED: "mail_asked",
    Notice.FAILURE: "mail_failures",
    Notice.SCHEDULE_RUN: "mail_schedules",
}


@pytest.fixture
def world(db):
    world = make_report(join("ada"))
    user = world.person.user
    user.email = "ada@plumb.example"
    user.save()
    return world


@pytest.fixture
def tell_all(world):
    """Have every kind of mail be due; the kinds that were posted."""

    def tell():
        asked = ask_about_claims(world, 2)
        user = AccountBackend().get_user(world.person.user.pk)
        with tenant_context(world.person.tenant.pk):
            world.run.owner = user
            mail_owner(world.run, asked, 2)
            mail_failure(world.run, "DATA_CORRUPTION", "A file is damaged.")
            schedule = Schedule.objects.create(
                name="Weekly", kind="report", topic="Again?", cron="0 6 * * 1", owner=user, sends_mail=True,
                last_run=world.run,
            )  # fmt: skip
            world.run.schedule = schedule
            world.run.save(update_fields=["schedule"])
            finish(world.run, State.COMPLETED)
        tell_owners()
        with tenant_context(world.person.tenant.pk):
            return {mail.kind: mail for mail in Mail.objects.all()}

    return tell


def test_whoever_chose_nothing_gets_all(tell_all):
    assert set(tell_all()) == set(Notice.values)


@pytest.mark.parametrize("notice", Notice)
def test_what_is_not_wanted_is_not_written_and_the_rest_is(world, tell_all, notice):
    UserSettings.objects.create(user=world.person.user, **{SWITCHES[notice]: False})
    assert set(tell_all()) == set(Notice.values) - {notice}


def test_every_notice_has_its_switch():
    for notice in Notice:
        assert UserSettings().wants(notice)
        assert not UserSettings(**{SWITCHES[notice]: False}).wants(notice)


def test_mail_is_written_in_the_language_of_its_reader(world, tell_all):
    UserSettings.objects.create(user=world.person.user, language="de")
    asked = tell_all()[Notice.ASKED]
    assert re.search(r"\d{1,2}\. \w+ 20\d\d", asked.body), "a date as in German"
    assert translation.get_language() == "en"


@pytest.mark.parametrize(("language", "written_in"), [("", "en"), ("de", "de")])
def test_without_a_choice_mail_is_in_the_sites_language(world, language, written_in):
    UserSettings.objects.create(user=world.person.user, language=language)
    user = AccountBackend().get_user(world.person.user.pk)
    with tenant_context(world.person.tenant.pk):
        assert reader_of(user, Notice.ASKED).language == written_in


def test_who_left_the_workspace_gets_no_mail_of_it(world):
    with tenant_context(world.person.tenant.pk):
        assert reader_of(world.person.user, Notice.ASKED) is not None
        Membership.objects.all().delete()
        assert reader_of(world.person.user, Notice.ASKED) is None


def test_without_an_address_there_is_no_reader(world):
    world.person.user.email = "ada"
    assert reader_of(world.person.user, Notice.ASKED) is None


def test_a_requests_user_comes_with_settings_and_may_be_gone_or_inactive(world, django_assert_num_queries):
    user = world.person.user
    UserSettings.objects.create(user=user, theme="dark")
    with django_assert_num_queries(1):
        assert settings_of(AccountBackend().get_user(user.pk)).theme == "dark"
    user.is_active = False
    user.save()
    assert AccountBackend().get_user(user.pk) is None
    assert AccountBackend().get_user(0) is None


def test_defaults_are_not_stored(world):
    assert settings_of(world.person.user).theme == "system"
    assert not UserSettings.objects.exists()
