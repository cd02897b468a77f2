"""A pair of claims that contradict each other is stored."""

from datetime import date

import pytest

from citations.claim_strength import Origin
from citations.models import Citation, Claim, Contradiction
from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.pipelines.common.settle_report_disputes import DisputeRows, find_disputes
from tests.people import join
from tests.worlds import ReportWorld, add_source, cite, make_report

SWEDEN = "In 2023, sales of heat pumps in Sweden rose by 21 percent."
ANYWHERE = "In 2023, sales of heat pumps rose by 12 percent."


def disputes(world: ReportWorld, *said: tuple[str, str]) -> DisputeRows:
    """Return disputes of new claims, each of a new source, as checking finds them. `said`: title and claim."""
    claims, citations = [], {}
    for number, (title, text) in enumerate(said, start=4):
        source = add_source(world.run, f"{number}.txt", text, title=title, published="2024")
        claim = Claim.objects.create(run=world.run, text=text)
        citations[claim.pk] = [cite(claim, source, text)]
        claims.append(claim)
    known = {citation.source_id: Origin(str(citation.source_id)) for citation in Citation.objects.all()}
    return find_disputes(claims, citations, known, date(2026, 1, 1))


def quarrel(world: ReportWorld) -> Contradiction:
    (row,) = disputes(world, ("Survey 4", SWEDEN), ("Survey 5", ANYWHERE)).rows
    row.save()
    return row


@pytest.mark.parametrize(
    ("title", "pairs"), [("Heat pumps in France", 0), ("Heat pumps in Europe", 1), ("Heat pumps", 1)]
)
def test_a_claim_without_a_place_is_of_the_place_in_the_title_of_its_source(db, title, pairs):
    world = make_report(join("ada"))
    with tenant_context(world.person.tenant.pk):
        found = disputes(world, ("Survey", SWEDEN), (title, ANYWHERE))
    assert len(found.rows) == pairs


def test_a_pair_is_kept_with_what_clashes_and_why_the_two_may_differ(db):
    world = make_report(join("ada"))
    with tenant_context(world.person.tenant.pk):
        row = quarrel(world)
        pairs = {
            contradiction.id: contradiction for contradiction in build_document(world.run.pk).contradictions
        }
    pair = pairs[row.pk]
    assert (pair.mine, pair.theirs) == ("21 percent", "12 percent")
    assert [
        (circumstance.name, circumstance.mine, circumstance.theirs, circumstance.standing)
        for circumstance in pair.circumstances
    ] == [
        ("date", ("2023",), ("2023",), "shared"),
        ("population", (), (), "unnamed"),
        ("unit", ("21 percent",), ("12 percent",), "shared"),
        ("place", ("Sweden",), (), "one_sided"),
    ]
    assert {one.name for one in pair.scores_a} == {"authority", "recency", "corroboration", "specificity"}
