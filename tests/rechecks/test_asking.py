"""Members request a recheck of a source, within a limit, and a lost message costs time only."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import Recheck
from config.limit_settings import table
from research.db.tenancy import tenant_context
from research.library.rechecks.request_library_rechecks import RecheckRefused, ask_again, request_recheck
from research.models import Source


def test_two_who_ask_get_the_same_look(page_with_citations):
    assert page_with_citations.ask() == page_with_citations.ask()


def test_the_same_source_is_not_looked_at_again_at_once(page_with_citations):
    page_with_citations.look()
    with pytest.raises(RecheckRefused, match="Try again in 10 minutes"):
        page_with_citations.ask()


def test_some_time_later_it_is(page_with_citations):
    first = page_with_citations.look()
    with tenant_context(first.tenant_id):
        later = request_recheck(page_with_citations.source, None, timezone.now() + timedelta(minutes=11))
    assert later != first


def test_the_operator_need_not_wait(page_with_citations):
    first = page_with_citations.look()
    with tenant_context(first.tenant_id):
        assert request_recheck(page_with_citations.source, None, is_limited=False) != first


def test_a_workspace_asks_so_often_an_hour(page_with_citations, settings):
    settings.PLUMBLINE_LIMITS = {
        **settings.PLUMBLINE_LIMITS,
        **table("X", "rechecks_an_hour=1", "rechecks_an_hour=1"),
    }
    page_with_citations.ask()
    with tenant_context(page_with_citations.world.person.tenant.pk):
        study = Source.objects.get(pk=page_with_citations.world.study.pk)
        with pytest.raises(RecheckRefused, match="hourly limit for source checks"):
            request_recheck(study, None)


def test_what_nobody_cites_is_not_looked_at(page_with_citations):
    with (
        tenant_context(page_with_citations.world.person.tenant.pk),
        pytest.raises(RecheckRefused, match="nothing to check"),
    ):
        request_recheck(Source.objects.get(pk=page_with_citations.world.note.pk), None)


def test_a_lost_message_is_sent_again(page_with_citations, broker_messages):
    asked = page_with_citations.ask()
    broker_messages.clear()
    assert (ask_again(), broker_messages) == (0, [])  # it was sent just now
    with tenant_context(asked.tenant_id):
        Recheck.objects.update(updated_at=timezone.now() - timedelta(minutes=3))
    assert ask_again() == 1
    assert broker_messages == [("research.tasks.fetch_for_recheck", str(asked.tenant_id), str(asked.pk))]


def test_what_waits_for_its_site_is_not_asked_for_before(page_with_citations, broker_messages):
    asked = page_with_citations.ask()
    broker_messages.clear()
    with tenant_context(asked.tenant_id):
        now = timezone.now()
        Recheck.objects.update(updated_at=now - timedelta(minutes=3), not_before=now + timedelta(minutes=1))
    assert (ask_again(), broker_messages) == (0, [])


def test_a_broker_that_is_away_loses_nothing(page_with_citations, monkeypatch):
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr("celery.current_app.send_task", refuse)
    asked = page_with_citations.ask()
    with tenant_context(asked.tenant_id):
        assert Recheck.objects.get().pk == asked.pk
