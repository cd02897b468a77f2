"""The verdict of one passage on a claim, whole: status, reasons in words, support, place."""

from dataclasses import replace

import pytest

from citations.anchoring import AnchorMatchType
from citations.contradiction.claim_statement_conflicts import difference
from citations.entailment.support_probability import SupportProfile, Weights
from citations.verification import CitedPassage, Verdict, VerdictStatus, verify

BY_COVERAGE = Weights(-2.0, {"coverage": 4.0})
PROFILE = SupportProfile(
    BY_COVERAGE,
    BY_COVERAGE,
    accurate=0.5,
    partly=0.5,
    same_thing=0.55,
    cases=0,
    documents=0,
    curve=(),
)


def check(claim: str, passage: str, profile: SupportProfile = PROFILE) -> Verdict:
    return verify(claim, [CitedPassage(passage)], profile=profile)


@pytest.mark.parametrize(
    ("claim", "passage", "status", "reasons", "support", "said", "match_type"),
    [
        (
            "Verifiers need 8 characters.",
            "Preface. Verifiers need 8 characters. More.",
            VerdictStatus.VERIFIED,
            ("The words stand in the source.",),
            1.0,
            "Verifiers need 8 characters",
            AnchorMatchType.EXACT,
        ),
        (
            "Verifiers need 'eight' characters.",
            "Preface. Verifiers need “eight” characters. More.",
            VerdictStatus.VERIFIED,
            ("The words stand in the source.",),
            0.98,
            "Verifiers need “eight” characters",
            AnchorMatchType.NORMALIZED,
        ),
        (
            "salts are unique",
            "If asked, salts are unique.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("Qualified: the source adds “If asked,”.",),
            0.4,
            "salts are unique",
            AnchorMatchType.EXACT,
        ),
        (
            "salts are unique",
            "It is not true that salts are unique.",
            VerdictStatus.CONTRADICTED,
            ("The source denies it: “It is not true that …”.",),
            0.05,
            "salts are unique",
            AnchorMatchType.EXACT,
        ),
        (
            "salts are unique",
            "Salts are unique unless reused.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("Qualified: the source adds “unless reused.”.",),
            0.392,
            "Salts are unique",
            AnchorMatchType.NORMALIZED,
        ),
        (
            "salts are unique",
            "Critics claim that salts are unique.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("Qualified: the source reports this as the position of others (“Critics claim that”).",),
            0.4,
            "salts are unique",
            AnchorMatchType.EXACT,
        ),
        (
            "Bananas are yellow.",
            "Salts are unique.",
            VerdictStatus.UNSUPPORTED,
            ("The passage speaks of something else.",),
            0.0,
            None,
            None,
        ),
        (
            "21 % of users reuse passwords.",
            "12 % of users reuse passwords.",
            VerdictStatus.CONTRADICTED,
            ("The source says “12 %”, the claim says “21 %”.",),
            0.146,
            "12 % of users reuse passwords.",
            None,
        ),
        (
            "Critics were amused by it.",
            "Critics were not amused by the play.",
            VerdictStatus.CONTRADICTED,
            ("Claim and source differ in saying yes or no about “amused”.",),
            0.176,
            "Critics were not amused by the play.",
            None,
        ),
        (
            "The painter was born in Oslo in 1911.",
            "The sculptor with 40 cats lives quietly in Lima.",
            VerdictStatus.UNSUPPORTED,
            ("The passage speaks of something else.",),
            0.0,
            None,
            None,
        ),
        (
            "Sales of the new model rose by 12 % in Norway.",
            "Sales of the new model rose.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("“12 %” is not in the source.", "“Norway” is not in the source."),
            0.297,
            "Sales of the new model rose.",
            None,
        ),
        (
            "The council rejected the plan of the mayor.",
            "The council met in spring for lunch.",
            VerdictStatus.UNSUPPORTED,
            ("The passage does not say this.",),
            0.121,
            "The council met in spring for lunch.",
            None,
        ),
        (
            "The council rejected the plan of the mayor loudly.",
            "The council rejected the plan.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            ("Every figure, date, name and negation is matched in the source.",),
            0.599,
            "The council rejected the plan.",
            None,
        ),
        (
            "The plan of the council was rejected by voters.",
            "The voters of the town planned what the council of another had rejected.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            ("Every figure, date, name and negation is matched in the source.",),
            0.881,
            "The voters of the town planned what the council of another had rejected.",
            None,
        ),
        (
            "The drug helps all patients.",
            "The drug may help some of the patients.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            (
                "Qualified: the source says that it may be so, not that it is.",
                "Qualified: the source says so of fewer than the claim does.",
            ),
            0.396,
            "The drug may help some of the patients.",
            None,
        ),
        (
            "The drug helps patients well.",
            "The drug helps the patients well.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            ("Every figure, date, name and negation is matched in the source.",),
            0.881,
            "The drug helps the patients well.",
            None,
        ),
        (
            "Ada Holm plays the violin.",
            "She plays the violin and the harp.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            ("Every figure, date, name and negation is matched in the source.",),
            0.5,
            "She plays the violin and the harp.",
            None,
        ),
        (
            "Not Ada Holm plays the violin.",
            "She plays the violin and the harp.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("“Ada Holm” is not in the source.",),
            0.225,
            "She plays the violin and the harp.",
            None,
        ),
        (
            "She plays the violin with Ada Holm.",
            "She plays the violin and the harp.",
            VerdictStatus.PARTIALLY_SUPPORTED,
            ("“Ada Holm” is not in the source.",),
            0.225,
            "She plays the violin and the harp.",
            None,
        ),
    ],
)
def test_a_verdict_has_its_reasons_its_support_and_its_place(
    claim, passage, status, reasons, support, said, match_type
):
    found = check(claim, passage)
    assert (found.status, found.reasons, found.match_type) == (status, reasons, match_type)
    assert found.support == pytest.approx(support, abs=1e-3)
    assert (found.span and found.span.cut(passage)) == said


@pytest.mark.parametrize(
    ("accurate", "status"),
    [(0.5, VerdictStatus.PARAPHRASED_ACCURATE), (0.51, VerdictStatus.PARTIALLY_SUPPORTED)],
)
def test_a_probability_at_the_threshold_is_accurate(accurate, status):
    even = replace(PROFILE, without_likeness=Weights(0.0, {}), accurate=accurate)
    found = check("The drug helps patients well.", "The drug helps the patients well.", even)
    assert found.status is status


@pytest.mark.parametrize(
    ("partly", "status"), [(0.5, VerdictStatus.PARTIALLY_SUPPORTED), (0.51, VerdictStatus.UNSUPPORTED)]
)
def test_a_coverage_at_the_threshold_supports_in_part(partly, status):
    claim, passage = "The council rejected a bridge quickly.", "The council has rejected a plan."
    assert check(claim, passage, replace(PROFILE, partly=partly, accurate=0.9)).status is status


@pytest.mark.parametrize(
    ("same_thing", "status"), [(0.5, VerdictStatus.CONTRADICTED), (0.51, VerdictStatus.UNSUPPORTED)]
)
def test_a_conflict_contradicts_from_the_coverage_at_the_threshold_on(same_thing, status):
    claim, passage = "The council bought 12 boats and lamps.", "The council of Lima has 14 boats."
    assert check(claim, passage, replace(PROFILE, same_thing=same_thing)).status is status


def test_a_verdict_far_inside_a_long_passage_says_where_it_stands():
    passage = (
        "Nobody counts the empty seats. " * 100 + "The drug helps the patients of Oslo well. " + "So. " * 500
    )
    found = check("The drug helps patients of Oslo well.", passage)
    assert found.span is not None
    assert found.span.cut(passage) == "The drug helps the patients of Oslo well."
    assert [part.source_span.cut(passage) for part in found.parts if part.source_span] == [
        "Oslo",
        "drug",
        "helps",
        "patients",
    ]


TABLE = """Table: Lakes
name | area (km2) | depth (m)
Arl | 120 | 80
Bex | 300 | 45
Cham | 210 | 130
"""


@pytest.mark.parametrize(
    ("claim", "status", "reason", "said"),
    [
        (
            "Lake Bex has an area of 300 km2.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            "row “Bex”: name “Bex”, area (km2) “300”",
            "Bex",
        ),
        (
            "Lake Bex has an area of 210 km2.",
            VerdictStatus.CONTRADICTED,
            "row “Bex”: name “Bex”; area (km2) “300” ≠ “210”",
            "Bex",
        ),
        (
            "The lakes freeze in winter.",
            VerdictStatus.PARAPHRASED_ACCURATE,
            "Every figure, date, name and negation is matched in the source.",
            "These lakes all freeze in winter.",
        ),
    ],
)
def test_a_table_and_the_prose_beside_it_are_each_read_in_their_place(claim, status, reason, said):
    passage = f"Of old. {TABLE}\nThese lakes all freeze in winter."
    found = check(claim, passage)
    assert (found.status, found.reasons) == (status, (reason,))
    assert found.span is not None
    assert found.span.cut(passage) == said


@pytest.mark.parametrize(
    ("claim", "passage", "reason"),
    [
        (
            "The plan of voters was rejected by council.",
            "The plan of the voters.",
            "Not in the source: “rejected”, “council”.",
        ),
        (
            "The drug helps patients well.",
            "The drug helps the patients well.",
            "The words are in the source, but it does not put them together this way.",
        ),
    ],
)
def test_a_claim_under_the_threshold_is_told_which_words_it_lacks(claim, passage, reason):
    found = check(claim, passage, replace(PROFILE, accurate=0.99))
    assert (found.status, found.reasons) == (VerdictStatus.PARTIALLY_SUPPORTED, (reason,))


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Salts make it impossible to see which users have one password.",
            "Salts make it not possible to see which users have one password.",
        ),
        (
            "Codes of Time based One\u2011time Passwords replace those that are sent as text messages.",
            "Codes of Time based One-time Passwords replace those that are sent as text messages.",
        ),
        (
            "The guidelines in Sec. 7 are essential to maintain sessions against attacks.",
            "The guidelines in Section 7 are essential to maintain sessions against attacks.",
        ),
        (
            "Passwords should be hashed with a slow function rather than encrypted.",
            "Hashing and encryption keep data safe. Passwords should be hashed with a slow function, NOT encrypted.",
        ),
    ],
)
def test_another_spelling_or_a_denied_opposite_contradicts_nothing(claim: str, passage: str) -> None:
    assert check(claim, passage).status is not VerdictStatus.CONTRADICTED
    assert difference(claim, passage) is None
