"""Pictures of slides and logos of themes: checked by their content, re-encoded in a child process, stored once."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils.translation import gettext as _

from config.databases import IDLE_LIMIT_S
from exports.files.export_child import ExportChildError, ExportLimits, write_in_child
from exports.formats.export_options import CannotWrite, ExportOptions
from research.db.tenancy import current_tenant_id
from research.library.store_uploads import MAX_FILE, MAX_LIBRARY, count_uploaded_bytes, lock_uploads
from research.storage.object_store import ObjectError, put_object
from slides.deck import SlideImage
from slides.decks.reencode_slide_picture import HEAD
from slides.models import Picture

# A form's picture is encoded during its request's transaction, which may be idle for IDLE_LIMIT_S.
LIMITS = ExportLimits(cpu_seconds=20, wall_seconds=IDLE_LIMIT_S - 5)


class PictureRefused(Exception):
    """Raised when a picture is refused and not stored; str() tells the person why."""


@dataclass(frozen=True, slots=True)
class EncodedPicture:
    data: bytes
    width: int
    height: int
    media_type: str


def store_picture(
    data: bytes, person: User | None, *, prompt: str = "", is_generated: bool = False
) -> Picture:
    """Re-encode and store a picture; the same bytes share a row. Needs the tenant set. Raises PictureRefused."""
    return keep_picture(reencode_picture(data), person, prompt=prompt, is_generated=is_generated)


def keep_picture(
    made: EncodedPicture, person: User | None, *, prompt: str = "", is_generated: bool = False
) -> Picture:
    """Store an encoded picture; the same bytes share a row."""
    lock_uploads()
    if count_uploaded_bytes() + _sum_picture_bytes() + len(made.data) > MAX_LIBRARY:
        raise PictureRefused(
            _("The picture was not stored: what your workspace uploads may take %(most)d GB.")
            % {"most": MAX_LIBRARY // 10**9}
        )
    try:
        key = put_object(current_tenant_id(), made.data)
    except ObjectError as error:
        raise PictureRefused(str(error)) from error
    described = {
        "media_type": made.media_type,
        "width": made.width,
        "height": made.height,
        "file_size": len(made.data),
        "prompt": prompt,
        "added_by": person,
    }
    return Picture.objects.get_or_create(object_key=key, is_generated=is_generated, defaults=described)[0]


def image_of(picture: Picture, alt: str) -> SlideImage:
    return SlideImage(picture.object_key, alt, picture.media_type, picture.is_generated)


def reencode_picture(data: bytes) -> EncodedPicture:
    """Re-encode a picture without metadata, at most 3840 × 2160. Raises PictureRefused.

    It takes seconds and makes no query.
    """
    if len(data) > MAX_FILE:
        raise PictureRefused(_("The picture is larger than %(most)d MB.") % {"most": MAX_FILE // 10**6})
    try:
        made = write_in_child(
            data, "slides.decks.reencode_slide_picture", ExportOptions(), lambda _share: None, LIMITS
        )
    except CannotWrite as error:
        raise PictureRefused(_(str(error))) from error
    except ExportChildError as error:
        raise PictureRefused(_("The picture takes more memory or time to read than it may.")) from error
    width, height, is_photo = HEAD.unpack(made[: HEAD.size])
    return EncodedPicture(made[HEAD.size :], width, height, "image/jpeg" if is_photo else "image/png")


def _sum_picture_bytes() -> int:
    return Picture.objects.aggregate(total=Sum("file_size"))["total"] or 0
