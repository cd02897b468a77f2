"""Old images of slides, unseen pictures and versions in between are removed. Nothing else is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from slides.deck import Layout, SlideImage
from slides.decks import deck_retention
from slides.decks.deck_pictures import store_picture
from slides.decks.deck_retention import forget_old
from slides.decks.deck_versions import change_slides, change_theme, newest
from slides.decks.edit_slides import add_slide, move_slide, set_slide_image
from slides.models import Change, DeckTheme, DeckVersion, Picture, RenderedSlide
from tests.decks.conftest import ZURICH
from tests.decks.test_pictures import picture

AGES = timedelta(days=400)


def age(*tables: type) -> None:
    for table in tables:
        table.objects.update(created_at=timezone.now() - AGES)


def list_versions(version: DeckVersion) -> list[int]:
    return list(version.deck.versions.order_by("number").values_list("number", flat=True))


def move_slides(version: DeckVersion, times: int) -> DeckVersion:
    for _ in range(times):
        version = change_slides(
            version, Change.MOVED, lambda slides: move_slide(slides, 1, 1), version.made_by, 1
        )
    return version


@pytest.fixture
def few(monkeypatch) -> None:
    monkeypatch.setattr(deck_retention, "KEPT_VERSIONS", 2)


def test_the_first_and_the_newest_versions_stay(version, few):
    last = move_slides(version, 4)
    age(DeckVersion)
    forget_old()
    assert list_versions(last) == [1, 4, 5]
    assert newest(last.deck).number == 5


def test_what_is_young_stays(version, few):
    last = move_slides(version, 4)
    RenderedSlide.objects.create(deck=last.deck, content_hash="h", object_key="k", sha256="s", file_size=1)
    store_picture(picture(), last.made_by)
    forget_old()
    assert (len(list_versions(last)), RenderedSlide.objects.count(), Picture.objects.count()) == (5, 1, 1)


def test_old_images_of_slides_go(version):
    RenderedSlide.objects.create(deck=version.deck, content_hash="h", object_key="k", sha256="s", file_size=1)
    age(RenderedSlide)
    forget_old()
    assert not RenderedSlide.objects.exists()


def test_a_picture_goes_when_no_version_and_no_theme_shows_it(version):
    person = version.made_by
    unseen, shown, logo, mark = (store_picture(picture(size=(40, side)), person) for side in (10, 20, 30, 40))
    after = change_slides(
        version, Change.ADDED, lambda slides: add_slide(slides, 1, Layout.IMAGE, "A picture"), person
    )
    image = SlideImage(shown.object_key, "A pump")
    after = change_slides(after, Change.PICTURED, lambda slides: set_slide_image(slides, 2, image), person)
    after = change_slides(after, Change.PICTURED, lambda slides: set_slide_image(slides, 2, None), person)
    row = DeckTheme(name="Ours", logo=logo, heading_font="Inter", body_font="Inter")
    for name in ("primary", "secondary", "accent", "background", "text", "text_light"):
        setattr(row, name, getattr(ZURICH, name))
    row.save()
    row.logo = mark
    change_theme(after, row.value, person)
    age(Picture)
    forget_old()
    assert set(Picture.objects.all()) == {shown, logo, mark}
    assert unseen not in Picture.objects.all()
