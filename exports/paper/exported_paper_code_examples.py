"""Code examples on paper: the introduction by the source, the code, and the source."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from exports.document.document_tree import Document, ExampleEntry
from exports.paper.exported_paper_nodes import CodeBlock, Heading, Node, Paragraph, words


def examples(document: Document) -> Iterator[Node]:
    if document.examples:
        yield Heading(1, _("Code examples"), "code")
    for example in document.examples:
        if example.description:
            yield Paragraph(words(example.description), "intro")
        yield CodeBlock(example.code, example.language)
        yield Paragraph(words(_below(example), "quiet"), "cite")


def _below(example: ExampleEntry) -> str:
    number = f"[{example.source.number}] " if example.source.number else ""
    checked = _("its syntax was checked") if example.check == "passed" else _("not checked")
    return f"{number}{example.source.title} · {' · '.join(filter(None, (example.language, checked)))}"
