"""Markdown: blocks by markdown-it, inline markup as it stands in the file: a quote is the file's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree, html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from research.reading.builder import TextBuilder
from research.reading.cleaning import clean
from research.reading.document import BlockKind, ReadDocument
from research.reading.formats.html_flow import HtmlFlow
from research.reading.formats.html_metadata import partial_date
from research.reading.formats.html_pruning import prune
from research.reading.media_types import MARKDOWN
from research.reading.sniffing import decode

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.S)
_FIELD = re.compile(r"^([A-Za-z_-]+):[ \t]*(.+?)[ \t]*$", re.M)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_HTML_TEXT = re.compile(r"<[^>]+>")


def read_markdown(data: bytes, name: str) -> ReadDocument:
    text = clean(decode(data, name))
    front = _FRONT_MATTER.match(text)
    fields = {key.lower(): value.strip("'\" ") for key, value in _FIELD.findall(front[1] if front else "")}
    builder = TextBuilder()
    _Walk(builder).read(_parser().parse(text[front.end() if front else 0 :]))
    return ReadDocument(
        text=builder.text, media_type=MARKDOWN, title=fields.get("title") or _first_title(builder),
        author=fields.get("author", ""), published=partial_date(fields.get("date", "")),
        modified=partial_date(fields.get("updated", fields.get("lastmod", ""))),
        blocks=tuple(builder.blocks), tables=tuple(builder.tables),
    )  # fmt: skip


def plain_words(markdown: str) -> str:
    """A heading's words without link targets and emphasis, for titles and section paths."""
    return _MARKS.sub("", _HTML_TEXT.sub("", _LINK.sub(r"\1", markdown))).strip()


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")


def _first_title(builder: TextBuilder) -> str:
    headings = [block for block in builder.blocks if block.kind is BlockKind.HEADING]
    if not headings:
        return ""
    text = builder.text
    return plain_words(text[headings[0].start : headings[0].end])


@dataclass
class _Walk:
    """Turns the flat token stream into blocks."""

    builder: TextBuilder
    lists: list[object] = field(default_factory=list)
    quotes: int = 0
    heading_level: int | None = None
    row: list[str] | None = None
    rows: list[list[str]] = field(default_factory=list)

    def read(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            self._token(token)

    def _token(self, token: Token) -> None:
        if token.type == "inline":
            self._inline(token.content)
        elif token.type in ("fence", "code_block"):
            self.builder.add(BlockKind.CODE, token.content)
        elif token.type == "html_block":
            self._html(token.content)
        else:
            self._structure(token)

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self.heading_level = int(token.tag[1])
            case "heading_close":
                self.heading_level = None
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(self.lists[0] if self.lists else object())
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "blockquote_open" | "blockquote_close":
                self.quotes += token.nesting
            case "table_open" | "tr_open" | "tr_close" | "table_close":
                self._table(token.type)

    def _table(self, kind: str) -> None:
        if kind == "table_open":
            self.rows = []
        elif kind == "tr_open":
            self.row = []
        elif kind == "tr_close":
            self.rows.append(self.row or [])
            self.row = None
        else:
            self.builder.table(self.rows[0] if self.rows else [], self.rows[1:])

    def _inline(self, content: str) -> None:
        if self.row is not None:
            self.row.append(content)
        elif self.heading_level is not None:
            self.builder.heading(content, self.heading_level, title=plain_words(content))
        elif self.lists:
            self.builder.add(BlockKind.LIST, content, level=len(self.lists), group=self.lists[0])
        else:
            self.builder.add(BlockKind.QUOTE if self.quotes else BlockKind.PARAGRAPH, content)

    def _html(self, content: str) -> None:
        """An HTML block's visible words; the file's own Markdown inside it was parsed apart."""
        try:
            root = html.document_fromstring(content, parser=html.HTMLParser(remove_comments=True))
        except (etree.ParserError, etree.XMLSyntaxError, ValueError):
            return  # a lone comment or closing tag
        body = root.find("body")
        if body is not None:
            prune(body)
            HtmlFlow(self.builder).read(body)
