"""The images of a page with their alternative texts and captions. They are only listed, never loaded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from research.fetching.fetched_page_links import LOOKED_AT, attributes_of, resolve_link
from research.fetching.strict_urls import UrlRefused, parse_url

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<mute>script|style|template|svg|textarea)\b.*?(?:</(?P=mute)\b|\Z)"
    r"|<figcaption\b[^<>]{0,1000}>(?P<caption>.{0,2000}?)</figcaption"
    r"|<img\b(?P<attributes>[^<>]{0,4000})>"
    r"|<(?P<border>/?)figure\b",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[^>]*>")
_SMALLEST = 16  # pixels: smaller ones are tracking pixels or bullets


@dataclass(frozen=True, slots=True)
class Image:
    url: str
    alt: str = ""
    caption: str = ""


def images_of(html: str, url: str, most: int) -> list[Image]:
    """Return up to `most` images in page order, each once; a caption applies to all images of its figure."""
    found: dict[str, Image] = {}
    for image in _images(html[:LOOKED_AT], url):
        found.setdefault(image.url, image)
    return list(found.values())[:most]


def _images(html: str, url: str) -> Iterator[Image]:
    waiting: list[Image] = []
    caption = ""
    for match in _TOKEN.finditer(html):
        if match["attributes"] is not None:
            waiting += filter(None, [_image(attributes_of(match["attributes"]), url)])
        elif match["caption"] is not None:
            caption = " ".join(unescape(_TAG.sub(" ", match["caption"])).split())[:300]
        elif match["border"] is not None:
            yield from (Image(image.url, image.alt, caption) for image in waiting)
            waiting, caption = [], ""
    yield from waiting


def _image(attributes: dict[str, str], url: str) -> Image | None:
    if any(_is_small(attributes.get(name, "")) for name in ("width", "height")):
        return None
    written = attributes.get("src", "")
    if not written or written.startswith("data:"):
        written = attributes.get("data-src", "")
    try:
        address = parse_url(resolve_link(url, written), allow_loopback=True).url if written else ""
    except UrlRefused:
        return None
    return Image(address, " ".join(attributes.get("alt", "").split())[:300]) if address else None


def _is_small(size: str) -> bool:
    return size.isascii() and size.isdecimal() and int(size[:6]) < _SMALLEST
