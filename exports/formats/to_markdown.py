"""The report as Markdown: CommonMark with footnotes, pipe tables and front matter, as GitHub and pandoc read it.

Every claim has a footnote with its sources and their words.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from exports.building.build_document_authorship import describe_authorship
from exports.document.document_tree import ClaimEntry, Document, select_cited_sources
from exports.formats.export_markdown_lines import Lines
from exports.formats.export_markdown_text import (
    address,
    escape_inline,
    escape_line_start,
    fence_code,
    in_front_matter,
    line,
)
from exports.formats.export_options import ExportOptions, Progress
from exports.labels.format_document_values import quoted
from exports.paper.build_exported_paper import build_paper
from exports.paper.exported_paper_citations import at_place, one_a_source, weight_of
from exports.paper.exported_paper_nodes import (
    BlockQuote,
    Bullets,
    CodeBlock,
    Facts,
    Figure,
    Grid,
    Heading,
    Inline,
    Line,
    Link,
    Node,
    Paragraph,
    StyledText,
)

_DEEPEST = 6
_LAID_OUT = 0.7  # share of the work
_BACK = "#claim-"  # prefix of links that are redundant, because a footnote has its own backlink


def write(document: Document, options: ExportOptions, tell: Progress) -> bytes:
    """Return UTF-8. Raises PandocError if the references cannot be formatted."""
    paper = build_paper(document, options)
    tell(_LAID_OUT)
    with override(options.language):
        lines = Lines()
        blocks = [_front_matter(document, options), f"# {escape_line_start(escape_inline(document.title))}"]
        blocks += [block for node in paper.nodes for block in _blocks(node, lines)]
        blocks += _notes(document, lines)
    tell(1.0)
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


def _front_matter(document: Document, options: ExportOptions) -> str:
    """Return the front matter as YAML, whose strings are those of JSON (YAML 1.2, section 1.3)."""
    about = {
        "title": in_front_matter(document.title),
        "kind": document.kind,
        "status": document.status,
        "made": describe_authorship(document),
        "run": str(document.run_id),
        "version": document.report_version,
        "date": document.made_at.date().isoformat() if document.made_at else None,
        "lang": options.language,
        "claims": len(document.claims),
        "sources": len(select_cited_sources(document.sources)),
        "citation_style": options.citation_style.value,
    }
    rows = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in about.items()]
    return "\n".join(("---", *rows, "---"))


def _blocks(node: Node, lines: Lines) -> Iterator[str]:
    """Yield the Markdown blocks of a node; blocks are separated by an empty line."""
    match node:
        case Heading(level, text):
            yield (
                f"{'#' * min(level + 1, _DEEPEST)} {escape_line_start(escape_inline(text))}"
                if line(text)
                else ""
            )
        case Grid():
            yield from _grid(node, lines)
        case Figure():
            yield from _figure(node)
        case Bullets() | Facts():
            yield "\n".join(_render_list(node, lines))
        case Paragraph([label, StyledText(text), *_, Link(_, target)], "source" | "source kept") if (
            target in text
        ):
            yield f"{lines.render((label,))} {_link_reference(text.strip(), target)}"
        case CodeBlock(text, language):
            yield fence_code(text, language)
        case Paragraph() | BlockQuote():
            yield _run_on(node, lines)


def _render_list(node: Bullets | Facts, lines: Lines) -> Iterator[str]:
    if isinstance(node, Facts):
        yield from (_fact(term, said, lines) for term, said in node.rows)
        return
    for number, item in enumerate(node.items, start=1):
        mark = f"{number}." if node.are_numbered else "-"
        yield f"{mark} {escape_line_start(lines.render(item))}".rstrip()


def _run_on(node: Paragraph | BlockQuote, lines: Lines) -> str:
    is_set_off = isinstance(node, BlockQuote) or node.style == "notice"
    return ("> " if is_set_off else "") + escape_line_start(lines.render(_remove_backlink(node.content)))


def _link_reference(reference: str, url: str) -> str:
    """Turn the URL in the reference into a link."""
    before, _url, after = reference.partition(url)
    link = f"[{escape_inline(url)}]({address(url)})"
    return f"{escape_inline(before)} {link}{escape_inline(after)}"


def _fact(term: str, said: Line, lines: Lines) -> str:
    return f"- {lines.render((StyledText(f'{term}:', 'strong'), StyledText(' '), *said))}"


def _remove_backlink(content: Line) -> Sequence[Inline]:
    """Remove the backlink to the text, with the dot before it."""
    match content:
        case (*rest, StyledText(), Link(_, target)) if target.startswith(_BACK):
            return rest
    return content


def _grid(grid: Grid, lines: Lines) -> Iterator[str]:
    if grid.caption:
        yield lines.render((StyledText(grid.caption, "strong"),))
    rows = [[lines.render(cell) for cell in row] for row in grid.rows]
    yield _table([escape_inline(head) for head in grid.head], rows, grid.figures)


def _figure(shown: Figure) -> Iterator[str]:
    """Yield the chart's summary, then its figures as a table."""
    chart = shown.chart
    yield escape_line_start(escape_inline(shown.summary))
    rows = [
        [escape_inline(count.name or count.label), escape_inline(f"{count.figure} {chart.unit}")]
        for count in chart.counts
    ]
    if rows:
        yield _table([escape_inline(chart.heading), _("Number")], rows, frozenset({1}))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], figures: frozenset[int]) -> str:
    heads = [heading or " " for heading in head]
    ruler = ["---:" if index in figures else "---" for index, _head in enumerate(heads)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ruler, *rows))


def _notes(document: Document, lines: Lines) -> list[str]:
    """Return a footnote for each referenced claim."""
    claims = {claim.number: claim for claim in document.claims}
    return [f"[^{number}]: {_note(claims[number], lines)}" for number in lines.called]


def _note(claim: ClaimEntry, lines: Lines) -> str:
    """Return a note: "**Claim 7**: **[3]** Title, p. 4: “quote”; … · Strong evidence, confidence 82%."

    Programs renumber footnotes, so the note states the claim's own number.
    """
    content: list[Inline] = []
    for citation in one_a_source(claim.citations):
        content += [StyledText("; ")] if content else []
        named = f" {citation.source.title}{at_place(citation)}: {quoted(citation.quote)}"
        content += [StyledText(citation.label, "strong"), StyledText(named)]
    number = StyledText(_("Claim %(number)s") % {"number": claim.number}, "strong")
    ending = " · " if content else ""
    return lines.render((number, StyledText(": "), *content, StyledText(f"{ending}{weight_of(claim)}")))
