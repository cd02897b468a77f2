"""Renders the saved texts of sources: as templates, their hundreds of paragraphs took most of a page's time."""

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from research.web.report.frozen_text_view import MarkedSegment, ParagraphGroup, TextParagraph
from research.web.templatetags.evidence_tags import render_pieces

register = template.Library()


@register.simple_tag
def frozen_groups(groups: Iterable[ParagraphGroup], is_pane: bool) -> SafeString:
    """Render the paragraphs with their cited passages. In the pane, headings are one level lower than on the page."""
    return SafeString("\n".join(_group(group, int(bool(is_pane))) for group in groups))


def _group(group: ParagraphGroup, deeper: int) -> str:
    match group.kind:
        case "list":
            return f"<ul>{''.join(map(_item, group.paragraphs))}</ul>"
        case "table":
            rows = "".join(f'<p dir="auto">{_words(paragraph)}</p>' for paragraph in group.paragraphs)
            table = escape(_("Table"))
            return f'<div class="rows" tabindex="0" role="region" aria-label="{table}">{rows}</div>'
        case "heading":
            return "\n".join(_render_heading(paragraph, deeper) for paragraph in group.paragraphs)
        case "quote":
            return _each(group, '<blockquote dir="auto">', "</blockquote>")
        case "code":
            return _each(group, '<pre tabindex="0">', "</pre>")
        case kind:
            return _each(group, f'<p class="{escape(kind)}" dir="auto">', "</p>")


def _each(group: ParagraphGroup, begin: str, end: str) -> str:
    return "\n".join(f"{begin}{_words(paragraph)}{end}" for paragraph in group.paragraphs)


def _item(paragraph: TextParagraph) -> str:
    own_mark = " own-mark" if paragraph.has_own_mark else ""
    return f'<li class="depth-{paragraph.level}{own_mark}" dir="auto">{_words(paragraph)}</li>'


def _render_heading(paragraph: TextParagraph, deeper: int) -> str:
    level = f'aria-level="{paragraph.level + deeper}" class="heading level-{paragraph.level}"'
    return f'<div role="heading" {level} dir="auto">{_words(paragraph)}</div>'


def _words(paragraph: TextParagraph) -> str:
    page = _page_begins(paragraph.page) if paragraph.page else ""
    return page + "".join(map(_segment, paragraph.segments))


def _page_begins(page: int) -> str:
    begins = escape(_("page %(page)s") % {"page": page})
    return f'<span class="page-number">{begins}</span>'


def _segment(segment: MarkedSegment) -> str:
    if not segment.is_marked:
        return escape(segment.text)
    anchor = f' id="{escape(segment.anchor)}"' if segment.anchor else ""
    current = ' class="current"' if segment.is_current else ""
    return f"<mark{anchor}{current}>{render_pieces(segment.pieces) if segment.pieces else escape(segment.text)}</mark>"
