"""Pictures are what they hold, not what they are called: drawn anew, without metadata, within limits."""

import io
import struct
import zlib

import pytest
from PIL import Image, ImageFile

from exports.formats.export_options import CannotWrite, ExportOptions
from research.library import store_uploads
from research.storage.object_store import get_object
from slides.decks import deck_pictures, reencode_slide_picture
from slides.decks.deck_pictures import PictureRefused, store_picture
from slides.models import Picture


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), **saved: object) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "#336699").save(made, kind, **saved)
    return made.getvalue()


def bomb(side: int) -> bytes:
    """A PNG of few bytes that says it has side × side pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack("!I", len(data)) + body + struct.pack("!I", zlib.crc32(body))

    head = struct.pack("!IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


def test_a_picture_is_kept_once(within):
    first, second = (store_picture(picture(), within.person.user) for _ in range(2))
    assert (first.pk, Picture.objects.count(), first.width, first.height) == (second.pk, 1, 40, 30)
    assert get_object(first.object_key).startswith(b"\x89PNG")


def test_metadata_does_not_stay(within):
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    row = store_picture(picture("JPEG", exif=exif), within.person.user)
    assert b"taken at home" not in get_object(row.object_key)
    assert row.media_type == "image/jpeg"


def test_a_large_picture_is_made_as_large_as_a_slide_needs(within):
    row = store_picture(picture("JPEG", (5000, 2500)), within.person.user)
    assert (row.width, row.height) == (3840, 1920)


NO_PICTURES = (b"", b"no picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", picture()[:60])


def test_what_is_no_picture_is_refused(within, monkeypatch):
    monkeypatch.setattr(
        ImageFile, "LOAD_TRUNCATED_IMAGES", False
    )  # as in the child: WeasyPrint changes it here
    for data in NO_PICTURES:  # as the child does it, which takes two seconds to start
        with pytest.raises(CannotWrite, match="not a PNG, JPEG"):
            reencode_slide_picture.write(data, ExportOptions(), lambda _share: None)
    with pytest.raises(PictureRefused, match="not a PNG, JPEG"):
        store_picture(NO_PICTURES[-1], within.person.user)


def test_a_bomb_is_refused_in_words(within):
    with pytest.raises(PictureRefused, match="40 million"):
        store_picture(bomb(30_000), within.person.user)


def test_what_is_over_the_limits_is_refused(within, monkeypatch):
    monkeypatch.setattr(deck_pictures, "MAX_FILE", 10)
    with pytest.raises(PictureRefused, match="larger than"):
        store_picture(picture(), within.person.user)
    monkeypatch.undo()
    monkeypatch.setattr(deck_pictures, "MAX_LIBRARY", 10)
    with pytest.raises(PictureRefused, match="may take"):
        store_picture(picture(), within.person.user)
    assert store_uploads.MAX_FILE == 50_000_000
