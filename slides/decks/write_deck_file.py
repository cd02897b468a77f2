"""Makes a file of a deck's version: HTML, PowerPoint, or a ZIP with a PNG for each slide.

Images are stored under a hash of their contents, so that an unchanged slide is not rendered again.
"""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from uuid import UUID

from django.utils import translation

from exports.files.export_file_names import slug_of
from exports.files.export_lease import SPENT, JobLeases, LostLease, file_columns, take, work
from research.db.tenancy import tenant_context
from research.runtime.fault_injection import FaultPoint, crash_point
from research.storage.object_store import ObjectError, get_object, put_object
from slides.deck import DeckContent as DeckValue
from slides.deck_writers import html_of, is_there, page_of, studio
from slides.models import DeckCode, DeckFile, DeckVersion, Mode, RenderedSlide
from slides.theming.deck_themes import Theme

EXTENSIONS = {Mode.HTML: "html", Mode.PNG: "zip", Mode.PPTX: "pptx"}
MEDIA_TYPES = {
    Mode.HTML: "text/html; charset=utf-8",
    Mode.PNG: "application/zip",
    Mode.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
WRITER_VERSIONS = dict.fromkeys(Mode, 1)  # increase when the same version gives another file
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)  # constant, so that the same slides give the same bytes
Tell = Callable[[float], None]


class NotFiled(Exception):
    """Raised when the file cannot be made; str() is a sentence that says why."""

    def __init__(self, code: DeckCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def make_deck_file(tenant_id: UUID, file_id: UUID) -> None:
    """Make the file, unless it exists or is in progress. Safe to repeat, even late or after a crash."""
    with tenant_context(tenant_id):
        file = take(DeckFile.objects.all(), file_id)
    if file is not None:
        taking = JobLeases(file)
        work(taking, lambda: _make(taking), DeckCode.BROKEN)


def _make(taking: JobLeases[DeckFile]) -> None:
    try:
        if taking.is_spent:
            raise NotFiled(DeckCode.INTERRUPTED, SPENT)
        _finish(taking)
    except LostLease:
        return
    except NotFiled as failure:
        taking.fail(failure.code, str(failure))
    except ObjectError as error:
        taking.fail(DeckCode.NOT_STORED, str(error))


def _finish(taking: JobLeases[DeckFile]) -> None:
    file = taking.row
    with tenant_context(file.tenant_id):
        version = DeckVersion.objects.select_related("deck").get(pk=file.version_id)
    mode = Mode(file.mode)
    if not is_there(mode):
        raise NotFiled(DeckCode.NOT_AVAILABLE, f"What writes {mode.label} is not installed.")
    with translation.override(version.value.language):
        data = _WRITERS[mode](version, taking.tell)
    crash_point(FaultPoint.EXPORT_BEFORE_STORING)
    key = put_object(file.tenant_id, data)
    crash_point(FaultPoint.EXPORT_AFTER_STORING)
    with tenant_context(file.tenant_id):
        taking.end(**file_columns(key, data, file_name(version, mode)))


def file_name(version: DeckVersion, mode: Mode) -> str:
    """Return the file's name, which is always the same for a version."""
    return f"{slug_of(version.title) or 'deck'}-slides-v{version.number}.{EXTENSIONS[mode]}"


def pictures_of(deck: DeckValue, theme: Theme) -> Mapping[str, bytes]:
    """Return the bytes of the deck's pictures and the theme's logo by their keys; missing ones are left out."""
    keys = {slide.image.key for slide in deck.slides if slide.image} | ({theme.logo} - {""})
    return {key: data for key in sorted(keys) if (data := _bytes_of(key)) is not None}


def _bytes_of(key: str) -> bytes | None:
    try:
        return get_object(key) if key else None
    except ObjectError:
        return None


def _html(version: DeckVersion, tell: Tell) -> bytes:
    deck, theme = version.value, version.theme_value
    tell(0.3)
    return html_of(deck, theme, pictures_of(deck, theme))


def _pptx(version: DeckVersion, tell: Tell) -> bytes:
    from slides.pptx.write_pptx import write_pptx

    deck, theme = version.value, version.theme_value
    return write_pptx(deck, theme, pictures_of(deck, theme), tell, version.created_at)


def _png(version: DeckVersion, tell: Tell) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:  # PNG is compressed already
        for number, image in enumerate(_images(version, tell), start=1):
            archive.writestr(zipfile.ZipInfo(f"slide-{number:03}.png", _ZIP_TIME), image)
    return made.getvalue()


def page_hash(page: str) -> str:
    return hashlib.sha256(page.encode()).hexdigest()


def _images(version: DeckVersion, tell: Tell) -> Iterator[bytes]:
    """Yield a PNG for each slide, reusing stored ones."""
    deck, theme = version.value, version.theme_value
    pictures = pictures_of(deck, theme)
    pages = [page_of(deck, slide, theme, pictures) for slide in deck.slides]
    with tenant_context(version.tenant_id):
        kept = {row.content_hash: row.object_key for row in RenderedSlide.objects.filter(deck=version.deck)}
    known = {page: image for page in pages if (image := _bytes_of(kept.get(page_hash(page), "")))}
    from slides.imaging.slide_browser import ScreenshotError

    try:
        with studio() as drawing:
            new = drawing.pngs(page for page in pages if page not in known)
            for done, page in enumerate(pages, start=1):
                yield known.get(page) or _store_slide_image(version, page, next(new))
                tell(done / len(pages))
    except ScreenshotError as error:
        raise NotFiled(DeckCode.CANNOT_WRITE, str(error)) from error


def _store_slide_image(version: DeckVersion, page: str, image: bytes) -> bytes:
    """Store a new image, for use in later files, and return its bytes."""
    sha256 = hashlib.sha256(image).hexdigest()
    key = put_object(version.tenant_id, image, sha256)
    with tenant_context(version.tenant_id):
        RenderedSlide.objects.update_or_create(
            deck=version.deck,
            content_hash=page_hash(page),
            defaults={"object_key": key, "sha256": sha256, "file_size": len(image)},
        )
    return image


_WRITERS: Mapping[Mode, Callable[[DeckVersion, Tell], bytes]] = {
    Mode.HTML: _html,
    Mode.PPTX: _pptx,
    Mode.PNG: _png,
}
