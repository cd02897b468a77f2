"""A deck's files: asked for twice the same, stored whole, and made by who comes next when their maker dies."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.utils import timezone
from pptx import Presentation

from exports.files.export_file_state import ExportState
from research.db.tenancy import tenant_context
from research.ops.retention.retention_of_files import tidy_tenant
from research.runtime.fault_injection import FaultPoint
from research.storage.object_store import get_object
from slides.deck import Slide
from slides.decks import write_deck_file
from slides.decks.deck_versions import change_slides, newest
from slides.decks.edit_slides import SlideWords, move_slide, reword_slide
from slides.decks.make_deck import make_deck
from slides.decks.request_deck import DeckRequest, make_again, request_deck, request_file
from slides.decks.write_deck_file import make_deck_file
from slides.models import Change, Deck, DeckCode, DeckFile, Mode, RenderedSlide
from tests.decks.conftest import ZURICH
from tests.decks.killing import start_kill_server
from tests.library.test_tidying import age, file_of
from tests.people import join
from tests.worlds import make_report


def make_file(version, mode: Mode) -> DeckFile:
    file = request_file(version, mode, version.made_by, wakes_worker=False)
    make_deck_file(file.tenant_id, file.pk)
    file.refresh_from_db()
    return file


def test_asked_for_twice_it_is_the_same_file(version):
    first = make_file(version, Mode.PPTX)
    assert (make_file(version, Mode.PPTX), first.fence) == (first, 1)
    made_again = first.sha256
    make_again(first)
    assert make_file(version, Mode.PPTX).sha256 == made_again


def test_powerpoint_opens_it_with_all_slides(version):
    data = get_object(make_file(version, Mode.PPTX).object_key)
    assert len(Presentation(io.BytesIO(data)).slides) == version.slide_count


@pytest.fixture
def camera(monkeypatch) -> list[str]:
    """Photographs are the page's own words."""
    taken: list[str] = []

    class Camera:
        def pngs(self, documents: Iterable[str]) -> Iterator[bytes]:
            for page in documents:
                taken.append(page)
                yield page.encode()

    @contextmanager
    def studio():
        yield Camera()

    monkeypatch.setattr(write_deck_file, "studio", studio)
    monkeypatch.setattr(write_deck_file, "is_there", lambda _mode: True)
    monkeypatch.setattr(
        write_deck_file, "page_of", lambda _deck, slide, theme, _pictures: f"{slide} {theme.id}"
    )
    return taken


def test_a_slide_that_did_not_change_is_not_photographed_again(version, camera):
    data = get_object(make_file(version, Mode.PNG).object_key)
    assert len(zipfile.ZipFile(io.BytesIO(data)).namelist()) == len(camera) == version.slide_count
    words = reword_title(version.value.slides[1])
    after = change_slides(
        version, Change.REWORDED, lambda all_: reword_slide(all_, 2, words), version.made_by, 2
    )
    make_file(after, Mode.PNG)
    assert len(camera) == version.slide_count + 1
    assert RenderedSlide.objects.count() == version.slide_count + 1


def reword_title(slide: Slide) -> SlideWords:
    return SlideWords("Another title", passages=slide.passages, sides=slide.sides, caption=slide.caption)


def test_what_cannot_be_written_here_says_so(version, monkeypatch):
    monkeypatch.setattr(write_deck_file, "is_there", lambda _mode: False)
    file = make_file(version, Mode.PPTX)
    assert (file.state, file.error_code) == (ExportState.FAILED, DeckCode.NOT_AVAILABLE)


def test_a_fault_of_the_program_fails_the_file_alone(version, monkeypatch):
    monkeypatch.setitem(write_deck_file._WRITERS, Mode.PPTX, lambda *_: 1 / 0)
    file = make_file(version, Mode.PPTX)
    assert (file.state, file.error_code) == (ExportState.FAILED, DeckCode.BROKEN)


def test_an_ended_file_is_history_and_its_bytes_go(version):
    file = make_file(version, Mode.PPTX)
    stored = file_of(file.object_key)
    age(stored)
    assert (tidy_tenant(file.tenant_id).files, stored.exists()) == (0, True)
    DeckFile.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    tidy_tenant(file.tenant_id)
    file.refresh_from_db()
    assert (file.state, stored.exists()) == (ExportState.EXPIRED, False)


def test_a_file_belongs_to_its_version(version):
    first = make_file(version, Mode.PPTX)
    after = change_slides(version, Change.MOVED, lambda slides: move_slide(slides, 2, 1), version.made_by, 2)
    second = make_file(after, Mode.PPTX)
    assert (first.filename, second.filename) != (second.filename, second.filename)
    assert first.sha256 != second.sha256


@pytest.mark.crash
@pytest.mark.django_db(transaction=True)
def test_whoever_dies_the_deck_and_its_file_are_there_once_and_whole(child_environment):
    ada = join("ada")
    world, tenant_id = make_report(ada), ada.tenant.pk
    with tenant_context(tenant_id):
        deck = request_deck(world.run, DeckRequest(ZURICH), ada.user, wakes_worker=False)
    with start_kill_server(
        child_environment, "slides.decks.make_deck", "slides.decks.write_deck_file"
    ) as killed_at:
        order = ("slides.decks.make_deck", "make_deck", str(tenant_id), str(deck.pk))
        assert killed_at(FaultPoint.EXPORT_BEFORE_STORING, *order) == -9
        with tenant_context(tenant_id):
            assert not Deck.objects.get().versions.exists()
        make_deck(tenant_id, deck.pk)
        with tenant_context(tenant_id):
            version = newest(Deck.objects.get())
            file = request_file(version, Mode.PPTX, ada.user, wakes_worker=False)
        order = ("slides.decks.write_deck_file", "make_deck_file", str(tenant_id), str(file.pk))
        for point in (FaultPoint.EXPORT_BEFORE_STORING, FaultPoint.EXPORT_AFTER_STORING):
            assert killed_at(point, *order) == -9
    make_deck_file(tenant_id, file.pk)
    with tenant_context(tenant_id):
        file.refresh_from_db()
        assert (file.state, file.attempts, version.deck.versions.count()) == (ExportState.READY, 3, 1)
        assert len(get_object(file.object_key)) == file.file_size
