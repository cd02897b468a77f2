"""Writes lines of a paper as Markdown: text, emphasis if CommonMark allows it, links, footnote references."""

from collections.abc import Iterable
from string import punctuation

from exports.formats.export_markdown_text import BLANKS, address, escape_inline
from exports.paper.exported_paper_nodes import Footnote, Inline, Link, NoteReference, StyledText

_EMPHASIS = "**"
_STRONG = frozenset({"strong", "quoted"})
_BLANK = " "


class Lines:
    """Writes lines and records the referenced claims in `called`, by number, in order."""

    def __init__(self) -> None:
        self.called: dict[int, None] = {}

    def render(self, content: Iterable[Inline]) -> str:
        """Return one line of escaped text."""
        line = ""
        for inline in content:
            line = _append_text(line, *self._render_inline(inline))
        return line.strip(_BLANK)

    def _render_inline(self, inline: Inline) -> tuple[str, bool]:
        """Return an inline as Markdown, and whether it is emphasized."""
        match inline:
            case StyledText(text, tone):
                return _escape_keeping_blanks(text), tone in _STRONG
            case Link(text, target) if target.startswith("#"):
                return escape_inline(text), True  # a text file has no anchors
            case Link(text, target):
                return f"[{escape_inline(text)}]({address(target)})", False
            case NoteReference(number) | Footnote(number):
                self.called[number] = None
                return f"[^{number}]", False


def _escape_keeping_blanks(text: str) -> str:
    """Escape the text, keeping a blank at its beginning or end, because more text follows."""
    before = _BLANK if BLANKS.fullmatch(text[:1]) else ""
    after = _BLANK if BLANKS.fullmatch(text[-1:]) and text.strip() else ""
    return f"{before}{escape_inline(text)}{after}"


def _append_text(line: str, said: str, is_strong: bool) -> str:
    """Append text in such a way that neither part changes how the other is parsed."""
    if line.endswith("]") and said.startswith(("(", "[", ":")):
        said = f"\\{said}" if not said.startswith("[") else f"{_BLANK}{said}"  # else it becomes a link
    if line.endswith("!") and said.startswith("["):
        line = f"{line[:-1]}\\!"  # else it becomes an image
    if not _ends(line, said):
        line += _BLANK
    words = said.strip()
    before = said[: len(said) - len(said.lstrip())]
    if not (is_strong and words and _begins(line + before)):
        return line + said
    return f"{line}{before}{_EMPHASIS}{words}{_EMPHASIS}{said[len(said.rstrip()) :]}"


def _ends(line: str, said: str) -> bool:
    """Return True if emphasis closing at the end of the line is still closed before `said` (a right-flanking run)."""
    if not (line.endswith(_EMPHASIS) and said):
        return True
    return said[0] == _BLANK or _is_punctuation(said[0]) or _is_word(line[-3])


def _begins(line: str) -> bool:
    """Return True if emphasis can open here (CommonMark 0.31.2, section 6.2: a left-flanking run of delimiters)."""
    return not line or line[-1] == _BLANK or (_is_punctuation(line[-1]) and line[-1] not in "*\\]")


def _is_punctuation(character: str) -> bool:
    """Return True for punctuation in old and new versions of Unicode, since programs use different versions."""
    return character in punctuation or "\u2010" <= character <= "\u205e"


def _is_word(character: str) -> bool:
    """Return True for a character that all programs treat as a word character."""
    return character.isalnum() and character < "\u2000"
