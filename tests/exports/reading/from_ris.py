"""RIS, as another library reads it."""

import rispy

from tests.exports.reading import Pair
from tests.exports.reading.from_csl_json import parse_annotation


def pairs_of(data: bytes) -> frozenset[Pair]:
    records = rispy.loads(data.decode())
    return frozenset(
        pair
        for record in records
        for note in record.get("notes", ())
        for pair in parse_annotation(record["id"], note)
    )
