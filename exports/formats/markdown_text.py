"""Plain text as Markdown that means nothing else: what CommonMark, footnotes and pipe tables would read is escaped.

CommonMark 0.31.2, section 2.4: a backslash before ASCII punctuation makes it literal.
"""

import re
from html import escape

from exports.formats.cleaning import clean

# A line break in the text is a blank, for nothing of it may begin a line. No-break spaces stay.
BLANKS = re.compile("[ \t\n\r\f\v\x1c-\x1f\x85\u2028\u2029]+")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # they would turn what follows, too
_ANYWHERE = re.compile(r"[\\`*_\[\]<>|~$]|&(?=[#\w])|(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_AT_THE_START = re.compile(r"^(?:[#+\-=:%](?=.|$)|\d{1,9}(?=[.)]))")
_UNSAFE_IN_ADDRESS = re.compile(r"[\s<>\\\"'`{}|^\x00-\x20]")


def line(text: str) -> str:
    """The text as one line, without what no file may hold."""
    return BLANKS.sub(" ", _DIRECTIONS.sub("", clean(text))).strip(" ")


def escape_inline(text: str) -> str:
    """For the middle of a line."""
    return _ANYWHERE.sub(lambda found: "\\" + found[0], line(text))


def escape_line_start(markdown: str) -> str:
    """A line that is escaped already, safe to begin a block with."""
    return _AT_THE_START.sub(_literal, markdown)


def in_front_matter(text: str) -> str:
    """With entities where programs that read Markdown in it, or write it into HTML as it is, would make more of it."""
    return escape(line(text), quote=False).replace("[", "&#91;").replace("`", "&#96;")


def _literal(found: re.Match[str]) -> str:
    """ "12" of "12." gets the backslash behind it, "#" before it."""
    return f"{found[0]}\\" if found[0][-1].isdecimal() else f"\\{found[0]}"


def fence_code(code: str, language: str = "") -> str:
    """A block of code as it stands, between fences longer than any in it, the first with its language."""
    text = clean(code).strip("\n")
    ticks = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language if language.isalnum() else ''}\n{text}\n{fence}"


def address(url: str) -> str:
    """The destination of a link, in angle brackets."""
    return f"<{_UNSAFE_IN_ADDRESS.sub(_percent, url)}>"


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
