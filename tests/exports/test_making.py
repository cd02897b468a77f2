"""Making a file: it is stored whole, named and counted, or fails with a code; who comes second finds nothing to do."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.utils import timezone

from exports.files import export_lease
from exports.files import make_export as making
from exports.files.export_expiry import expire
from exports.files.export_lease import MAX_ATTEMPTS, LostLease
from exports.files.make_export import Maker, make
from exports.files.request_export import make_again, request_export
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from exports.models import Export, ExportCode, ExportState
from research.models import Run
from research.ops.retention.retention_of_files import tidy_tenant
from research.storage.object_store import get_object, put_object
from tests.library.test_tidying import age, file_of


def request_csv(world, **options) -> Export:
    return request_export(
        world.run, Format.CSV, ExportOptions(**options), world.person.user, wakes_worker=False
    )


def make_and_reload(row: Export) -> Export:
    make(row.tenant_id, row.pk)
    row.refresh_from_db()
    return row


def test_a_file_is_stored_with_its_name_and_its_end(within, plain, settings):
    settings.PLUMBLINE_EXPORT_DAYS = 9
    row = make_and_reload(request_csv(within))
    data = get_object(row.object_key)
    assert data.startswith(b"en: Do heat pumps work")
    assert (row.state, row.progress, row.file_size) == (ExportState.READY, 1, len(data))
    assert (row.sha256, row.filename) == (sha256(data).hexdigest(), "do-heat-pumps-work-below-15-c-v1.csv")
    assert timedelta(days=8) < row.expires_at - timezone.now() <= timedelta(days=9)


def test_what_is_stored_is_encrypted(within, plain):
    row = make_and_reload(request_csv(within))
    assert b"heat pumps" not in file_of(row.object_key).read_bytes()


def test_making_twice_makes_once(within, plain):
    row = make_and_reload(request_csv(within))
    before = (row.fence, row.finished_at)
    make_and_reload(row)
    assert (row.fence, row.finished_at) == before


def test_made_again_it_is_the_same_file(within, plain):
    row = make_and_reload(request_csv(within))
    before = (row.sha256, row.filename, row.object_key)
    make_again(row)
    assert (make_and_reload(row).sha256, row.filename, row.object_key) == before


def test_its_words_are_in_the_language_that_was_asked_for(within, plain):
    assert get_object(make_and_reload(request_csv(within, language="de")).object_key).startswith(b"de: ")


def test_a_writer_that_refuses_says_why(within, faulty):
    row = make_failed_export(within, "refuse this")
    assert (row.error_code, row.error) == (ExportCode.CANNOT_WRITE, "A word is missing.")


def test_a_fault_of_the_program_fails_the_file_alone(within, faulty):
    row = make_failed_export(within, "fall over")
    assert (row.error_code, row.taken_by, row.taken_until) == (ExportCode.BROKEN, "", None)


def test_a_format_without_its_writer_says_so(within, monkeypatch):
    from dataclasses import replace

    monkeypatch.setitem(WRITERS, Format.CSV, replace(WRITERS[Format.CSV], path="exports.formats.nowhere"))
    assert make_failed_export(within, "nothing").error_code == ExportCode.NOT_AVAILABLE


def test_a_file_that_cannot_be_stored_says_so(within, plain, settings, tmp_path):
    (tmp_path / "objects").write_text("No folder.")
    settings.MEDIA_ROOT = str(tmp_path)
    row = make_and_reload(request_csv(within))
    assert (row.error_code, "could not be stored" in row.error) == (ExportCode.NOT_STORED, True)


def make_failed_export(world, title: str) -> Export:
    Run.objects.filter(pk=world.run.pk).update(topic=title)
    row = make_and_reload(request_csv(world))
    assert (row.state, row.object_key) == (ExportState.FAILED, "")
    return row


def test_a_worker_that_died_is_followed_by_another(within, plain):
    row = request_csv(within)
    left = {"state": ExportState.MAKING, "taken_by": "gone", "fence": 1, "attempts": 1}
    Export.objects.update(**left, taken_until=timezone.now() - timedelta(seconds=1))
    assert (make_and_reload(row).state, row.attempts, row.fence) == (ExportState.READY, 2, 2)


def test_what_is_in_living_hands_is_left_alone(within, plain):
    row = request_csv(within)
    Export.objects.update(state=ExportState.MAKING, taken_until=timezone.now() + timedelta(minutes=1))
    assert (make_and_reload(row).state, row.attempts) == (ExportState.MAKING, 0)


def test_a_file_that_kills_its_workers_is_given_up(within, plain):
    row = request_csv(within)
    left = {"state": ExportState.MAKING, "taken_by": "gone", "attempts": MAX_ATTEMPTS}
    Export.objects.update(**left, taken_until=timezone.now() - timedelta(seconds=1))
    assert (make_and_reload(row).state, row.error_code) == (ExportState.FAILED, ExportCode.INTERRUPTED)


def test_who_was_thought_dead_writes_nothing(within, plain):
    row = request_csv(within)
    taken = {"state": ExportState.MAKING, "taken_until": timezone.now() + timedelta(minutes=1)}
    Export.objects.update(**taken, fence=1)
    late = Maker(Export.objects.get())
    Export.objects.update(fence=2)
    with pytest.raises(LostLease):
        late.finish("key", b"data", "name")
    with pytest.raises(LostLease):
        late.fail(ExportCode.BROKEN, "too late")
    row.refresh_from_db()
    assert (row.state, row.object_key) == (ExportState.MAKING, "")


def test_how_far_it_is_is_stored(within, plain, monkeypatch):
    seen: list[float] = []
    monkeypatch.setattr(export_lease, "TOLD_EVERY_S", 0)
    monkeypatch.setattr(
        making,
        "put_object",
        lambda *given: (seen.append(Export.objects.get().progress), put_object(*given))[1],
    )
    make_and_reload(request_csv(within))
    assert seen == [0.5]


def test_an_ended_file_is_history_and_its_bytes_go(within, plain):
    row = make_and_reload(request_csv(within))
    key = row.object_key
    age(file_of(key))
    assert (tidy_tenant(row.tenant_id).files, file_of(key).exists()) == (0, True)
    Export.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert tidy_tenant(row.tenant_id).files == 1
    row.refresh_from_db()
    assert (row.state, row.object_key, file_of(key).exists()) == (ExportState.EXPIRED, "", False)
    assert row.filename


def test_a_file_that_still_has_time_stays(within, plain):
    make_and_reload(request_csv(within))
    assert expire() == []
