from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_strength import Origin
from citations.claim_warnings import ReportClaim, SourceEvidence, warnings
from citations.credibility.credibility_evidence_gaps import Coverage, gaps
from citations.credibility.evidence_concerns import ConcernKind, Severity
from citations.dates.find_dates import parse_iso

TODAY = date(2026, 7, 1)


def source(name: str, **known: object) -> SourceEvidence:
    given = {"tier": 1, "source_type": "government", "published": parse_iso("2026-01")} | known
    return SourceEvidence(
        Origin(name, publisher=str(known.pop("publisher", name)) if "publisher" in known else name),
        **{key: value for key, value in given.items() if key != "publisher"},
    )


GOOD = [source("a"), source("b"), source("c")]
CLAIMS = [ReportClaim("Salts are unique.", ("a", "b")), ReportClaim("Keys are secret.", ("b", "c"))]


def codes(
    evidence: list[SourceEvidence] = GOOD, claims: list[ReportClaim] = CLAIMS, **how: object
) -> list[str]:
    return [concern.code for concern in warnings(evidence, claims, today=TODAY, **how)]


def test_good_evidence_has_no_warnings():
    assert codes() == []


def test_no_evidence_has_no_warnings_about_sources():
    assert codes([], []) == []


def test_sources_of_one_publisher_are_a_single_origin():
    found = codes(
        [source("a", publisher="NIST"), source("b", publisher="NIST"), source("c", publisher="NIST")]
    )
    assert "W001" in found
    assert "W002" not in found  # it would say the same


def test_a_single_source_is_told_and_two_are_not():
    assert codes([source("a")], CLAIMS[:1]) == ["W002"]
    assert codes([source("a"), source("b")], CLAIMS[:1]) == []


def test_old_evidence_is_stale():
    old = [replace(each, published=parse_iso("2012")) for each in GOOD]
    assert codes(old) == ["W003"]
    assert codes(old, stale_months=600.0) == []


def test_undated_sources_are_counted():
    found = warnings([replace(each, published=None) for each in GOOD[:2]] + GOOD[2:], CLAIMS, today=TODAY)
    assert [(each.code, each.text) for each in found] == [("W004", "2 of 3 sources have no date.")]


def test_company_pages_alone_are_one_sided():
    companies = [replace(each, source_type="company", tier=2) for each in GOOD]
    assert codes(companies) == ["W005"]
    assert codes([*companies, source("d")]) == []


def test_paywalled_and_unreviewed_shares_are_named():
    assert codes([replace(GOOD[0], is_paywalled=True), *GOOD[1:]]) == ["W006"]
    assert codes([replace(GOOD[0], is_preprint=True), *GOOD[1:]]) == ["W007"]


def test_evidence_without_authority_is_named():
    assert codes([replace(each, tier=4) for each in GOOD]) == ["W014"]


def on(*names: str) -> ReportClaim:
    return ReportClaim(f"Said by {', '.join(names)}.", names)


WEAK = [source("blog", tier=4, source_type="blog"), *GOOD]


def test_claims_that_rest_on_one_and_the_same_source_are_told_from_three_quarters_on():
    assert codes(WEAK, [on("blog"), on("blog"), on("blog"), on("a")]) == ["W013"]
    assert codes(WEAK, [on("blog"), on("blog"), on("a"), on("b")]) == []
    assert codes(WEAK, [on("blog"), on("blog"), on("blog")]) == []  # too few for a share to tell


def test_what_an_authority_says_alone_is_no_warning():
    assert codes(WEAK, [on("a")] * 4) == []


def test_claims_that_each_have_a_source_of_their_own_are_no_warning():
    assert codes(WEAK, [on("blog"), on("a"), on("b"), on("c")]) == []


def test_two_sources_of_one_origin_count_as_one_for_a_claim():
    pair = [source(name, publisher="X", tier=4, source_type="blog") for name in "xy"]
    assert codes([*pair, *GOOD], [on("x", "y"), on("x"), on("y"), on("x", "y")]) == ["W013"]


def test_open_contradictions_are_counted():
    assert codes(open_contradictions=2) == ["W016"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("12 % of users reuse their password.", "W008"),
        ("“We never store any password of yours here” is the motto.", "W009"),
        ("Argon2id is the best algorithm.", "W010"),
        ("Passwords will disappear.", "W011"),
        ("Of users, 50 % chose A, 30 % chose B, and the remaining 30 % chose C.", "W012"),
    ],
)
def test_red_flags_of_a_sentence_without_a_source_are_warned_of(text, code):
    assert code in codes(claims=[ReportClaim(text)])


def test_red_flags_of_one_kind_are_counted_together():
    texts = ("12 % of users agree.", "13 % of users differ.", "14 % of users left.")
    [concern] = [
        each
        for each in warnings(GOOD, [ReportClaim(text) for text in texts], today=TODAY)
        if each.code == "W008"
    ]
    assert concern.text == "A sentence gives a figure without a source: “12 % of users agree.”, and 2 more."


def test_a_cited_figure_raises_no_warning():
    assert codes(claims=[ReportClaim("12 % of users agree.", ("a", "b"), ("12 % of users agree.",))]) == []
    assert codes(claims=[ReportClaim("12 % of users agree.", ("a", "b"))]) == []


def test_a_superlative_that_the_cited_words_do_not_have_is_warned_of():
    assert codes(claims=[ReportClaim("It is the best of all.", ("a", "b"), ("It is good.",))]) == ["W010"]


def test_a_long_sentence_is_cut_in_the_message():
    claim = ReportClaim("12 % of users " + "and users " * 30 + "reuse it.")
    [concern] = [each for each in warnings(GOOD, [claim], today=TODAY) if each.code == "W008"]
    assert len(concern.text) < 150


@pytest.mark.parametrize(
    ("shared", "words"),
    [
        ({"publisher": "NIST"}, "one publisher"),
        ({"domain": "nist.gov"}, "one domain"),
        ({"authors": ("Anna Smith",)}, "one author"),
        ({"text_group": "t", "domain": "nist.gov"}, "one text"),
    ],
)
def test_a_single_origin_says_what_is_shared(shared, words):
    evidence = [replace(each, origin=Origin(each.origin.source, **shared)) for each in GOOD]
    [concern] = [each for each in warnings(evidence, CLAIMS, today=TODAY) if each.code == "W001"]
    assert concern.text == f"All 3 sources come from {words}."


@pytest.mark.parametrize(
    ("shared", "is_warned"),
    [
        ({"work": "rules"}, False),
        ({"work": "rules", "publisher": "NIST"}, False),
        ({"work": "rules", "text_group": "t"}, True),
        ({"publisher": "NIST"}, True),
    ],
)
def test_editions_are_no_single_origin_of_a_change(shared, is_warned):
    evidence = [replace(each, origin=Origin(each.origin.source, **shared)) for each in GOOD]
    found = [each.code for each in warnings(evidence, CLAIMS, today=TODAY, asks_change=True)]
    assert ("W001" in found) is is_warned
    assert "W001" in [each.code for each in warnings(evidence, CLAIMS, today=TODAY)]


def test_sources_that_are_joined_by_different_marks_have_one_origin():
    evidence = [
        replace(GOOD[0], origin=Origin("a", publisher="X")),
        replace(GOOD[1], origin=Origin("b", publisher="X", domain="x.org")),
        replace(GOOD[2], origin=Origin("c", domain="x.org")),
    ]
    [concern] = [each for each in warnings(evidence, CLAIMS, today=TODAY) if each.code == "W001"]
    assert concern.text == "All 3 sources come from one origin."


def test_claims_on_one_source_of_little_credibility_are_counted():
    weak = [replace(GOOD[0], credibility=4), *GOOD[1:]]
    alone = ReportClaim("Salts are unique.", ("a",))
    together = ReportClaim("Keys are secret.", ("a", "b"))
    assert codes(weak, [alone, together]) == ["W017"]
    assert codes(weak, [alone, together, *CLAIMS]) == []  # fewer than half
    assert codes([replace(each, credibility=8) for each in GOOD], [alone, *CLAIMS]) == []


def gap_codes(question: str, texts: list[str], coverage: list[Coverage] | None = None) -> list[str]:
    return [concern.code for concern in gaps(question, texts, coverage or [])]


def test_a_subtopic_without_claims_is_a_gap():
    assert gap_codes("Why salt?", [], [Coverage("history", 0, 0)]) == ["G001"]


def test_a_subtopic_on_one_source_is_thin():
    assert gap_codes("Why salt?", [], [Coverage("history", 3, 1), Coverage("use", 3, 2)]) == ["G002"]


def test_a_medical_question_wants_trials_and_reviews():
    question = "Does the drug help with symptoms?"
    assert gap_codes(question, ["A cohort."]) == ["G003", "G004"]
    assert gap_codes(question, ["A randomized trial.", "A meta-analysis."]) == []


def test_other_questions_want_no_trials():
    assert gap_codes("How long should a password be?", []) == []


def test_a_population_of_the_question_must_be_in_the_evidence():
    assert "G005" in gap_codes("How do children choose passwords?", ["Adults choose short passwords."])
    assert gap_codes("How do children choose passwords?", ["Children choose short passwords."]) == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which field trials tested the pumps?", "A field test in eleven homes."),
        ("What do surveys say of passwords?", "We sent a questionnaire to 900 people."),
        ("Which benchmarks compare the two?", "The benchmark ran for an hour."),
    ],
)
def test_a_kind_of_study_that_is_asked_for_must_be_in_the_evidence(question, text):
    assert gap_codes(question, ["An essay."]) == ["G008"]
    assert gap_codes(question, [text]) == []


def test_a_name_or_year_of_the_question_must_be_in_the_evidence():
    question = "What does the memo of the FBI in 2031 say?"
    texts = [concern.text for concern in gaps(question, ["NIST says so."])]
    assert any("FBI" in text for text in texts)
    assert any("2031" in text for text in texts)
    assert gap_codes(question, ["The FBI wrote in 2031."]) == []


def test_every_concern_says_what_to_do():
    found = warnings([source("a", tier=5, published=None)], [], today=TODAY)
    assert found
    assert all(each.text and each.advice for each in found)
    assert {each.severity for each in found} <= set(Severity)
    assert {each.kind for each in found} <= set(ConcernKind)


EVIDENCE = st.lists(st.sampled_from(GOOD), max_size=4)
SENTENCES = st.builds(
    ReportClaim, st.text(max_size=80), st.lists(st.sampled_from("abc"), max_size=2).map(tuple)
)


@given(EVIDENCE, st.lists(SENTENCES, max_size=4))
def test_warnings_are_in_order_and_said_once(evidence, claims):
    found = warnings(evidence, claims, today=TODAY)
    assert [each.code for each in found] == sorted(each.code for each in found)
    assert len(found) == len(set(found))


@given(st.text(max_size=100), st.lists(st.text(max_size=60), max_size=3))
def test_any_question_has_its_gaps(question, texts):
    assert gaps(question, texts) == gaps(question, texts)
