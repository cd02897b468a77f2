"""A tenant, a folder of its own, and a file store that goes away. Passages get hashed features for vectors: quick."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest

from research.db.tenancy import create_tenant, tenant_context
from research.library.import_library_folder import ImportReport, import_folder
from research.models import LibraryDocument
from research.parsing.vectors.embed_texts import HashEmbedder

RULES = "# Rules\n\nA password has at least eight characters. It is never sent by mail.\n\n## Changes\n\nNone yet.\n"
NOTES = "Notes on boilers. The boiler in the cellar was replaced in 2019 and has run without a fault since.\n"
PAGE = """<html lang="en"><head><title>Gardening notes</title></head><body><article><h1>Gardening notes</h1>
<p>Tomatoes need at least six hours of sun a day. Water them in the morning, never at noon.</p></article></body></html>
"""


class CountingEmbedder(HashEmbedder):
    """Knows which texts it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts):
        self.texts.extend(texts)
        return super().embed(texts)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PLUMBLINE_DATA = tmp_path / "data"


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    counting = CountingEmbedder()
    monkeypatch.setattr("research.library.import_library_documents.library_embedder", lambda **_: counting)
    return counting


@pytest.fixture
def tenant(db: None) -> UUID:
    return create_tenant("readers").pk


@pytest.fixture
def inside(tenant: UUID) -> Iterator[UUID]:
    """The tenant, entered."""
    with tenant_context(tenant):
        yield tenant


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents."""
    place = tmp_path / "library"
    (place / "deep").mkdir(parents=True)
    (place / "rules.md").write_text(RULES, encoding="utf-8")
    (place / "notes.txt").write_text(NOTES, encoding="utf-8")
    (place / "deep" / "garden.html").write_text(PAGE, encoding="utf-8")
    return place


Import = Callable[..., ImportReport]


@pytest.fixture
def import_now(tenant: UUID, folder: Path) -> Import:
    """Imports the folder as it is by now."""
    return lambda **options: import_folder(tenant, folder, **options)


@pytest.fixture
def rows(tenant: UUID) -> Callable[[], dict[str, LibraryDocument]]:
    """The library's documents by path, as the database has them."""

    def read() -> dict[str, LibraryDocument]:
        with tenant_context(tenant):
            found = LibraryDocument.objects.select_related("content", "duplicate_of").prefetch_related(
                "chunks"
            )
            return {row.path: row for row in found.order_by("path")}

    return read
