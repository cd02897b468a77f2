"""Pictures in their placeholders: whole, never cropped, with the words for who can't see them."""

from io import BytesIO

from PIL import Image, UnidentifiedImageError
from pptx.shapes.placeholder import PicturePlaceholder, PlaceholderPicture

from exports.formats.cleaning import clean

_AS_THEY_ARE = ("PNG", "JPEG", "GIF")  # what every PowerPoint draws
LARGEST = 50_000_000  # pixels


class NotAPicture(Exception):
    """These bytes are no picture that can be drawn; str() says why."""


def put_picture(holder: PicturePlaceholder, data: bytes, alt: str) -> PlaceholderPicture:
    """In the middle of the placeholder's place, as large as it fits. Raises NotAPicture."""
    left, top, width, height = holder.left, holder.top, holder.width, holder.height
    picture: PlaceholderPicture = holder.insert_picture(BytesIO(drawable(data)))
    picture.crop_left = picture.crop_right = picture.crop_top = picture.crop_bottom = 0
    across, down = picture.image.size
    scale = min(width / across, height / down)
    picture.width, picture.height = round(across * scale), round(down * scale)
    picture.left, picture.top = left + (width - picture.width) // 2, top + (height - picture.height) // 2
    describe(picture, alt)
    return picture


def describe(shape: object, alt: str) -> None:
    """The alternative text of a picture or chart."""
    shape._element._nvXxPr.cNvPr.set("descr", clean(alt))  # type: ignore[attr-defined]


def drawable(data: bytes) -> bytes:
    """The same picture as PNG, where it is of a kind that PowerPoint can't draw. Raises NotAPicture."""
    try:
        with Image.open(BytesIO(data)) as image:
            if image.width * image.height > LARGEST:
                raise NotAPicture(f"{image.width} × {image.height} pixels are more than {LARGEST:,}.")
            if image.format in _AS_THEY_ARE:
                image.verify()
                return data
            written = BytesIO()
            image.save(written, "PNG")
            return written.getvalue()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise NotAPicture("These bytes are no picture.") from error
