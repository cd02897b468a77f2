"""CSL-JSON: an entry a source, annotated with the claims that cite it."""

import json
import re

from tests.exports.reading import Pair

_NUMBER = re.compile(r"\d+")


def pairs_of(data: bytes) -> frozenset[Pair]:
    return frozenset(
        pair for item in json.loads(data) for pair in parse_annotation(item["id"], item.get("annote", ""))
    )


def parse_annotation(entry: str, annotation: str) -> list[Pair]:
    """Parse "source3" and "Claims 1, 4"."""
    source = int(entry.removeprefix("source"))
    return [(int(claim), source) for claim in _NUMBER.findall(annotation)]
