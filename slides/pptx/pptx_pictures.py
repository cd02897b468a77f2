"""Puts pictures into their placeholders: complete, never cropped, with a text alternative."""

from io import BytesIO

from PIL import Image, UnidentifiedImageError
from pptx.oxml import parse_xml
from pptx.shapes.placeholder import PicturePlaceholder, PlaceholderPicture
from pptx.slide import SlideLayout
from pptx.util import Emu

from exports.formats.export_forbidden_characters import clean
from slides.pptx.pptx_drawing import picture
from slides.slide_layouts import LayoutBox

_AS_THEY_ARE = ("PNG", "JPEG", "GIF")  # formats that every version of PowerPoint supports
LARGEST = 50_000_000  # pixels


class NotAPicture(Exception):
    """Raised when the bytes are not a picture that can be shown; str() says why."""


def put_picture(holder: PicturePlaceholder, data: bytes, alt: str) -> PlaceholderPicture:
    """Center the picture in the placeholder's box, scaled to fit. Raises NotAPicture."""
    left, top, width, height = holder.left, holder.top, holder.width, holder.height
    put: PlaceholderPicture = holder.insert_picture(BytesIO(drawable(data)))
    put.crop_left = put.crop_right = put.crop_top = put.crop_bottom = 0
    across, down = put.image.size
    scale = min(width / across, height / down)
    put.width, put.height = Emu(round(across * scale)), Emu(round(down * scale))
    put.left, put.top = Emu(left + (width - put.width) // 2), Emu(top + (height - put.height) // 2)
    describe(put, alt)
    return put


def describe(shape: object, alt: str) -> None:
    """Set the alternative text of a picture or chart."""
    shape._element._nvXxPr.cNvPr.set("descr", clean(alt))  # type: ignore[attr-defined]


def put_logo(layout: SlideLayout, data: bytes, box: LayoutBox, name: str) -> None:
    """Put a logo on a layout, behind its text, scaled to fit its box. An unreadable picture is left out."""
    try:
        drawn = drawable(data)
    except NotAPicture:
        return
    with Image.open(BytesIO(drawn)) as image:
        scale = min(box.width / image.width, box.height / image.height)
        width, height = image.width * scale, image.height * scale
    _, key = layout.part.get_or_add_image_part(BytesIO(drawn))
    at = LayoutBox(box.left + box.width - width, box.top + (box.height - height) / 2, width, height)
    tree = layout.shapes._spTree
    number = max(int(id) for id in tree.xpath("//p:cNvPr/@id")) + 1
    tree.insert(2, parse_xml(picture(number, at, key, name)))


def drawable(data: bytes) -> bytes:
    """Convert a picture to PNG if PowerPoint does not support its format. Raises NotAPicture."""
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
