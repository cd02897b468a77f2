"""Converts lines of a paper into pandoc's AST: styled text, links, footnotes."""

from collections.abc import Iterable
from dataclasses import replace

from exports.formats.export_forbidden_characters import clean
from exports.formats.word.export_docx_styles import CHARACTER
from exports.labels.format_document_values import direction
from exports.paper.exported_paper_nodes import Footnote, Inline, Line, Link, NoteReference, StyledText

Ast = dict[str, object]
NO_ATTRIBUTES: list[object] = ["", [], []]


def line(content: Iterable[Inline]) -> list[Ast]:
    return [ast for inline in content for ast in _inline(inline)]


def build_quote_inlines(content: Iterable[Inline]) -> list[Ast]:
    """Return a quote with the line breaks of its source."""
    made: list[Ast] = []
    for inline in content:
        if not isinstance(inline, StyledText):
            made += _inline(inline)
            continue
        for place, part in enumerate(inline.text.split("\n")):
            made += [{"t": "LineBreak"}] if place else []
            made += _inline(replace(inline, text=part)) if part else []
    return made


def _inline(inline: Inline) -> list[Ast]:
    match inline:
        case StyledText(text, ""):
            return [string(text)]
        case StyledText(text, tone):
            return [{"t": "Span", "c": [["", [], [["custom-style", CHARACTER[tone]]]], [string(text)]]}]
        case Link(text, target):
            return [{"t": "Link", "c": [NO_ATTRIBUTES, [string(text)], [target, ""]]}]
        case NoteReference(number, target, anchor):
            raised: Ast = {"t": "Superscript", "c": [string(str(number))]}
            link: Ast = {"t": "Link", "c": [NO_ATTRIBUTES, [raised], [target, ""]]}
            return [_build_anchor(anchor), link] if anchor else [link]
        case Footnote(number, content, anchor):
            named = StyledText(f"{number}\u00a0", "strong")
            note: Ast = {"t": "Note", "c": [wrap_in_direction(para((named, *content)), plain_words(content))]}
            return [_build_anchor(anchor), note]
    raise TypeError(f"no way to write {type(inline).__name__}")


def _build_anchor(anchor: str) -> Ast:
    return {"t": "Span", "c": [[anchor, [], []], []]}


def para(content: Line, kind: str = "Para") -> Ast:
    return {"t": kind, "c": line(content)}


def string(text: str) -> Ast:
    return {"t": "Str", "c": clean(text)}


def wrap_in_style(style: str, *blocks: Ast) -> Ast:
    return {"t": "Div", "c": [["", [], [["custom-style", style]]], list(blocks)]}


def wrap_in_direction(block: Ast, text: str) -> Ast:
    """Set the direction of text in a right-to-left script."""
    if direction(text) == "ltr":
        return block
    return {"t": "Div", "c": [["", [], [["dir", "rtl"]]], [block]]}


def plain_words(content: Iterable[Inline]) -> str:
    return " ".join(inline.text for inline in content if isinstance(inline, StyledText | Link))
