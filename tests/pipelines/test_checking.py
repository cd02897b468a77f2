"""Checking a report stores its verdicts in rows."""

from typing import get_args
from uuid import uuid4

import pytest

from citations.anchoring import AnchorMatchType, Span
from citations.entailment.claim_alignment import ClaimPart, PartKind, PartState
from citations.verification import Verdict, VerdictStatus
from exports.building.build_document import build_document, read_claim
from research.db.tenancy import tenant_context
from research.models.schemas import StoredPart
from research.pipelines.common.report_claim_alignment import QuoteWindow, build_alignment
from tests.checked import CheckedWorld, make_checked_report
from tests.people import join

CLAIM = "Sales rose by 21 percent."
FIGURE = ClaimPart(
    Span(14, 24), "21 percent", PartKind.QUANTITY, PartState.CONFLICTING, "12 percent", Span(3, 13)
)
WORD = ClaimPart(Span(0, 5), "Sales", PartKind.WORD, PartState.MATCHED, "Sales")


@pytest.fixture
def world(db: None) -> CheckedWorld:
    return make_checked_report(join("ada"))


def entry(world: CheckedWorld, number: int):
    with tenant_context(world.person.tenant.pk):
        return read_claim(world.run.pk, number)


def build_parts(*verdicts: Verdict, deciding: int = 0):
    windows = [QuoteWindow(uuid4(), "x" * 100, 1000 * index) for index in range(len(verdicts))]
    return windows, build_alignment(CLAIM, windows, verdicts, deciding)


def test_parts_are_stored_in_offsets_of_the_sources_whole_text():
    (_, far), parts = build_parts(
        Verdict(VerdictStatus.CONTRADICTED, ()), Verdict(VerdictStatus.CONTRADICTED, (), parts=(FIGURE,))
    )
    [part] = parts
    assert (part.start, part.end, part.state, part.source) == (14, 24, "conflicting", "12 percent")
    assert (part.citation, part.source_start, part.source_end) == (far.citation, 1003, 1013)


def test_a_part_whose_place_is_not_known_has_no_offsets():
    _, [part] = build_parts(Verdict(VerdictStatus.PARAPHRASED_ACCURATE, (), parts=(WORD,)))
    assert (part.source_start, part.source_end) == (None, None)


def test_a_claim_in_the_sources_own_words_is_one_part():
    verdict = Verdict(VerdictStatus.VERIFIED, (), span=Span(5, 29), match_type=AnchorMatchType.EXACT)
    _, [part] = build_parts(verdict)
    assert (part.start, part.end, part.source_start, part.source_end) == (0, len(CLAIM), 5, 29)


def test_a_claim_that_was_not_checked_has_no_parts():
    assert build_parts(Verdict(VerdictStatus.UNVERIFIED, ()))[1] == []


def test_the_deciding_citation_comes_first():
    windows, parts = build_parts(
        Verdict(VerdictStatus.CONTRADICTED, (), parts=(FIGURE,)),
        Verdict(VerdictStatus.PARAPHRASED_ACCURATE, (), parts=(WORD,)),
        deciding=1,
    )
    assert [part.citation for part in parts] == [windows[1].citation, windows[0].citation]


@pytest.mark.parametrize(("field", "enumeration"), [("kind", PartKind), ("state", PartState)])
def test_the_stored_words_are_those_of_the_alignment(field, enumeration):
    assert set(get_args(StoredPart.model_fields[field].annotation)) == {one.value for one in enumeration}


def test_a_restated_claim_is_aligned_with_the_source_that_carries_it(world):
    claim = entry(world, 1)
    assert claim.verification_status == "paraphrased_accurate"
    assert {part.state for part in claim.alignment.parts} == {"matched"}
    assert claim.deciding_citation.source.title == "Customer survey"


def test_each_citation_keeps_what_its_own_source_says(world):
    second = entry(world, 1).citations[1]
    [conflict] = second.alignment.conflicts
    assert (conflict.text, conflict.source, second.status) == ("21 percent", "12 percent", "disputed")


def test_a_source_that_says_otherwise_is_no_evidence_for_the_claim(world):
    claim = entry(world, 1)
    assert (claim.origins, claim.contradiction_status) == (1, "presented_both")
    assert claim.confidence <= 0.6
    assert claim.citations[1].confidence is None


def test_a_missing_name_is_stored_as_missing(world):
    claim = entry(world, 2)
    assert (claim.verification_status, claim.alignment.missing) == ("partially_supported", ("Sweden",))


def test_verbatim_words_are_one_part(world):
    claim = entry(world, 4)
    assert claim.alignment.is_verbatim
    [piece] = [piece for piece in claim.citations[0].words.quote if piece.state]
    assert piece.text == "The utility of Nordhaus asked its customers in March 2024"


def test_refused_claims_leave_the_report_with_their_reason(world):
    with tenant_context(world.person.tenant.pk):
        document = build_document(world.run.pk)
    reasons = {one.text: one.reason for one in document.left_out}
    assert reasons["The utility of Nordhaus asked its customers in May 2024."] == (
        "Its source says otherwise. The source says “March 2024”, the claim says “May 2024”."
    )
    assert len(document.claims) == 4


def test_the_database_refuses_a_part_that_is_none(world):
    claim = world.claims[0]
    claim.alignment = [{"start": 0, "end": 3, "kind": "word", "state": "perhaps"}]
    with tenant_context(world.person.tenant.pk), pytest.raises(ValueError, match="alignment"):
        claim.save()
