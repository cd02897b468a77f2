"""Reads an uploaded file whole, up to a limit."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile


def read_uploaded_file(file: "UploadedFile[bytes] | None", most_bytes: int) -> tuple[str, bytes] | None:
    """Return name and bytes; None if no file was sent. Raises ValidationError for one that is too large."""
    if file is None:
        return None
    if (file.size or 0) > most_bytes:
        raise ValidationError(_("The file is larger than %(most)d MB.") % {"most": most_bytes // 1_000_000})
    return file.name or "", bytes(file.read())
