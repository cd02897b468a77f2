"""Removes Markdown or reStructuredText markup of a source for display: bold text, code and links. Pure.

Quotes keep their source's markup; this is for a sentence that is shown beside its quote.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = "text/markdown"
RST = "text/x-rst"
# Documentation often has the media type of plain text: two backticks identify reStructuredText, one may be text.
TEXT = "text/plain"
_MAY_BE_MARKED = re.compile(r"[*_`\[\\<&]|^!!!")
_BOX = re.compile(r"^!!! ?\w+\s+")  # beginnings of notes in generated pages
_EMPHASIS = ("em_open", "em_close", "strong_open", "strong_close")
# Marks that may be part of the text are kept: within a word ("a*b*c") or of a name ("__init__").
_WITHIN_A_WORD = re.compile(r"(?<=\w)\*{1,2}(?=\w)")
_CODE = re.compile(r"`[^`]*`")
_DUNDER = re.compile(r"(?<!\w)__[a-z0-9_]+__(?!\w)")
# Unpaired marks at either end, left over from a bold passage from which a sentence was cut.
_LEFT_OVER = re.compile(r"^\*\*(?=\S)|(?<=\S)\*\*(?=\W*$)")
# Other tags change the meaning ("10<sup>6</sup>"), or are not markup ("Vec<T>").
_SHOWS_NOTHING = re.compile(r"</?(?:a|b|code|em|i|kbd|span|strong|u)\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# reStructuredText: code, a role with its text (and perhaps its target), a link with its address.
_RST_CODE = re.compile(r"``(.+?)``")
_RST_ROLE = re.compile(r":[a-z][\w.+:-]*:`[~!]?([^`<]*[^`<\s])(?:\s*<[^>`]*>)?`", re.IGNORECASE)
_RST_LINK = re.compile(r"`([^`<]*[^`<\s])(?:\s*<[^>`]*>)?`__?(?!\w)")
_RST_EMPHASIS = re.compile(r"(?<![\w*`])(\*{1,2}|`)(?=\S)([^*`]+?)(?<=\S)\1(?![\w*`])")


def as_read(words: str, media_types: Iterable[str]) -> str:
    """Return a sentence from sources of these media types without markup; other types leave it unchanged."""
    given = frozenset(media_types)
    if MARKDOWN in given:
        return plain(words)
    if RST in given or TEXT in given:
        return plain_rst(words, is_certain=RST in given)
    return words


@lru_cache(maxsize=4096)
def plain_rst(words: str, *, is_certain: bool) -> str:
    """Return the text without its reStructuredText markup.

    If the type of the source does not make it certain, only marks that no other format uses are treated as markup.
    """
    if "`" not in words and not (is_certain and "*" in words):
        return words
    said = _RST_LINK.sub(r"\1", _RST_ROLE.sub(r"\1", _RST_CODE.sub(r"\1", words)))
    return _RST_EMPHASIS.sub(r"\2", said) if is_certain else said


@lru_cache(maxsize=4096)
def plain(markdown: str) -> str:
    """Remove Markdown; return the text unchanged if it has no markup, consists only of it, or has marks that may be
    text.
    """
    if not _MAY_BE_MARKED.search(markdown):
        return markdown
    inline = MarkdownIt("commonmark").parseInline(_BOX.sub("", markdown))[0].children or []
    said = "".join(_words(inline, keeps_emphasis=_is_said(markdown))).strip()
    return said or markdown


def _is_said(markdown: str) -> bool:
    prose = _CODE.sub("", markdown)
    return bool(_WITHIN_A_WORD.search(prose) or _DUNDER.search(prose))


def _words(tokens: Sequence[Token], *, keeps_emphasis: bool) -> Iterator[str]:
    for place, token in enumerate(tokens):
        if token.type in _EMPHASIS:
            yield token.markup if keeps_emphasis else ""
        elif token.type == "text" and place in (0, len(tokens) - 1):
            yield _LEFT_OVER.sub("", token.content)
        elif token.type == "html_inline":
            yield _BREAK.sub(" ", _SHOWS_NOTHING.sub("", token.content))
        else:
            yield "\n" if token.type in ("softbreak", "hardbreak") else token.content
