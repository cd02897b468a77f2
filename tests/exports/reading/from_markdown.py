"""The Markdown file, as pandoc reads it: the footnotes, and what is set off in each."""

import json
import re
import subprocess
from collections.abc import Iterator

from citations.bibliography.bibliography_by_pandoc import pandoc_path, plain
from tests.exports.reading import Pair

DIALECT = "commonmark+footnotes+pipe_tables+yaml_metadata_block"
_NUMBER = re.compile(r"\d+")


def tree_of(data: bytes) -> dict[str, object]:
    """pandoc's AST."""
    command = [pandoc_path(), "--sandbox", "-f", DIALECT, "-t", "json"]
    return json.loads(subprocess.run(command, input=data, capture_output=True, check=True).stdout)


def nodes_of(node: object, kind: str) -> Iterator[object]:
    """Return the contents of the nodes of a kind, in order; those within each other too."""
    if isinstance(node, dict):
        if node.get("t") == kind:
            yield node.get("c")
        for each in node.values():
            yield from nodes_of(each, kind)
    elif isinstance(node, list):
        for each in node:
            yield from nodes_of(each, kind)


def pairs_of(data: bytes) -> frozenset[Pair]:
    """Return for every footnote the claim that it names first, and the labels of its sources."""
    notes = [
        [plain(strong) for strong in nodes_of(note, "Strong")]
        for note in nodes_of(tree_of(data)["blocks"], "Note")
    ]
    return frozenset(
        (int(_NUMBER.search(claim)[0]), int(_NUMBER.search(label)[0]))
        for claim, *labels in notes
        for label in labels
    )
