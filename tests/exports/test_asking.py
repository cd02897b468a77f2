"""Asking for a file: the same wish is the same file, what cannot be had is refused, a lost message costs time only."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.citation_styles import CitationStyle
from citations.models import Recheck
from config.limit_settings import table
from exports.files.request_export import ExportRefused, ask_again, make_again, request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.models import Export, ExportCode, ExportState
from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.exports.test_making import make_and_reload
from tests.worlds import finish, make_report

pytestmark = pytest.mark.usefixtures("export_ids")


def ask(world, **options) -> Export:
    return request_export(world.run, Format.CSV, ExportOptions(**options), world.person.user)


def test_who_asks_twice_gets_the_same_file(within):
    assert ask(within) == ask(within)
    assert Export.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"citation_style": CitationStyle.IEEE},
        {"include_appendix": False},
        {"include_sources": False},
        {"include_raw_data": True},
        {"language": "de"},
    ],
)
def test_another_wish_is_another_file(within, other):
    assert ask(within) != ask(within, **other)


def test_another_version_of_the_report_is_another_file(within):
    first = ask(within)
    within.run.report_version = 2
    assert ask(within) != first


def test_a_later_look_at_the_sources_is_another_file(within):
    first = ask(within)
    Recheck.objects.create(source=within.trial, state="done", finished_at=timezone.now())
    assert ask(within) != first


def test_a_file_that_is_there_is_not_made_again(within, plain):
    first = make_and_reload(ask(within))
    again = ask(within)
    assert (again.state, again.object_key) == (ExportState.READY, first.object_key)


def test_what_failed_is_made_anew_when_it_is_asked_for(within):
    failed = ask(within)
    Export.objects.update(state=ExportState.FAILED, error_code=ExportCode.BROKEN, error="It broke.")
    again = ask(within)
    assert (again, again.state, again.error_code) == (failed, ExportState.WAITING, "")


def test_what_has_ended_is_made_anew_when_it_is_asked_for(within, plain):
    make_and_reload(ask(within))
    Export.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert ask(within).state == ExportState.WAITING


def test_a_file_can_be_made_again_though_it_is_there(within, plain):
    row = make_and_reload(ask(within))
    make_again(row)
    row.refresh_from_db()
    assert (row.state, row.object_key, row.file_size) == (ExportState.WAITING, "", None)


def test_what_is_being_made_is_not_begun_again(within):
    ask(within)
    taken = {"state": ExportState.MAKING, "taken_until": timezone.now() + timedelta(minutes=1), "fence": 3}
    Export.objects.update(**taken)
    make_again(Export.objects.get())
    assert (Export.objects.get().state, Export.objects.get().fence) == (ExportState.MAKING, 3)


def test_a_report_that_is_still_written_has_no_file(within):
    Run.objects.filter(pk=within.run.pk).update(state=State.SYNTHESIZING)
    with pytest.raises(ExportRefused, match="still being written"):
        request_export(Run.objects.get(), Format.CSV, ExportOptions(), None)
    assert not Export.objects.exists()


def test_a_run_without_a_report_has_no_file(within):
    Run.objects.filter(pk=within.run.pk).update(report_version=0)
    with pytest.raises(ExportRefused, match="no report"):
        request_export(Run.objects.get(), Format.CSV, ExportOptions(), None)


def test_what_a_failed_run_has_written_can_be_taken_along(within):
    finish(within.run, State.FAILED)
    assert ask(within).state == ExportState.WAITING


def test_a_workspace_asks_for_so_many_files_an_hour(within, settings):
    few = table("X", "exports_an_hour=1", "exports_an_hour=1")
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, **few}
    ask(within)
    with pytest.raises(ExportRefused, match="hourly limit for files"):
        ask(within, language="de")
    assert Export.objects.count() == 1
    assert ask(within).state == ExportState.WAITING  # the one that is there


@pytest.mark.django_db(transaction=True)
def test_workers_hear_of_it_once_it_is_committed(ada, export_ids):
    world = make_report(ada)
    with tenant_context(ada.tenant.pk):
        row = ask(world)
        assert export_ids == []
    assert export_ids == [str(row.pk)]


def test_a_lost_message_is_sent_again(within, export_ids):
    row = ask(within)
    assert ask_again() == 0
    Export.objects.update(updated_at=timezone.now() - timedelta(minutes=1))
    assert (ask_again(), export_ids) == (1, [str(row.pk)])


def test_what_a_dead_worker_left_is_asked_for_at_once(within, export_ids):
    row = ask(within)
    taken = {"state": ExportState.MAKING, "taken_by": "gone"}
    Export.objects.update(**taken, taken_until=timezone.now() + timedelta(minutes=1))
    assert ask_again() == 0
    Export.objects.update(taken_until=timezone.now() - timedelta(seconds=1))
    assert (ask_again(), export_ids) == (1, [str(row.pk)])
