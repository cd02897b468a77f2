"""The fonts of exported documents, from the packages of @fontsource; if these are missing, the system's fonts are
used.

A font has a file for each script. Loading each costs time, so only those are loaded that the text's letters need.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

SERIF, SANS = "Source Serif 4", "Source Sans 3"
WEIGHTS = (400, 600)
_PACKAGES = {SERIF: "source-serif-4", SANS: "source-sans-3"}
# The scripts of the packages, with the character ranges that need each.
_SCRIPTS: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    ("latin", ((0x0000, 0x00FF), (0x2000, 0x206F))),
    ("latin-ext", ((0x0100, 0x02FF), (0x1E00, 0x1E9F), (0x20A0, 0x20CF), (0x2070, 0x209F))),
    ("vietnamese", ((0x0102, 0x0103), (0x01A0, 0x01B0), (0x1EA0, 0x1EF9))),
    ("greek", ((0x0370, 0x03FF),)),
    ("greek-ext", ((0x1F00, 0x1FFF),)),
    ("cyrillic", ((0x0400, 0x045F), (0x0490, 0x0491))),
    ("cyrillic-ext", ((0x0460, 0x052F), (0x1C80, 0x1C8F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F))),
)


@dataclass(frozen=True, slots=True)
class FontFace:
    family: str
    script: str
    weight: int
    path: Path

    @property
    def name(self) -> str:
        """Return the font-family name, unique for each family and script.

        WeasyPrint 70 confuses two files of the same name and weight, and sets wrong letters.
        """
        return self.family if self.script == "latin" else f"{self.family} {self.script}"


def font_path(family: str, script: str, weight: int) -> Path | None:
    """Return the file; None if the package is not installed or does not have the script."""
    package = _PACKAGES[family]
    folder = settings.BASE_DIR / "node_modules" / "@fontsource" / package / "files"
    path = Path(folder) / f"{package}-{script}-{weight}-normal.woff"
    return path if path.is_file() else None


def faces_for(text: str) -> Iterator[FontFace]:
    """Yield the font files that this text needs."""
    characters = {ord(character) for character in set(text)}
    for script, ranges in _SCRIPTS:
        if script != "latin" and not _has(characters, ranges):
            continue
        for family in _PACKAGES:
            for weight in WEIGHTS:
                path = font_path(family, script, weight)
                if path:
                    yield FontFace(family, script, weight, path)


def family_list(family: str, faces: Iterable[FontFace]) -> str:
    """Return the font-family list for style sheets, with a name for each script."""
    names = dict.fromkeys([family, *(face.name for face in faces if face.family == family)])
    return ", ".join(f'"{name}"' for name in names)


def covers(text: str) -> bool:
    """Return True if every character belongs to the first script."""
    _, ranges = _SCRIPTS[0]
    return all(_has({ord(character)}, ranges) for character in text)


def _has(characters: set[int], ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= character <= last for character in characters for first, last in ranges)
