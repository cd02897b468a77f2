"""The fonts of slides: the files needed for the deck's letters, from the packages of @fontsource, embedded as data.

A font that has no package is used if the reader's machine has it; a fallback that is embedded follows it.
"""

import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from slides.theming.deck_themes import Theme

WEIGHTS = (400, 700)
PACKAGES = {
    "Inter": "inter",
    "Roboto": "roboto",
    "Montserrat": "montserrat",
    "Open Sans": "open-sans",
    "Poppins": "poppins",
    "Source Sans 3": "source-sans-3",
    "Source Serif 4": "source-serif-4",
}
# Substitutes for fonts that are not free, in the order in which the reader's machine is searched for them.
LOOK_ALIKES = {"Helvetica Neue": ("Helvetica", "Arial", "Liberation Sans"), "Arial": ("Liberation Sans",)}
STAND_IN = "Inter"  # the last fallback; as wide as the budgets allow for
_MAX_SHOWN = 12  # letters
_NAME = re.compile(r"[\w .,&+-]{1,60}")
_FACE = re.compile(
    r"src:\s*url\(\./files/(?P<file>[\w.-]+\.woff2)\)[^;]*;\s*unicode-range:\s*(?P<ranges>[^;]+);", re.ASCII
)


@dataclass(frozen=True, slots=True)
class SlideFontFace:
    """A file of a font, for the characters of some ranges."""

    family: str
    weight: int
    path: Path
    ranges: str  # in the syntax of style sheets

    def covers(self, characters: frozenset[int]) -> bool:
        return any(
            first <= character <= last for first, last in _bounds(self.ranges) for character in characters
        )


def stack(font: str) -> tuple[str, ...]:
    """Return the font families in order. Names that a style sheet cannot contain are left out."""
    named = (font,) if _NAME.fullmatch(font) else ()
    return tuple(dict.fromkeys((*named, *LOOK_ALIKES.get(font, ()), STAND_IN)))


def find_missing_fonts(theme: Theme) -> tuple[tuple[str, str], ...]:
    """Return (font, fallbacks) for each font of the theme that no installed package has."""
    wanted = dict.fromkeys((theme.heading_font, theme.body_font))
    absent = [font for font in wanted if not _faces(font, 400)]
    return tuple(
        (font, ", ".join(fallback for fallback in stack(font) if fallback != font)) for font in absent
    )


def faces_for(theme: Theme, text: str) -> Iterator[SlideFontFace]:
    """Yield the files that the theme's slides with this text need; fallbacks only if a font is missing."""
    characters = frozenset(map(ord, set(text)))
    wanted = [theme.heading_font, theme.body_font, *([STAND_IN] if find_missing_fonts(theme) else [])]
    for font in dict.fromkeys(wanted):
        for weight in WEIGHTS:
            yield from (face for face in _faces(font, weight) if face.covers(characters))


def describe_missing_fonts(theme: Theme, letters: Collection[str]) -> Iterator[str]:
    """Yield sentences on missing fonts, and on letters that the theme's fonts lack."""
    for font, stand_in in find_missing_fonts(theme):
        yield _(
            "The font %(font)s is not included in the files: on a computer without it, %(stand_in)s is used "
            "instead."
        ) % {"font": font, "stand_in": stand_in}
    if bare := find_uncovered_letters(theme, letters):
        shown = " ".join(bare[:_MAX_SHOWN]) + (" …" if len(bare) > _MAX_SHOWN else "")
        yield _("Letters that the theme’s fonts do not have are taken from the machine: %(letters)s") % {
            "letters": shown
        }


def find_uncovered_letters(theme: Theme, letters: Collection[str]) -> tuple[str, ...]:
    """Return the letters that no file of one of the theme's fonts or its fallbacks covers, in order.

    Return none if no font's package is installed, in which case letters are not reported.
    """
    wanted = dict.fromkeys((theme.heading_font, theme.body_font))
    fonts = [faces for font in wanted if (faces := _faces(font, 400) or _faces(STAND_IN, 400))]
    return tuple(letter for letter in sorted(set(letters)) if not all(_has(faces, letter) for faces in fonts))


def _has(faces: Iterable[SlideFontFace], letter: str) -> bool:
    return letter.isspace() or any(face.covers(frozenset((ord(letter),))) for face in faces)


@lru_cache(maxsize=64)
def render_font_face(face: SlideFontFace) -> str:
    """Return the @font-face rule with the embedded file."""
    content = b64encode(face.path.read_bytes()).decode()
    return (
        f'@font-face{{font-family:"{face.family}";font-weight:{face.weight};font-display:block;'
        f"src:url(data:font/woff2;base64,{content}) format('woff2');unicode-range:{face.ranges}}}"
    )


@lru_cache(maxsize=64)
def _faces(font: str, weight: int) -> tuple[SlideFontFace, ...]:
    """Return all files of a font, by script; none if its package is not installed."""
    package = PACKAGES.get(font)
    folder = Path(settings.BASE_DIR) / "node_modules" / "@fontsource" / str(package)
    sheet = folder / f"{weight}.css"
    if package is None or not sheet.is_file():
        return ()
    found = _FACE.finditer(sheet.read_text(encoding="utf-8"))
    return tuple(
        SlideFontFace(font, weight, folder / "files" / face["file"], face["ranges"].strip()) for face in found
    )


@lru_cache(maxsize=256)
def _bounds(ranges: str) -> tuple[tuple[int, int], ...]:
    """Parse a unicode-range: "U+0301,U+0400-045F" → ((0x301, 0x301), (0x400, 0x45F)).

    These packages do not use the form "U+4??".
    """
    pairs = (part.strip().removeprefix("U+").partition("-") for part in ranges.split(","))
    return tuple((int(first, 16), int(last or first, 16)) for first, _dash, last in pairs)
