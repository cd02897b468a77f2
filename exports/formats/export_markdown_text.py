"""Escapes plain text for Markdown with CommonMark, footnotes and pipe tables.

CommonMark 0.31.2, section 2.4: a backslash before ASCII punctuation makes it literal.
"""

import re
from html import escape

from exports.formats.export_forbidden_characters import clean

# Line breaks become blanks, so that no text begins a line. No-break spaces are kept.
BLANKS = re.compile("[ \t\n\r\f\v\x1c-\x1f\x85\u2028\u2029]+")
# Bidirectional controls, which would affect the text that follows.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ANYWHERE = re.compile(r"[\\`*_\[\]<>|~$]|&(?=[#\w])|(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_AT_THE_START = re.compile(r"^(?:[#+\-=:%](?=.|$)|\d{1,9}(?=[.)]))")
_UNSAFE_IN_ADDRESS = re.compile(r"[\s<>\\\"'`{}|^\x00-\x20]")


def line(text: str) -> str:
    """Return the text as one line, without characters that no file may contain."""
    return BLANKS.sub(" ", _DIRECTIONS.sub("", clean(text))).strip(" ")


def escape_inline(text: str) -> str:
    """Escape text in the middle of a line."""
    return _ANYWHERE.sub(lambda found: "\\" + found[0], line(text))


def escape_line_start(markdown: str) -> str:
    """Escape the beginning of a line whose other text is already escaped."""
    return _AT_THE_START.sub(_literal, markdown)


def in_front_matter(text: str) -> str:
    """Escape with entities, for programs that parse front matter as Markdown or copy it into HTML."""
    return escape(line(text), quote=False).replace("[", "&#91;").replace("`", "&#96;")


def _literal(found: re.Match[str]) -> str:
    """Escape a match: in "12." the backslash follows the number, for "#" it precedes it."""
    return f"{found[0]}\\" if found[0][-1].isdecimal() else f"\\{found[0]}"


def fence_code(code: str, language: str = "") -> str:
    """Return a fenced code block whose fences are longer than any in the code."""
    text = clean(code).strip("\n")
    ticks = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language if language.isalnum() else ''}\n{text}\n{fence}"


def address(url: str) -> str:
    """Return the destination of a link, in angle brackets."""
    return f"<{_UNSAFE_IN_ADDRESS.sub(_percent, url)}>"


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
