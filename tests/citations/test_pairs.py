"""The relation of two sentences of different documents, on pairs in many subjects.

`labelled/pairs.jsonl` has contradictions, sentences that are alike and say different things, and sentences that say
the same in other words.
"""

import json
from datetime import date
from pathlib import Path

import pytest

from citations.claim_similarity import ComparedClaim, SimilarityKind, compare
from citations.claim_strength import work_key
from citations.contradictions import Assertion, ClaimRelation, find_contradictions

PAIRS = [
    json.loads(line) for line in (Path(__file__).parent / "labelled" / "pairs.jsonl").read_text().splitlines()
]
AGREEING = (SimilarityKind.DUPLICATE, SimilarityKind.CORROBORATION)


def claim(pair: dict[str, str], side: str) -> Assertion:
    title = pair[f"title_{side}"]
    return Assertion(side, pair[side], side, 0.5, title=title, work=work_key(title))


def is_disputed(pair: dict[str, str]) -> bool:
    found = find_contradictions([claim(pair, "a"), claim(pair, "b")], today=date(2026, 7, 1))
    return any(each.relation is ClaimRelation.CONTRADICTION for each in found)


def test_contradictions_are_found_and_hardly_anything_else_is():
    found = [pair["label"] for pair in PAIRS if is_disputed(pair)]
    wanted = sum(pair["label"] == "contradiction" for pair in PAIRS)
    assert found.count("contradiction") >= 0.9 * wanted
    assert found.count("contradiction") >= 0.95 * len(found)


def test_what_is_alike_and_says_something_else_is_never_merged():
    merged = [
        pair["label"]
        for pair in PAIRS
        if compare(ComparedClaim(pair["a"]), ComparedClaim(pair["b"])).kind in AGREEING
    ]
    wanted = sum(pair["label"] == "same" for pair in PAIRS)
    assert set(merged) == {"same"}
    assert len(merged) >= 0.5 * wanted  # without embeddings; with them more


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_pair_is_judged_alike_from_either_side(pair):
    one, other = ComparedClaim(pair["a"]), ComparedClaim(pair["b"])
    forth, back = compare(one, other, 0.8), compare(other, one, 0.8)
    assert (forth.kind, forth.confidence, forth.warnings) == (back.kind, back.confidence, back.warnings)
    assert (forth.conflict is None) == (back.conflict is None)


def test_the_heading_tells_of_what_a_default_is():
    default = "The default is 600,000 iterations."
    named = ComparedClaim("PBKDF2 uses 600,000 iterations by default.")
    assert compare(ComparedClaim(default, subject="PBKDF2"), named).kind in AGREEING


def test_two_editions_without_a_date_differ_by_a_change():
    texts = "The cache keeps entries for 15 minutes.", "The cache keeps entries for 60 minutes."
    claims = [
        Assertion(
            str(n), text, str(n), 0.5, title=f"Hermes proxy reference {n}.0", work="hermes proxy reference"
        )
        for n, text in enumerate(texts, start=1)
    ]
    (found,) = find_contradictions(claims, today=date(2026, 7, 1))
    assert (found.relation, found.winner) == (ClaimRelation.CHANGE, None)


def test_what_two_manufacturers_say_of_their_own_is_no_contradiction():
    claims = [
        Assertion(
            "a", "Defrosting took 4.5 per cent of the running time.", "a", 0.5, title="Test of the Lumen 9"
        ),
        Assertion(
            "b", "Defrosting took 3.1 per cent of the running time.", "b", 0.5, title="Orca Polar: results"
        ),
    ]
    assert find_contradictions(claims, today=date(2026, 7, 1)) == ()
    other = Assertion(
        **{f: getattr(claims[1], f) for f in ("id", "text", "source", "authority")}, title="Lumen 9 report"
    )
    assert len(find_contradictions([claims[0], other], today=date(2026, 7, 1))) == 1
