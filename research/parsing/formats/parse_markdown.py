"""Reads Markdown: blocks by markdown-it, inline markup unchanged, so that quotes match the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

from lxml import etree, html
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from research.parsing.clean_text import clean, without_general_heading
from research.parsing.formats.hidden_characters import note_carriers
from research.parsing.formats.html.parse_html_blocks import HtmlFlow
from research.parsing.formats.html.parse_html_metadata import partial_date
from research.parsing.formats.html.parse_html_visibility import ComputedStyle, style_of
from research.parsing.formats.html.remove_hidden_html import NEVER_TEXT, prune
from research.parsing.formats.parse_raised_figures import write_lowered, write_raised
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.hidden_text import DroppedLog, HiddenReason
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_media_types import MARKDOWN
from research.parsing.sniff_format import decode_text, describe_charset

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.S)
_FIELD = re.compile(r"^([A-Za-z_-]+):[ \t]*(.+?)[ \t]*$", re.M)
_IMAGE = re.compile(r"\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_HTML_TEXT = re.compile(r"<[^>]+>")
_REMARK = re.compile(r"<!--(.*?)-->", re.S)
_ELEMENT = re.compile(r"<(\w+)\b([^<>]*)>(.*?)</\1\s*>", re.S)
_STYLE = re.compile(r"style\s*=\s*([\"'])(.*?)\1", re.S | re.I)
_STRUCK = re.compile(r"(?<![~\\])~~(?=[^\s~])((?:(?!``|~~).)+)~~(?!~)", re.S)
_HIDDEN = re.compile(r"(?:^|\s)hidden(?:\s|=|/?$)", re.I)
_STRUCK_NAMES = frozenset({"del", "s", "strike"})
_SET_APART = re.compile(r"<(?:sup|sub|br)\b", re.I)
_SCRIPT = re.compile(r"<(sup|sub)>([^<>]{1,60})</\1>", re.I)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.I)
_NOTE = re.compile(r"\[\^[^\]\s]{1,60}\]:[ \t]*\S")
_NOTE_MARK = re.compile(r"[ \t]?\[\^[^\]\s]{1,60}\]")
_CODE_OR_ENTITY = re.compile(
    r"(?<![`\\])(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?<!\\)&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w{2,31});",
    re.S,
)
_MAX_SEARCHED_LENGTH = 20_000  # characters of one paragraph


def read_markdown(data: bytes, name: str) -> ReadDocument:
    (raw, charset), log = decode_text(data, name), DroppedLog()
    note_carriers(raw, log)
    text = clean(raw)
    front = _FRONT_MATTER.match(text)
    fields = {key.lower(): value.strip("'\" ") for key, value in _FIELD.findall(front[1] if front else "")}
    builder = TextBuilder()
    _MarkdownWalk(builder, log).read(_parser().parse(text[front.end() if front else 0 :]))
    return ReadDocument(
        text=builder.text, media_type=MARKDOWN, title=fields.get("title") or _first_title(builder),
        author=fields.get("author", ""), published=partial_date(fields.get("date", "")),
        modified=partial_date(fields.get("updated", fields.get("lastmod", ""))),
        blocks=tuple(builder.blocks), tables=tuple(builder.tables),
        notes=describe_charset(charset), dropped=log.entries,
    )  # fmt: skip


def plain_words(markdown: str) -> str:
    """Return a heading's words without link targets, emphasis and badges, for titles and section paths.

    >>> plain_words("pumplib [![Build](a.svg)](a) *now*"), plain_words("![pumplib](logo.svg)")
    ('pumplib now', 'pumplib')
    """
    return _plain(_IMAGE.sub(" ", markdown)) or _plain(markdown)


def _plain(markdown: str) -> str:
    return " ".join(_MARKS.sub("", _HTML_TEXT.sub("", _LINK.sub(r"\1", markdown))).split())


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.block.ruler.before(
        "reference", "note", _read_note, {"alt": ["paragraph", "reference", "blockquote"]}
    )
    return parser


def _read_note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a footnote ("[^1]: …") as paragraphs, which CommonMark takes for a link target or joins with the next."""

    def begins(line: int) -> bool:
        return _NOTE.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line]) is not None

    if state.is_code_block(start) or not begins(start):
        return False
    if silent:
        return True
    after = start + 1
    while after < end and not state.isEmpty(after) and not begins(after):
        after += 1
    state.push("paragraph_open", "p", 1)
    inline = state.push("inline", "", 0)
    inline.content = state.getLines(start, after, state.blkIndent, False).strip()
    inline.map, inline.children = [start, after], []
    state.push("paragraph_close", "p", -1)
    further = after
    while further < end and (state.isEmpty(further) or state.sCount[further] - state.blkIndent >= 4):
        further += 1
    state.blkIndent += 4
    state.md.block.tokenize(state, after, further)
    state.blkIndent -= 4
    state.line = further
    return True


def _first_title(builder: TextBuilder) -> str:
    headings = [block for block in builder.blocks if block.kind is BlockKind.HEADING]
    if not headings:
        return ""
    text = builder.text
    return without_general_heading(plain_words(text[headings[0].start : headings[0].end]))


@dataclass
class _MarkdownWalk:
    """Turns the flat token stream into blocks."""

    builder: TextBuilder
    log: DroppedLog
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
            self._inline(self._extract_visible_text(token))
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
            self.row.append(_NOTE_MARK.sub("", content))  # it would be read as part of the value
        elif self.heading_level is not None:
            self.builder.add_heading(content, self.heading_level, title=plain_words(content))
        elif self.lists:
            self.builder.add(BlockKind.LIST, content, level=len(self.lists), group=self.lists[0])
        else:
            for piece in _split_labelled_lines(content):
                self.builder.add(BlockKind.QUOTE if self.quotes else BlockKind.PARAGRAPH, piece)

    def _extract_visible_text(self, token: Token) -> str:
        """Return the paragraph as written in the file, without what the rendered page does not show."""
        markup = [child.content for child in token.children or () if child.type == "html_inline"]
        content = token.content
        if any(child.type == "s_open" for child in token.children or ()):
            content = _STRUCK.sub(
                lambda match: self._drop_hidden_text(HiddenReason.STRUCK, match[1]), content
            )
        if any(tag.startswith("<!--") for tag in markup):
            content = self._without_remarks(content)
        if len(content) <= _MAX_SEARCHED_LENGTH and any(map(_hides, markup)):
            content = _ELEMENT.sub(self._unless_hidden, content)
        if any(_SET_APART.match(tag) for tag in markup):
            content = self._write_raised_and_lowered(_BREAK.sub(" ", content))
        if "&" in content and len(content) <= _MAX_SEARCHED_LENGTH:
            content = self._resolve_entities(content)
        return content

    def _resolve_entities(self, content: str) -> str:
        """Replace entities, as in “1&nbsp;250”, by their characters. Code shows them as written."""
        shown = _CODE_OR_ENTITY.sub(lambda found: found["code"] or unescape(found[0]), content)
        if shown == content:
            return content
        note_carriers(shown, self.log)
        return clean(shown)

    def _write_raised_and_lowered(self, content: str) -> str:
        """Write raised and lowered figures with their marks: without tags they would join the figure before them."""
        line, end = "", 0
        for found in _SCRIPT.finditer(content):
            line += content[end : found.start()]
            end = found.end()
            if found[1].lower() == "sup":
                line += write_raised(line, found[2], content[end:], is_name=self.row is not None)
            else:
                line += write_lowered(line, found[2])
        return line + content[end:]

    def _without_remarks(self, content: str) -> str:
        return _REMARK.sub(lambda match: self._drop_hidden_text(HiddenReason.COMMENT, match[1]), content)

    def _unless_hidden(self, element: re.Match[str]) -> str:
        if element[1].lower() in _STRUCK_NAMES:
            return self._drop_hidden_text(HiddenReason.STRUCK, element[3])
        is_hidden = _hides(f"<{element[1]}{element[2]}>")
        return self._drop_hidden_text(HiddenReason.STYLE, element[3]) if is_hidden else element[0]

    def _drop_hidden_text(self, why: HiddenReason, words: str) -> str:
        self.log.note(why, words)
        return ""

    def _html(self, content: str) -> None:
        """Add the visible words of an HTML block; Markdown inside it was parsed separately."""
        content = self._without_remarks(content)
        try:
            root = html.document_fromstring(content, parser=html.HTMLParser())
        except (etree.ParserError, etree.XMLSyntaxError, ValueError):
            return  # only a comment or closing tag
        body = root.find("body")
        if body is not None:
            prune(body, self.log)
            HtmlFlow(self.builder).read(body)


# A line with a label of its own: "**Kind**: function", "__Note:__ …".
_LABELLED_LINE = re.compile(r"^(?=(\*\*|__)[^*_\n]{1,40}(?::\1|\1[ \t]*:))", re.M)


def _split_labelled_lines(content: str) -> list[str]:
    """Split a paragraph before each line with a label: such lines are fields, not sentences of one another."""
    starts = [found.start() for found in _LABELLED_LINE.finditer(content)]
    if len(starts) < 2 or starts[0]:
        return [content]
    return [
        content[start:end].rstrip().removesuffix("\\")
        for start, end in zip(starts, [*starts[1:], len(content)], strict=True)
    ]


def _hides(tag: str) -> bool:
    """Return True for an opening tag that hides what follows it."""
    style = _STYLE.search(tag)
    name = re.match(r"<(\w+)", tag)
    if _HIDDEN.search(tag.strip("<>")) or (name is not None and name[1].lower() in NEVER_TEXT):
        return True
    if name is not None and name[1].lower() in _STRUCK_NAMES:
        return True
    look = ComputedStyle().within(style_of(style[2] if style else ""))
    return look.gone is not None or look.unseen is not None
