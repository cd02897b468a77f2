"""Uploads on their way to being read: asked for once stored, and again when the message was lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.library.import_library_folder import import_folder
from research.library.store_uploads import store_upload
from research.library.waiting_library_documents import (
    READ_UPLOADS,
    ask_again,
    request_reading,
    select_waiting_uploads,
)
from research.models import DocumentStatus, LibraryDocument
from research.tasks import read_uploads as read_uploads_task
from tests.library.reading import read_uploads

RULES = b"# Rules\n\nA password has at least eight characters, and it is never sent by mail.\n"


@pytest.fixture
def broker_messages(monkeypatch):
    """Record what is handed to the broker."""
    messages = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **_options: messages.append((name, *args))
    )
    return messages


def test_reading_is_asked_for_when_the_upload_is_committed(
    tenant, broker_messages, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True), tenant_context(tenant):
        store_upload("rules.md", RULES)
        request_reading(tenant)
        assert broker_messages == []
    assert broker_messages == [(READ_UPLOADS, str(tenant))]


def test_what_waits_too_long_is_asked_for_again(tenant, broker_messages):
    with tenant_context(tenant):
        store_upload("rules.md", RULES)
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))
    assert ask_again() == 1
    assert broker_messages == [(READ_UPLOADS, str(tenant))]


def test_what_was_just_stored_is_not_asked_for_twice(tenant, broker_messages):
    with tenant_context(tenant):
        store_upload("rules.md", RULES)
    assert (ask_again(), broker_messages) == (0, [])


def test_a_broker_that_is_away_loses_nothing(tenant, monkeypatch):
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr("celery.current_app.send_task", refuse)
    with tenant_context(tenant):
        store_upload("rules.md", RULES)
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))
    assert ask_again() == 1
    with tenant_context(tenant):
        assert select_waiting_uploads().count() == 1


def test_the_workers_task_reads_what_waits_and_a_second_message_finds_nothing(tenant):
    with tenant_context(tenant):
        store_upload("rules.md", RULES)
    read_uploads_task(str(tenant))
    with tenant_context(tenant):
        assert LibraryDocument.objects.get().status == DocumentStatus.READY
    assert read_uploads(tenant) == 0


def test_after_its_turn_a_worker_leaves_the_other_uploads_to_a_later_message(
    tenant, broker_messages, monkeypatch
):
    with tenant_context(tenant):
        store_upload("rules.md", RULES)
        store_upload("more.md", RULES + b" And more of them.")
    monkeypatch.setattr("research.tasks.TURN_S", 1e-9)
    broker_messages.clear()
    read_uploads_task(str(tenant))
    assert broker_messages == [(READ_UPLOADS, str(tenant))]
    assert read_uploads(tenant) == 2


def interrupt_import(tenant, folder, *, minutes):
    """Leave a folder as an import that was killed leaves it: one document read, one pending."""
    for name in ("first.md", "second.md"):
        (folder / name).write_bytes(RULES + name.encode())
    import_folder(tenant, folder)
    with tenant_context(tenant):
        LibraryDocument.objects.filter(path="second.md").update(status=DocumentStatus.PENDING)
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=minutes))


def statuses(tenant):
    with tenant_context(tenant):
        return list(LibraryDocument.objects.order_by("path").values_list("status", flat=True))


def test_the_rest_of_an_interrupted_import_is_read_by_workers(tenant, broker_messages, tmp_path):
    interrupt_import(tenant, tmp_path, minutes=10)
    ask_again()
    assert (READ_UPLOADS, str(tenant)) in broker_messages
    read_uploads_task(str(tenant))
    assert statuses(tenant) == [DocumentStatus.READY, DocumentStatus.READY]


def test_an_import_that_stored_a_document_just_now_is_left_alone(tenant, broker_messages, tmp_path):
    interrupt_import(tenant, tmp_path, minutes=2)
    ask_again()
    assert (READ_UPLOADS, str(tenant)) not in broker_messages
    assert statuses(tenant) == [DocumentStatus.READY, DocumentStatus.PENDING]


def test_the_rest_of_an_import_whose_files_are_gone_says_so(tenant, broker_messages, tmp_path):
    interrupt_import(tenant, tmp_path, minutes=10)
    (tmp_path / "second.md").unlink()
    ask_again()
    read_uploads_task(str(tenant))
    assert statuses(tenant) == [DocumentStatus.READY, DocumentStatus.FAILED]
