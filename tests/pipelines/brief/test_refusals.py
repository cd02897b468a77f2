"""A statement that no excerpt supports as a whole, but that they say in part, is told so."""

import pytest

from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.draft_brief_by_rules import PARTED_OUT, UNCARRIED, refusal

EVIDENCE = [
    EvidenceWords("https://a.example", 0, "Warm side light raised appetite ratings by 18 %.", "Light"),
    EvidenceWords("https://b.example", 0, "Prices lie between 300 and 700 euros per tonne.", "Costs"),
]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Warm side light and flowers sell best.", PARTED_OUT),
        ("Costs of 700 euros make it uneconomic for most farms in the north.", PARTED_OUT),
        ("Self-hosting is cheaper above roughly two terabytes.", UNCARRIED),
    ],
)
def test_a_refusal_says_whether_the_excerpts_say_a_part(statement, reason):
    assert refusal(statement, EVIDENCE, lambda first, second: 0.0).reason == reason
