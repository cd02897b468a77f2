"""The JSON file, whose pairs are the measure of every other file's."""

import json

from tests.exports.reading import Pair


def pairs_of(data: bytes) -> frozenset[Pair]:
    report = json.loads(data)
    numbers = {source["id"]: source["number"] for source in report["sources"]}
    return frozenset(
        (claim["number"], numbers[citation["source"]])
        for claim in report["claims"]
        for citation in claim["citations"]
        if claim["number"]
    )
