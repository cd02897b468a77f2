"""Converts a paper into the HTML from which the PDF is rendered, with elements that become its tags. All text is
escaped.

List items contain lines only: a paragraph in an item would break the tags that PDF/UA requires.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import override

from exports.formats.export_forbidden_characters import clean
from exports.labels.format_document_values import direction
from exports.paper.exported_paper_citations import short
from exports.paper.exported_paper_nodes import (
    BlockQuote,
    Bullets,
    CodeBlock,
    Cover,
    Facts,
    Figure,
    Footnote,
    Grid,
    Heading,
    Inline,
    Line,
    Link,
    Node,
    NoteReference,
    Paper,
    Paragraph,
    StyledText,
)
from exports.paper.exported_paper_orientation import is_wide, parts

CHART = "chart:"  # scheme of the URLs of charts
_TITLE, _PART = 70, 38  # characters above a page, on its left and right
_LETTERS_A_LINE, _FEW_LINES = 95, 6  # of a quote in the appendix that stays on one page


@dataclass(frozen=True, slots=True)
class PdfMarkup:
    """The HTML, and its charts in order: chart:0, chart:1, …"""

    html: str
    figures: tuple[Figure, ...]


def markup(paper: Paper) -> PdfMarkup:
    figures = tuple(node for node in paper.nodes if isinstance(node, Figure))
    with override(paper.language):
        body = "".join(_body(paper, figures))
    return PdfMarkup(
        f'<!doctype html><html lang="{_attribute(paper.language)}"><head>{_head(paper)}</head>{body}</html>',
        figures,
    )


def _head(paper: Paper) -> str:
    made = paper.made_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    names = {"author": "Plumbline", "description": paper.subject, "generator": "Plumbline"}
    names |= {"dcterms.created": made, "dcterms.modified": made}
    metas = "".join(f'<meta name="{name}" content="{_attribute(value)}">' for name, value in names.items())
    return f'<meta charset="utf-8"><title>{_text(paper.title)}</title>{metas}'


def _body(paper: Paper, figures: tuple[Figure, ...]) -> Iterator[str]:
    yield "<body>"
    contents = _contents(paper.listed_headings)
    yield _cover(paper.title, paper.cover, contents if paper.has_contents_on_cover else "")
    yield "" if paper.has_contents_on_cover else contents
    yield "<main>"
    numbers = {id(figure): number for number, figure in enumerate(figures)}
    was_wide = False
    for part in parts(paper.nodes):
        turns = is_wide(part)
        inside = "".join(
            _figure(node, numbers[id(node)]) if isinstance(node, Figure) else _node(node) for node in part
        )
        turned = ' class="wide"' if turns else ' class="new-page"' if was_wide else ""
        yield f"<section{turned}>{inside}</section>"
        was_wide = turns
    yield "</main></body>"


def _cover(title: str, cover: Cover, contents: str) -> str:
    figures = "".join(f"<p><b>{_text(value)}</b> {_text(name)}</p>" for value, name in cover.figures)
    facts = "".join(f"<p><b>{_text(name)}</b> {_text(value)}</p>" for name, value in cover.facts)
    return (
        f'<section class="cover{" short" if contents else ""}"><p class="kind">{_text(cover.kind)}</p>'
        f'<h1 id="title" dir="{direction(title)}"{_head_of_page(title, _TITLE)}>{_text(title)}</h1>'
        f'<div class="counts">{figures}</div><div class="facts">{facts}</div>'
        f'{contents}<p class="maker">Plumbline</p></section>'
    )


def _head_of_page(text: str, most: int) -> str:
    """Shorten the text above each page, between words."""
    return f' data-head="{_attribute(short(text, most))}"'


def _contents(headings: Iterable[Heading]) -> str:
    listed = "".join(
        f'<li class="level-{heading.level}" dir="{direction(heading.text)}">'
        f'<a href="#{_attribute(heading.anchor)}">{_text(heading.text)}</a></li>'
        for heading in headings
    )
    return (
        f'<section class="contents"><p class="contents-title">{_("Contents")}</p><ol>{listed}</ol></section>'
    )


def _node(node: Node) -> str:
    match node:
        case Heading(level, text, anchor, starts_page):
            page = ' class="new-page"' if starts_page else ""
            return (
                f'<h{level + 1} id="{_attribute(anchor)}" dir="{direction(text)}"{page}{_head_of_page(text, _PART)}>'
                f"{_text(text)}</h{level + 1}>"
            )
        case Paragraph(content, style, anchor):
            place = f' id="{_attribute(anchor)}"' if anchor else ""
            return f'<p class="{style}"{place} dir="{_direction(content)}">{_line(content)}</p>'
        case Bullets(items, are_numbered):
            listed = "".join(f'<li dir="{_direction(item)}">{_line(item)}</li>' for item in items)
            return f"<ol>{listed}</ol>" if are_numbered else f"<ul>{listed}</ul>"
        case BlockQuote(content, language):
            spoken = f' lang="{_attribute(language)}"' if language else ""
            whole = ' class="whole"' if _is_short(content) else ""
            return (
                f'<blockquote{whole}{spoken} dir="{_direction(content)}"><p>{_line(content)}</p></blockquote>'
            )
        case CodeBlock(text):
            return f'<pre dir="ltr">{_text(text)}</pre>'
        case Facts(rows):
            return _facts(rows)
        case Grid():
            return _grid(node)
    raise TypeError(f"no way to write {type(node).__name__}")


def _is_short(content: Iterable[Inline]) -> bool:
    """Return True for a quote that is kept on one page; keeping long ones together would leave pages half empty."""
    text = "".join(inline.text for inline in content if isinstance(inline, StyledText | Link))
    return sum(1 + len(line) // _LETTERS_A_LINE for line in text.split("\n")) <= _FEW_LINES


def _facts(rows: Iterable[tuple[str, Line]]) -> str:
    listed = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td dir="{_direction(content)}">{_line(content)}</td></tr>'
        for name, content in rows
    )
    return f'<table class="facts"><tbody>{listed}</tbody></table>'


def _grid(grid: Grid) -> str:
    whole = sum(grid.weights)
    heads = "".join(
        f'<th scope="col" style="width: {100 * weight / whole:.1f}%"{_figures(index, grid)}>{_text(name)}</th>'
        for index, (name, weight) in enumerate(zip(grid.head, grid.weights, strict=True))
    )
    rows = "".join(f"<tr>{_cells(row, grid)}</tr>" for row in grid.rows)
    caption = f"<caption>{_text(grid.caption)}</caption>" if grid.caption else ""
    wide = " wide" if grid.is_wide else ""
    return f'<table class="grid{wide}">{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _cells(row: Iterable[Line], grid: Grid) -> str:
    return "".join(
        f'<th scope="row" dir="{_direction(cell)}">{_line(cell)}</th>'
        if not index
        else f'<td dir="{_direction(cell)}"{_figures(index, grid)}>{_line(cell)}</td>'
        for index, cell in enumerate(row)
    )


def _figures(index: int, grid: Grid) -> str:
    return ' class="figure"' if index in grid.figures else ""


def _figure(figure: Figure, number: int) -> str:
    """Return the chart with its caption and its figures as a table."""
    chart = figure.chart
    picture = (
        f'<img src="{CHART}{number}" alt="{_attribute(figure.summary)}" style="width: {chart.width * 0.31:.0f}mm">'
        if chart.bars
        else ""
    )
    summary = _text(" ".join(chart.summary))
    return (
        f'<div class="chart"><p class="chart-title">{_text(chart.title)}</p>{picture}'
        f'<p class="chart-words">{summary}</p></div>'
    )


def _line(content: Iterable[Inline]) -> str:
    return "".join(_inline(inline) for inline in content)


def _inline(inline: Inline) -> str:
    match inline:
        case StyledText(text, ""):
            return _text(text)
        case StyledText(text, tone):
            return f'<span class="{tone}">{_text(text)}</span>'
        case Link(text, target):
            return f'<a href="{_attribute(target)}">{_text(text)}</a>'
        case NoteReference(number, target, anchor):
            place = f' id="{_attribute(anchor)}"' if anchor else ""
            return f'<a class="mark"{place} href="{_attribute(target)}">{number}</a>'
        case Footnote(number, content, anchor):
            return _note(number, content, anchor)
    raise TypeError(f"no way to write {type(inline).__name__}")


def _note(number: int, content: Line, anchor: str) -> str:
    """Return a footnote with our own mark, so that it has its claim's number whatever the notes' order."""
    links = [inline for inline in content if isinstance(inline, Link)]
    target = links[0].target if links else f"#{anchor}"
    return (
        f'<a class="mark" id="{_attribute(anchor)}" href="{_attribute(target)}">{number}</a>'
        f'<span class="note" data-number="{number}" dir="{_direction(content)}">{_line(content)}</span>'
    )


def _direction(content: Iterable[Inline]) -> str:
    return direction(" ".join(inline.text for inline in content if isinstance(inline, StyledText | Link)))


def _text(text: str) -> str:
    return escape(clean(text), quote=False)


def _attribute(text: str) -> str:
    return escape(clean(text))
