"""Render a synthesis of the older form: plain text in Markdown.

Its structure is kept. Only Markdown's syntax for headings, lists, quotes, emphasis and code becomes markup; links and
pictures remain text.
"""

import re

from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark", {"html": False}).disable(
    ["html_block", "html_inline", "image", "link", "autolink", "reference"]
)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
UNNAMED = "Synthesis"
Blocks = list[dict[str, object]]


def safe_html(text: str) -> str:
    """Return headings, paragraphs, lists, quotes, emphasis and code, without tags, links and pictures of the text."""
    return str(_READER.render(text))


def parts_of_text(text: str) -> list[tuple[str, Blocks]]:
    """Return headings with the blocks below them, for files."""
    parts: list[tuple[str, Blocks]] = []
    for heading, body in _split_by_heading(text):
        blocks = [_block(paragraph) for paragraph in re.split(r"\n\s*\n", body) if paragraph.strip()]
        if blocks or heading:
            parts.append((heading or UNNAMED, blocks))
    return parts or [(UNNAMED, [])]


def _split_by_heading(text: str) -> list[tuple[str, str]]:
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            sections.append((_bare(heading[1])[:300], []))
        else:
            sections[-1][1].append(line)
    return [(heading, "\n".join(lines)) for heading, lines in sections]


def _block(text: str) -> dict[str, object]:
    items = [line for line in text.splitlines() if line.strip()]
    bullets = [re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line) for line in items]
    is_list = all(bare != line for bare, line in zip(bullets, items, strict=True))
    sentences = bullets if is_list else [" ".join(items)]
    return {
        "type": "list" if is_list else "paragraph",
        "sentences": [{"text": _bare(sentence)} for sentence in sentences],
    }


def _bare(text: str) -> str:
    return re.sub(r"(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)", "", text).strip()
