"""A long upload, read and embedded by the workers' tasks, is found to its last passage."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.extractive.question.parsed_question import analyse
from research.library.library_folders import UPLOADS
from research.library.library_scope import LibraryScope
from research.library.read_library_documents import EMBEDDED_AT_MOST
from research.library.retrieval.hybrid_retrieval import QueryVector, cards, rarity, retrieve
from research.library.store_uploads import store_upload
from research.library.waiting_library_documents import EMBED_PASSAGES
from research.models import DocumentStatus, LibraryChunk, LibraryDocument
from research.parsing.vectors.embed_texts import builtin_embedder
from research.tasks import embed_passages, read_uploads

PARTS, MAX_TURNS = 3_000, 20
SYLLABLES = ("ba", "co", "di", "fu", "ga", "he", "ki", "lo", "mu", "ne")


def name_part(number: int) -> str:
    """Return a made-up place name that no other part has."""
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:04d}").capitalize()


def write_text() -> bytes:
    parts = (
        f"## {name_part(number)}\n\nThe mill of {name_part(number)} was built in {1500 + number % 500} and ground"
        f" {number + 100} sacks a year. Its wheel was moved by a brook, and its stones came from the hills."
        for number in range(PARTS)
    )
    return "\n\n".join(["# Mills", *parts]).encode()


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the tasks that were sent to the broker."""
    sent: list[str] = []
    monkeypatch.setattr("celery.current_app.send_task", lambda name, *_args, **_options: sent.append(name))
    return sent


@pytest.fixture
def read(tenant: UUID, messages: list[str]) -> UUID:
    """A tenant whose upload was read by the task."""
    with tenant_context(tenant):
        store_upload("mills.md", write_text())
    read_uploads(str(tenant))
    return tenant


def find(tenant: UUID, text: str) -> list[str]:
    """Return the passages that are found, the best first."""
    within, question, embedder = LibraryScope(folders=(UPLOADS,)), analyse(text), builtin_embedder()
    with tenant_context(tenant):
        vector = QueryVector(embedder.model_id, *embedder.embed([text]))
        hits = retrieve(question, vector, within, known=cards(within), rare=rarity(question, within))
        return [LibraryChunk.objects.get(pk=hit.chunk).text for hit in hits]


def count_embedded(tenant: UUID) -> int:
    with tenant_context(tenant):
        return LibraryChunk.objects.exclude(embedding=None).count()


def test_a_long_upload_is_found_to_its_last_passage(read: UUID) -> None:
    with tenant_context(read):
        document = LibraryDocument.objects.get()
        assert document.status == DocumentStatus.READY
        passages = LibraryChunk.objects.count()
    assert passages >= PARTS
    for number in (0, EMBEDDED_AT_MOST + 1, PARTS - 1):
        asked = f"When was the mill of {name_part(number)} built?"
        assert f"{name_part(number)} was built in {1500 + number % 500}" in find(read, asked)[0]


@pytest.mark.full
def test_a_long_upload_gets_all_its_vectors_in_several_turns(read: UUID, messages: list[str]) -> None:
    assert count_embedded(read) <= EMBEDDED_AT_MOST
    with tenant_context(read):  # as after the minute in which its reader has it to itself
        LibraryDocument.objects.update(updated_at=timezone.now() - timedelta(minutes=2))
        passages = LibraryChunk.objects.count()
    for _turn in range(MAX_TURNS):
        messages.clear()
        embed_passages(str(read))
        if EMBED_PASSAGES not in messages:
            break
    assert count_embedded(read) == passages
