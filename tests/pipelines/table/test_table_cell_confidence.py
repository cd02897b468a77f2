"""The confidence of a cell follows from its sources alone."""

from datetime import date

import pytest

from citations.claim_confidence import Conflict
from citations.claim_strength import Origin
from citations.models import Citation, Claim, ClaimStatus, MatchType
from research.models import Source
from research.pipelines.table.finding.found_table_values import FoundCell, Other, ValueEvidence
from research.pipelines.table.table_cell_confidence import Trust, conflict_of, trust
from research.pipelines.table.table_columns import TableField

TODAY = date(2026, 1, 1)
EVIDENCE = ValueEvidence("a", 0, 20, 0, 5)
CELL = FoundCell(TableField(name="capital"), "Kabul", (EVIDENCE,))


def compute_trust(
    *domains: str, match: MatchType = MatchType.NORMALIZED, similarity: float = 1.0, cell: FoundCell = CELL
) -> Trust:
    """The trust in a cell with one citation of a source of each domain."""
    claim = Claim(text="Afghanistan – Capital: Kabul")
    rows, origins = [], {}
    for domain in domains:
        source = Source(
            title="Afghanistan", domain=domain, tier=2, source_type="government", published_date="2025"
        )
        rows.append(
            Citation(
                claim=claim,
                source=source,
                quote=f"Capital: Kabul, says {domain}",
                match_type=match,
                similarity=similarity,
            )
        )
        origins[source.pk] = Origin(str(source.pk), domain=domain)
    return trust(claim, rows, origins, cell, item="Afghanistan", today=TODAY)


def test_one_source_is_never_trusted_highly():
    one, two = compute_trust("a.example"), compute_trust("a.example", "b.example")
    assert one.origins == 1
    assert one.confidence.value <= 0.69 < two.confidence.value
    assert set(one.citations) < set(one.citations) | set(two.citations)


def test_two_pages_of_one_site_are_one_source():
    assert compute_trust("a.example", "a.example").confidence.value <= 0.69


def test_a_label_is_trusted_more_than_a_sentence_that_comes_near():
    plain = compute_trust("a.example", "b.example")
    loose = compute_trust("a.example", "b.example", match=MatchType.PARAPHRASE, similarity=0.5)
    assert plain.confidence.value > loose.confidence.value
    assert (plain.status, loose.status) == (ClaimStatus.VERIFIED, ClaimStatus.PARTIALLY_SUPPORTED)
    assert (
        compute_trust("a.example", match=MatchType.PARAPHRASE, similarity=0.85).status
        is ClaimStatus.PARAPHRASED_ACCURATE
    )


@pytest.mark.parametrize(
    ("others", "conflict", "most"),
    [
        ((), Conflict.NONE, 0.95),
        ((Other("Herat", (EVIDENCE,), is_outdated=True),), Conflict.RESOLVED, 0.8),
        ((Other("Herat", (EVIDENCE,)),), Conflict.PRESENTED_BOTH, 0.6),
    ],
)
def test_what_speaks_against_a_value_caps_the_trust_in_it(others, conflict, most):
    cell = FoundCell(CELL.field, "Kabul", (EVIDENCE,), others)
    assert conflict_of(cell) is conflict
    assert compute_trust(*(f"{n}.example" for n in range(5)), cell=cell).confidence.value <= most


def test_a_cell_without_citations_has_no_trust():
    with pytest.raises(ValueError, match="without a citation"):
        compute_trust()
