"""Converts a paper into pandoc's AST, which pandoc writes as DOCX with named styles and Word's footnotes.

Pandoc parses no markup in the text. For the table of contents and section breaks, for which it has no node, this
module writes WordprocessingML, with all text escaped.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import override

from exports.formats.export_chart_pictures import png
from exports.formats.export_forbidden_characters import clean
from exports.formats.word.export_docx_styles import PARAGRAPH
from exports.formats.word.export_pandoc_inlines import (
    NO_ATTRIBUTES,
    Ast,
    build_quote_inlines,
    line,
    para,
    plain_words,
    string,
    wrap_in_direction,
    wrap_in_style,
)
from exports.paper.exported_paper_nodes import (
    LISTED_LEVELS,
    BlockQuote,
    Bullets,
    CodeBlock,
    Cover,
    Facts,
    Figure,
    Grid,
    Heading,
    Line,
    Node,
    Paper,
    Paragraph,
    StyledText,
)
from exports.paper.exported_paper_orientation import is_wide, parts

API_VERSION = [1, 23, 1]
_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
# Section ends with minimal properties; `mending` adds those of the last section.
_ENDS_UPRIGHT = "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>"
_ENDS_LYING = '<w:p><w:pPr><w:sectPr><w:pgSz w:orient="landscape"/></w:sectPr></w:pPr></w:p>'
_DOTS_AN_INCH = 96


def tree_of(paper: Paper) -> Ast:
    """Return a whole pandoc document."""
    with override(paper.language):
        blocks = [*_cover(paper.cover), *([] if paper.has_contents_on_cover else [_raw(_BREAK)])]
        blocks += [_raw(_contents(paper.listed_headings)), _raw(_BREAK)]
        blocks += _build_oriented_blocks(paper.nodes)
    return {"pandoc-api-version": API_VERSION, "meta": _meta(paper), "blocks": blocks}


def _build_oriented_blocks(nodes: Iterable[Node]) -> Iterator[Ast]:
    """Put a part with a wide table into its own landscape section; a section begins on a new page."""
    was_wide = False
    for part in parts(nodes):
        turns = is_wide(part)
        if turns != was_wide:
            yield _raw(_ENDS_LYING if was_wide else _ENDS_UPRIGHT)
        first, *rest = part
        if isinstance(first, Heading) and (turns or was_wide):
            first = replace(first, starts_page=False)
        yield from (block for node in (first, *rest) for block in _block(node))
        was_wide = turns


def _meta(paper: Paper) -> Ast:
    texts = {
        "title": paper.title,
        "subtitle": paper.cover.kind,
        "author": "Plumbline",
        "lang": paper.language,
        "subject": paper.subject,
        "description": paper.subject,
    }
    return {name: {"t": "MetaInlines", "c": [string(text)]} for name, text in texts.items()}


def _cover(cover: Cover) -> list[Ast]:
    counted = " · ".join(f"{value} {name}" for value, name in cover.figures)
    lines = [
        *([[StyledText(counted, "strong")]] if counted else []),
        *([StyledText(f"{name}: ", "quiet"), StyledText(value)] for name, value in cover.facts),
    ]
    return [wrap_in_style("Cover", para(tuple(line))) for line in lines]


def _block(node: Node) -> list[Ast]:
    match node:
        case Heading(level, text, anchor, starts_page):
            header: Ast = {"t": "Header", "c": [level, [anchor, [], []], [string(text)]]}
            return [*([_raw(_BREAK)] if starts_page else []), wrap_in_direction(header, text)]
        case Paragraph(content, style, anchor):
            held = ({"t": "Span", "c": [[anchor, [], []], line(content)]},) if anchor else line(content)
            block: Ast = {"t": "Para", "c": list(held)}
            return [
                wrap_in_direction(
                    wrap_in_style(PARAGRAPH[style], block) if style else block, plain_words(content)
                )
            ]
        case Bullets(items, are_numbered):
            listed = [[wrap_in_direction(para(item, "Plain"), plain_words(item))] for item in items]
            counted = [1, {"t": "Decimal"}, {"t": "Period"}]
            numbered: Ast = {"t": "OrderedList", "c": [counted, listed]}
            return [numbered if are_numbered else {"t": "BulletList", "c": listed}]
        case BlockQuote() | CodeBlock():
            return [_build_quoted_block(node)]
        case Facts(rows):
            return [
                _table("", (), [((StyledText(name, "quiet"),), content) for name, content in rows], (1, 3))
            ]
        case Grid(caption, head, rows, weights, figures):
            return [_table(caption, head, rows, weights, figures), para(())]
        case Figure():
            return _figure(node)
    raise TypeError(f"no way to write {type(node).__name__}")


def _build_quoted_block(node: BlockQuote | CodeBlock) -> Ast:
    """Return words or lines of a source without changes."""
    if isinstance(node, CodeBlock):
        return {"t": "CodeBlock", "c": [NO_ATTRIBUTES, clean(node.text)]}
    attributes = [["lang", node.language]] if node.language else []
    spoken: Ast = {"t": "Span", "c": [["", [], attributes], build_quote_inlines(node.content)]}
    return wrap_in_direction(
        {"t": "BlockQuote", "c": [{"t": "Para", "c": [spoken]}]}, plain_words(node.content)
    )


def _table(
    caption: str,
    head: tuple[str, ...],
    rows: Iterable[tuple[Line, ...]],
    weights: tuple[float, ...],
    figures: Iterable[int] = (),
) -> Ast:
    columns = [
        [
            {"t": "AlignRight" if index in figures else "AlignDefault"},
            {"t": "ColWidth", "c": weight / sum(weights)},
        ]
        for index, weight in enumerate(weights)
    ]
    heads = [_row([(StyledText(name),) for name in head])] if head else []
    body = [NO_ATTRIBUTES, 1, [], [_row(row) for row in rows]]
    said = [{"t": "Plain", "c": [string(caption)]}] if caption else []
    parts = [NO_ATTRIBUTES, [None, said], columns, [NO_ATTRIBUTES, heads], [body], [NO_ATTRIBUTES, []]]
    return {"t": "Table", "c": parts}


def _row(cells: Iterable[Line]) -> list[object]:
    return [
        NO_ATTRIBUTES,
        [
            [
                NO_ATTRIBUTES,
                {"t": "AlignDefault"},
                1,
                1,
                [wrap_in_direction(wrap_in_style("Table Text", para(cell)), plain_words(cell))],
            ]
            for cell in cells
        ],
    ]


def _figure(figure: Figure) -> list[Ast]:
    """Return the picture with a text alternative and a caption."""
    chart = figure.chart
    title = wrap_in_style("Chart Title", para((StyledText(chart.title),)))
    if not chart.bars:
        return [title, wrap_in_style("Caption", para((StyledText(" ".join(chart.summary)),)))]
    data = b64encode(png(chart)).decode()
    size = [["width", f"{chart.width / _DOTS_AN_INCH:.2f}in"]]
    picture: Ast = {
        "t": "Image",
        "c": [["", [], size], [string(figure.summary)], [f"data:image/png;base64,{data}", ""]],
    }
    caption = wrap_in_style("Image Caption", para((StyledText(" ".join(chart.summary)),)))
    return [title, {"t": "Para", "c": [picture]}, caption]


def _raw(xml: str) -> Ast:
    return {"t": "RawBlock", "c": ["openxml", xml]}


def _contents(listed: Iterable[Heading]) -> str:
    """Return a field that Word updates; until then it shows the headings, each with a field for its page number."""
    opened = _field("begin") + _instruction(f'TOC \\o "1-{LISTED_LEVELS}" \\h \\z \\u') + _field("separate")
    entries = "".join(_entry(heading, "" if index else opened) for index, heading in enumerate(listed))
    title = (
        f'<w:p><w:pPr><w:pStyle w:val="TOCHeading"/></w:pPr><w:r><w:t>{_xml(_("Contents"))}</w:t></w:r></w:p>'
    )
    closed = f"<w:p>{_field('end')}</w:p>" if entries else ""
    return (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj>'
        f"</w:sdtPr><w:sdtContent>{title}{entries}{closed}</w:sdtContent></w:sdt>"
    )


def _entry(heading: Heading, opened: str) -> str:
    anchor = _xml(heading.anchor)
    page = (
        _field("begin")
        + _instruction(f"PAGEREF {anchor} \\h")
        + _field("separate")
        + _run("·")
        + _field("end")
    )
    return (
        f'<w:p><w:pPr><w:pStyle w:val="TOC{heading.level}"/></w:pPr>{opened}<w:hyperlink w:anchor="{anchor}">'
        f"{_run(heading.text)}<w:r><w:tab/></w:r>{page}</w:hyperlink></w:p>"
    )


def _run(text: str) -> str:
    return f"<w:r><w:t>{_xml(text)}</w:t></w:r>"


def _instruction(text: str) -> str:
    return f'<w:r><w:instrText xml:space="preserve"> {text} </w:instrText></w:r>'


def _field(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def _xml(text: str) -> str:
    return escape(clean(text))
