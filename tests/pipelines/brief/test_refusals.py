"""A statement that no excerpt supports as a whole, but that they say in part, is told so."""

import pytest

from research.pipelines.brief.brief_source_words import EvidenceWords
from research.pipelines.brief.drafting.draft_brief_by_rules import PARTED_OUT, UNCARRIED, draft, refusal

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


def test_a_quantity_that_no_excerpt_gives_is_named():
    refused = refusal("Warm side light lasts two hours and sells.", EVIDENCE, lambda first, second: 0.0)
    assert refused.reason == "No excerpt says “two hours”: the claims are what they do say."


def test_what_a_source_says_in_other_words_is_not_refused():
    answer = "For long storage keep the pack at 30 to 60 percent charge in a dry room between 10 and 20 °C."
    text = "Packs should be stored at a charge level of 30 to 60 percent, in a dry place at 10 to 20 °C."
    made = draft(answer, [EvidenceWords("https://a.example", 0, text, "Care")], lambda first, second: 0.0)
    assert [claim.text for claim in made.claims] == [text]
    assert made.refused == []


def test_who_says_i_is_named():
    text = "I charged it to 100 percent for two years and 91 percent is left."
    made = draft(
        "It lasts.", [EvidenceWords("https://a.example", 0, text, "A forum")], lambda first, second: 0.0
    )
    assert made.claims[0].text == f"A forum: {text}"
