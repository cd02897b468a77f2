"""Every warning and gap, word for word as a reader gets it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from citations.claim_strength import Origin
from citations.claim_warnings import ReportClaim, SourceEvidence, warnings
from citations.credibility.credibility_evidence_gaps import Coverage, gaps
from citations.credibility.evidence_concerns import Concern, ConcernKind, Severity
from citations.dates.find_dates import parse_iso

A, B, C = (
    SourceEvidence(
        Origin(name, publisher=name), tier=1, source_type="government", published=parse_iso("2026-01")
    )
    for name in "abc"
)
ON_A = ReportClaim("Salts are unique.", ("a",))
ON_TWO = (ReportClaim("Hashes are long.", ("a", "b")), ReportClaim("Keys are secret.", ("b", "c")))
PROVISIONAL = "Add sources, or read the findings as provisional."
SECOND = "Look for a second source of these claims."


def find_concerns(
    evidence: Sequence[SourceEvidence], claims: Sequence[ReportClaim] = ON_TWO, disagreeing: int = 0
):
    return warnings(evidence, claims, today=date(2026, 7, 1), open_contradictions=disagreeing)


@pytest.mark.parametrize(
    ("evidence", "code", "kind", "severity", "text", "advice"),
    [
        ([A], "W002", ConcernKind.QUALITY, Severity.HIGH, "This report rests on a single source.", PROVISIONAL),
        (
            [replace(each, published=parse_iso("2012")) for each in (A, B, C)],
            "W003", ConcernKind.RECENCY, Severity.MEDIUM,
            "Half of the dated sources are 14 years old or older.",
            "Check whether newer editions say the same.",
        ),
        (
            [replace(A, published=None), replace(B, published=None), C],
            "W004", ConcernKind.RECENCY, Severity.MEDIUM,
            "2 of 3 sources have no date.", "Check how current these sources are.",
        ),
        (
            [replace(each, source_type="company") for each in (A, B, C)],
            "W005", ConcernKind.BIAS, Severity.HIGH,
            "All sources are companies writing about their own field.",
            "Look for independent tests and reviews.",
        ),
        (
            [replace(A, is_paywalled=True), B, C], "W006", ConcernKind.QUALITY, Severity.MEDIUM,
            "1 of 3 sources are behind a paywall and were read in part only.",
            "Get access, or look for open versions.",
        ),
        (
            [replace(A, is_preprint=True), B, C], "W007", ConcernKind.QUALITY, Severity.MEDIUM,
            "1 of 3 sources are preprints without peer review.", "Look for the reviewed versions.",
        ),
        (
            [replace(A, withdrawn="RETRACTED: Cost curves"), B, C], "W020", ConcernKind.QUALITY, Severity.HIGH,
            "1 of 3 sources were retracted or replaced, as they say themselves: “RETRACTED: Cost curves”.",
            "Do not rely on them; read what replaced them.",
        ),
        (
            [replace(each, tier=3) for each in (A, B, C)], "W014", ConcernKind.QUALITY, Severity.MEDIUM,
            "No source is of the first two tiers (public bodies, standards, journals, official documents).",
            "Look for a primary or official source.",
        ),
    ],
)  # fmt: skip
def test_what_is_weak_in_the_sources(evidence, code, kind, severity, text, advice):
    assert find_concerns(evidence) == (Concern(code, kind, severity, text, advice),)


def test_sources_of_one_publisher_are_told_once():
    one = [replace(each, origin=Origin(each.origin.source, publisher="NIST")) for each in (A, B, C)]
    assert find_concerns(one, []) == (
        Concern(
            "W001", ConcernKind.DIVERSITY, Severity.HIGH,
            "All 3 sources come from one publisher.", "Look for sources of other publishers.",
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("share", "codes"), [((10, 2), []), ((4, 1), ["W006"]), ((10, 3), ["W006", "W007"]), ((4, 2), ["W006", "W007"])]
)  # fmt: skip
def test_a_quarter_behind_a_paywall_and_three_tenths_unreviewed_are_told(share, codes):
    total, marked = share
    sources = [
        replace(A, origin=Origin(str(n)), is_paywalled=n < marked, is_preprint=n < marked)
        for n in range(total)
    ]
    assert [each.code for each in find_concerns(sources)] == codes


@pytest.mark.parametrize(("undated", "codes"), [(1, []), (2, ["W004"])])
def test_half_of_the_sources_without_a_date_are_told(undated, codes):
    sources = [
        replace(A, origin=Origin(str(n)), published=None if n < undated else A.published) for n in range(4)
    ]
    assert [each.code for each in find_concerns(sources)] == codes


def test_claims_on_one_and_the_same_source_are_counted():
    weak = replace(A, tier=3)
    text = "3 of 4 claims rest on one and the same source."
    told = (Concern("W013", ConcernKind.QUALITY, Severity.MEDIUM, text, SECOND),)
    assert find_concerns([weak, B, C], [ON_A, ON_A, ON_A, ON_TWO[0]]) == told


@pytest.mark.parametrize(
    ("claims", "credibility", "texts"),
    [
        ([ON_A], 5, []),
        ([ON_A, ON_A], 5, ["2 claims rest on a single source with a credibility under 6 of 10."]),
        ([ON_A, ON_A], 6, []),
        ([ON_A, ON_A], None, []),
    ],
)
def test_claims_on_one_weak_source_are_told_from_half_on(claims, credibility, texts):
    weak = [replace(A, credibility=credibility), B, C]
    told = [Concern("W017", ConcernKind.QUALITY, Severity.MEDIUM, text, SECOND) for text in texts]
    assert list(find_concerns(weak, [*claims, *ON_TWO])) == told


@pytest.mark.parametrize(("count", "points"), [(1, "1 point"), (2, "2 points")])
def test_open_disagreements_are_counted(count, points):
    text = f"Sources disagree on {points} that could not be settled; both sides are shown."
    advice = "Read both sides before relying on either."
    assert find_concerns([A, B, C], disagreeing=count) == (
        Concern("W016", ConcernKind.QUALITY, Severity.MEDIUM, text, advice),
    )


@pytest.mark.parametrize(
    ("sentence", "code", "severity", "fault", "advice"),
    [
        (
            "12 % of users reuse it.", "W008", Severity.HIGH,
            "gives a figure without a source", "Cite a source or leave it out.",
        ),
        (
            "“We never store any password of yours here” is the motto.", "W009", Severity.HIGH,
            "quotes somebody without naming them", "Name who said it.",
        ),
        (
            "Argon2id is the best algorithm.", "W010", Severity.MEDIUM,
            "uses a superlative that nothing shows", "Cite a comparison or say less.",
        ),
        (
            "Passwords will disappear.", "W011", Severity.MEDIUM,
            "states a prediction as a fact", "Say who expects it, and on what grounds.",
        ),
        (
            "Of users, 50 % chose A, 30 % chose B, and the remaining 30 % chose C.", "W012", Severity.MEDIUM,
            "names shares of one whole that do not add up to 100 %", "Check the figures against the source.",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_sentence(sentence, code, severity, fault, advice):
    text = f"A sentence {fault}: “{sentence}”."
    assert Concern(code, ConcernKind.QUALITY, severity, text, advice) in find_concerns(
        [A, B, C], [ReportClaim(sentence)]
    )


@pytest.mark.parametrize(
    ("question", "texts", "told"),
    [
        (
            "Does the drug help with symptoms?", ["A cohort."],
            [
                ("G003", Severity.HIGH, "No randomized trial is among the evidence.",
                 "Search for randomized trials on the question."),
                ("G004", Severity.MEDIUM, "No meta-analysis or systematic review is among the evidence.",
                 "Search for reviews on the question."),
            ],
        ),
        (
            "How do children choose?", ["Adults choose."],
            [("G005", Severity.HIGH, "No source speaks of children, whom the question names.",
              "Look for studies of this group.")],
        ),
        (
            "Does the memo of the FBI hold?", ["NIST says so."],
            [("G006", Severity.HIGH, "No source mentions “FBI”, which the question names.",
              "Add sources that cover it.")],
        ),
        (
            "Which field trials tested the pumps?", ["An essay."],
            [("G008", Severity.MEDIUM, "The question asks for a field trial; no source mentions one.",
              "Look for studies of this kind.")],
        ),
    ],
)  # fmt: skip
def test_what_the_question_asks_for_and_no_source_has(question, texts, told):
    wanted = tuple(Concern(code, ConcernKind.GAP, severity, *words) for code, severity, *words in told)
    assert gaps(question, texts) == wanted


def test_subtopics_without_claims_or_on_one_source():
    coverage = [Coverage("history", 0, 0), Coverage("use", 3, 1), Coverage("cost", 1, 2)]
    assert gaps("Why salt?", [], coverage) == (
        Concern(
            "G001", ConcernKind.GAP, Severity.HIGH,
            "Nothing was found on “history”.", "Search for this part with other words.",
        ),
        Concern(
            "G002", ConcernKind.GAP, Severity.MEDIUM,
            "“use” rests on a single source.", "Look for a second, independent source.",
        ),
    )  # fmt: skip
