"""The mail to a schedule's owner when a run of it has ended."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import Claim
from research.models import Mail, Run, State
from research.runs.schedules.run_schedule_mail import tell_owners
from tests.comparison.runs import two_reports
from tests.worlds import cite, finish

ADDRESS = "ada@plumb.example"


@pytest.fixture
def follow_up_schedule(world):
    """A schedule whose last run is a report that follows another."""
    user = world.person.user
    user.email = ADDRESS
    user.save()
    two = two_reports(world.person)
    schedule = world.schedule(sends_mail=True, name="Heat pumps, daily")
    two.new.run.schedule = schedule
    with world.inside():
        two.new.run.save()
        schedule.last_run = two.new.run
        schedule.save()
    return two


def mails(world):
    with world.inside():
        return list(Mail.objects.all())


def test_the_owner_is_told_what_changed_with_a_link(world, follow_up_schedule, settings):
    settings.PLUMBLINE_URL = "https://plumbline.example"
    follow_up_schedule.change(3, text="Oil fell by 40 percent.")
    assert tell_owners() == 1
    [mail] = mails(world)
    assert mail.to == ADDRESS
    assert mail.subject.startswith("Heat pumps, daily: 1 claim changed since ")
    assert "Oil fell by 30 percent.\n  → Oil fell by 40 percent." in mail.body
    assert f"https://plumbline.example/runs/{follow_up_schedule.new.run.pk}/changes/" in mail.body


def test_new_and_gone_claims_are_named(world, follow_up_schedule):
    follow_up_schedule.leave_out(2)
    follow_up_schedule.change(1, text="A wholly different sentence on insulation.")
    tell_owners()
    [mail] = mails(world)
    assert "New\n- A wholly different sentence on insulation." in mail.body
    assert "- Backup heaters ran for forty hours." in mail.body


def test_they_are_told_once(world, follow_up_schedule):
    assert [tell_owners(), tell_owners()] == [1, 0]
    assert len(mails(world)) == 1


def test_without_a_change_the_mail_says_so(world, follow_up_schedule):
    tell_owners()
    assert "No claim has changed since" in mails(world)[0].subject


def test_while_the_run_is_going_nobody_is_told(world, follow_up_schedule):
    with world.inside():
        finish(follow_up_schedule.new.run, State.READING)
    assert tell_owners() == 0


def test_a_run_that_failed_is_told_with_why(world, follow_up_schedule):
    with world.inside():
        finish(follow_up_schedule.new.run, State.FAILED)
    tell_owners()
    [mail] = mails(world)
    assert "the run ended without a report" in mail.subject
    assert "No source could be read." in mail.body


@pytest.mark.parametrize("reason", ["not wanted", "no address", "another run", "long ago"])
def test_nobody_is_told_who_should_not_be(world, follow_up_schedule, reason):
    with world.inside():
        schedule = follow_up_schedule.new.run.schedule
        if reason == "not wanted":
            schedule.sends_mail = False
        if reason == "another run":
            schedule.last_run = follow_up_schedule.old.run  # the one that the schedule was made from
        schedule.save()
        if reason == "long ago":
            Run.objects.update(updated_at=timezone.now() - timedelta(days=2))
    if reason == "no address":
        world.person.user.email = ""
        world.person.user.save()
    assert tell_owners() == 0
    assert mails(world) == []


def test_a_long_list_is_cut_and_says_so(world, follow_up_schedule):
    with world.inside():
        section = follow_up_schedule.new.claims[0].section
        for number in range(10, 25):
            place = {"section": section, "number": number, "position": number}
            claim = Claim.objects.create(
                run=follow_up_schedule.new.run, text=f"Village {number} has {number} wells.", **place
            )
            cite(claim, follow_up_schedule.new.trial, "Eleven homes were measured over two winters.")
    tell_owners()
    assert "… and 5 more" in mails(world)[0].body
