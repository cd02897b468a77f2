"""Re-encodes a picture in a sandboxed child, so that nothing of the uploaded file is stored."""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop as noop

from exports.formats.export_options import CannotWrite

if TYPE_CHECKING:
    from PIL import Image

    from exports.formats.export_options import ExportOptions, Progress

MAX_PIXELS = 40_000_000  # spec: security.md, Documents
MAX_SIDE = (3840, 2160)  # pixels; a slide's image at device scale 2
READ = ("PNG", "JPEG", "WEBP", "GIF")
HEAD = struct.Struct("!II?")  # width, height, whether it is a JPEG


def write(data: bytes, _options: ExportOptions, _tell: Progress) -> bytes:
    """Return `HEAD`, then a PNG or JPEG without metadata. Raises CannotWrite if it is not a supported picture."""
    from PIL import Image, UnidentifiedImageError  # imported only in the child

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=READ) as opened:
                return _encode_image(opened)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise CannotWrite(noop("The picture has more than 40 million pixels.")) from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, struct.error) as error:
        raise CannotWrite(noop("This is not a PNG, JPEG, WebP or GIF image, or it is damaged.")) from error


def _encode_image(opened: Image.Image) -> bytes:
    from PIL import ImageOps

    is_photo = opened.format == "JPEG"
    drawn = ImageOps.exif_transpose(opened).convert("RGB" if is_photo else "RGBA")
    drawn.thumbnail(MAX_SIDE)
    made = io.BytesIO()
    if is_photo:
        drawn.save(made, "JPEG", quality=90)
    else:
        drawn.save(made, "PNG", optimize=True)
    return HEAD.pack(*drawn.size, is_photo) + made.getvalue()
