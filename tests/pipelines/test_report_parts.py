"""The parts of the report recipe on rows and values of their own."""

from datetime import date
from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_confidence import Conflict
from citations.claim_strength import Origin
from citations.credibility.credibility_evidence_gaps import Coverage
from citations.models import Citation, Claim, Contradiction, MatchType, Resolution
from research.models import Run, Source
from research.pipelines.common.cite_report_section_step import match_type
from research.pipelines.common.exclude_report_claims import without
from research.pipelines.common.settle_report_disputes import DisputeRows, find_disputes, nearest
from research.pipelines.common.verifying.rate_report_sources import credibility_of
from research.pipelines.common.verifying.read_report_to_verify import ReportDraft
from research.pipelines.common.verifying.report_claim_trust import assess_standing
from research.pipelines.common.verifying.report_shortcomings import find_shortcomings
from research.pipelines.report.analyzing.store_report_analysis import without_parts
from research.pipelines.report.report_analysis_evidence import Evidence, dump_evidence
from research.pipelines.report.report_config import ConfigError, ReportConfig, parse_config
from research.pipelines.report.report_outline import number_sections, read_outline
from research.pipelines.report.synthesizing.compose_report_section import ClaimContext, list_claims
from research.pipelines.report.synthesizing.store_report_section import body

TODAY = date(2026, 11, 21)


def source(title: str = "A guide", **values: object) -> Source:
    return Source(
        title=title, canonical_url=f"library:{title}", **{"tier": 2, "source_type": "government", **values}
    )


def claim(text: str, vector: list[float] | None = None) -> Claim:
    return Claim(run_id=uuid4(), text=text, embedding=vector)


def cite(one: Claim, place: Source, **values: object) -> Citation:
    return Citation(
        claim=one,
        source=place,
        quote=one.text,
        start_offset=0,
        end_offset=len(one.text),
        match_type="exact",
        **values,
    )


def origins_of(*places: Source) -> dict[UUID, Origin]:
    return {place.pk: Origin(source=str(place.pk), publisher=place.publisher) for place in places}


def test_sections_are_numbered_through():
    ids = [uuid4() for _ in range(5)]
    read = read_outline(number_sections([("Answer", ids[:2]), ("More", ids[2:])]))
    assert [(one.heading, one.claims, one.first_number) for one in read] == [
        ("Answer", ids[:2], 1),
        ("More", ids[2:], 3),
    ]


@given(st.lists(st.integers(0, 6), max_size=6))
def test_numbers_have_no_gap_and_no_repetition(sizes):
    sections = [(str(index), [uuid4() for _ in range(size)]) for index, size in enumerate(sizes)]
    numbers = [
        one.first_number + place
        for one in read_outline(number_sections(sections))
        for place in range(len(one.claims))
    ]
    assert numbers == list(range(1, sum(sizes) + 1))


def test_a_claim_that_leaves_the_report_leaves_its_text():
    ids = [uuid4() for _ in range(3)]
    section = list_claims(
        [ClaimContext(pk, number, "It is so.", ()) for number, pk in enumerate(ids, start=1)]
    )
    left = without(body(section), {ids[1]})
    assert [one["claim"] for one in left["blocks"][0]["sentences"]] == [str(ids[0]), str(ids[2])]


def test_a_row_behind_the_names_of_its_columns_has_its_sources_words():
    names = {"row": "Tarn", "columns": ["Region", "Otters 2025"]}
    assert match_type("Tarn – Otters 2025: 61", "North | Tarn | 61", 1.0, names) == MatchType.NORMALIZED
    assert match_type("Tarn – Otters 2025: 16", "North | Tarn | 61", 1.0, names) == MatchType.PARAPHRASE


def test_evidence_is_stored_as_plain_ids_and_offsets():
    claim_id, source_id = uuid4(), uuid4()
    stored = dump_evidence({claim_id: [Evidence(source_id, 3, 9)]})
    assert stored == {str(claim_id): [[str(source_id), 3, 9, "", 1.0]]}


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("At least 8 characters.", MatchType.EXACT),
        ("At least 8\n characters.", MatchType.NORMALIZED),
        ("At least 8 charac-\nters.", MatchType.NORMALIZED),
        ("Eight characters or more.", MatchType.PARAPHRASE),
    ],
)
def test_how_a_claim_stands_to_its_quote_is_named(quote, expected):
    assert match_type("At least 8 characters.", quote) == expected


def weigh(
    one: Claim,
    *places: Source,
    conflict: Conflict = Conflict.NONE,
    match="exact",
    alike: float = 1.0,
    stale_months: float = 60.0,
):
    citations = [cite(one, place) for place in places]
    for citation in citations:
        citation.match_type = match
    return assess_standing(
        one,
        citations,
        origins_of(*places),
        conflict,
        topic=frozenset({"guide"}),
        today=TODAY,
        credibility={place.pk: credibility_of(place, 0, TODAY) for place in places},
        similarity=lambda claim, quote: alike,
        stale_months=stale_months,
    )


def test_three_publishers_make_a_claim_strong():
    places = [source(f"Guide {name}", publisher=name) for name in ("North", "South", "East")]
    found = weigh(claim("At least 8 characters."), *places)
    assert (found.strength, found.origins) == ("strong", 3)


def test_three_pages_of_one_publisher_are_one_origin():
    places = [source(f"Guide {number}", publisher="North") for number in range(3)]
    found = weigh(claim("At least 8 characters."), *places)
    assert (found.strength, found.origins) == ("limited", 1)
    assert found.confidence.value <= 0.69


UNKNOWN = {"tier": 5, "source_type": "other"}


def test_a_source_of_little_credibility_does_not_carry_a_claim_alone():
    found = weigh(claim("At least 8 characters."), source("A page", **UNKNOWN))
    assert found.confidence.value <= 0.59
    assert found.confidence.caps[-1].code == "low_credibility"


def test_together_with_another_it_does():
    places = [source(f"Page {name}", publisher=name, **UNKNOWN) for name in ("North", "South")]
    assert "low_credibility" not in {cap.code for cap in weigh(claim("At least 8."), *places).confidence.caps}


def test_a_dispute_that_stays_open_caps_confidence():
    places = [source(f"Guide {name}", publisher=name) for name in ("North", "South", "East")]
    assert weigh(claim("At least 8."), *places, conflict=Conflict.PRESENTED_BOTH).confidence.value <= 0.6


def test_a_restatement_is_worth_its_likeness_to_the_quote_however_well_that_anchors():
    found = weigh(claim("At least 8 characters."), source("Guide"), match="paraphrase", alike=0.7)
    assert found.confidence.factors.text_match == 0.7


def test_words_of_the_source_need_no_likeness():
    found = weigh(claim("At least 8 characters."), source("Guide"), match="normalized", alike=0.0)
    assert found.confidence.factors.text_match == 0.95


def test_a_claim_without_a_citation_has_no_standing():
    with pytest.raises(ValueError, match="without a"):
        weigh(claim("At least 8."))


def make_dispute() -> tuple[list[Claim], dict[UUID, list[Citation]], dict[UUID, Origin]]:
    texts = (
        "The subsidy covers 30 percent of the cost of a heat pump.",
        "The subsidy covers 45 percent of the cost of a heat pump.",
    )
    claims = [claim(text, [1.0, 0.0]) for text in texts]
    places = [source("Budget law", publisher="North"), source("Press release", publisher="South")]
    citations = {one.pk: [cite(one, place)] for one, place in zip(claims, places, strict=True)}
    return claims, citations, origins_of(*places)


def test_two_figures_for_one_thing_are_a_dispute():
    claims, citations, known = make_dispute()
    found = find_disputes(claims, citations, known, TODAY)
    [row] = found.rows
    assert (row.kind, {row.claim_a, row.claim_b}) == ("numeric", set(claims))
    assert found.conflict_of(claims[0].pk) is not Conflict.NONE


def test_a_claim_outside_every_dispute_has_no_conflict():
    claims, citations, known = make_dispute()
    assert find_disputes(claims, citations, known, TODAY).conflict_of(uuid4()) is Conflict.NONE


def test_the_worst_of_several_disputes_counts():
    a, b, c = claim("a"), claim("b"), claim("c")
    rows = (
        Contradiction(claim_a=a, claim_b=b, resolution=Resolution.RESOLVED),
        Contradiction(claim_a=a, claim_b=c, resolution=Resolution.PRESENTED_BOTH),
    )
    assert DisputeRows(rows).conflict_of(a.pk) is Conflict.PRESENTED_BOTH
    assert DisputeRows(rows).conflict_of(b.pk) is Conflict.RESOLVED


def test_neighbours_are_others_nearest_first():
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    claims = [claim(str(index), list(vector)) for index, vector in enumerate(vectors)]
    found = nearest(claims)
    assert [name for name, _ in found[str(claims[0].pk)]] == [str(claims[1].pk), str(claims[2].pk)]


@pytest.mark.parametrize("claims", [[], [claim("without a vector")]], ids=["none", "no vector"])
def test_without_vectors_there_are_no_neighbours(claims):
    assert nearest(claims) == {}


def shortcomings(
    topic: str = "What does the subsidy cover?", open_parts: tuple[str, ...] = (), **how: object
):
    claims, citations, known = make_dispute()
    return find_shortcomings(
        Run(topic=topic),
        claims,
        citations,
        known,
        question=topic,
        open_parts=open_parts,
        disputes=1,
        today=TODAY,
        **how,
    )


@pytest.mark.django_db
def test_a_subtopic_that_nothing_covers_is_a_gap():
    rows = {row.code: row for row in shortcomings(covered=[Coverage("repairs", 0, 0), Coverage("law", 2, 1)])}
    assert (rows["G001"].text, rows["G002"].text) == (
        "Nothing was found on “repairs”.",
        "“law” rests on a single source.",
    )


@pytest.mark.django_db
def test_what_the_question_leaves_open_is_a_gap():
    [gap] = [row for row in shortcomings(open_parts=("No passage gives a date.",)) if row.code == "G007"]
    assert (gap.kind, gap.text, gap.computed) == ("gap", "No passage gives a date.", True)


@pytest.mark.django_db
def test_a_disagreement_is_warned_of_with_advice():
    rows = {row.code: row for row in shortcomings()}
    assert rows["W016"].advice


@pytest.mark.parametrize(
    ("question", "is_low"),
    [
        ("What does the guide say?", True),
        ("What did the guide of 2008 say?", False),
        ("What has the guide said since 2008?", True),
    ],
)
def test_an_old_source_is_of_low_confidence_unless_its_time_is_asked_about(question, is_low):
    draft = ReportDraft(Run(topic=question), ReportConfig(), (), (), {}, {}, (), frozenset())
    old = source("NIST guide", publisher="NIST", tier=1, source_type="government", published_date="2008")
    found = weigh(claim("At least 8."), old, stale_months=draft.stale_months(TODAY))
    assert (found.confidence.value < 0.6) is is_low


@pytest.mark.django_db
def test_a_name_that_no_source_mentions_is_a_gap():
    assert any("Portugal" in row.text for row in shortcomings("What does the subsidy cover in Portugal?"))


def test_lists_may_come_as_words_with_commas():
    assert parse_config({"urls": "https://a.example, https://b.example"}).urls == [
        "https://a.example",
        "https://b.example",
    ]


@pytest.mark.parametrize(
    "fault", [{"max_quotes": -1}, {"fact_check": "lenient"}, {"source_types": ["rumour"]}]
)
def test_a_fault_in_the_configuration_is_named(fault):
    [name] = fault
    with pytest.raises(ConfigError, match=name):
        parse_config(fault)


def test_of_statements_near_an_answer_each_is_shown_once_in_its_longest_form():
    near = [
        ("Knox is quiet.", None),
        ("Knox is quiet. It has a lid.", None),
        ("Rain.", None),
        ("Rain.", None),
    ]
    assert without_parts(near) == [("Knox is quiet. It has a lid.", None), ("Rain.", None)]
