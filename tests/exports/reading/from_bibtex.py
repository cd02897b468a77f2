"""BibTeX, as another library reads it."""

from pybtex.database import parse_string

from tests.exports.reading import Pair
from tests.exports.reading.from_csl_json import parse_annotation


def pairs_of(data: bytes) -> frozenset[Pair]:
    entries = parse_string(data.decode(), "bibtex").entries
    return frozenset(
        pair
        for name, entry in entries.items()
        for pair in parse_annotation(name, entry.fields.get("annote", ""))
    )
