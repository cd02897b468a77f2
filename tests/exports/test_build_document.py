"""A run's rows become the document tree."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.models import Citation, Claim, Section
from exports.building.build_document import build_document, read_claim
from exports.document.document_tree import CitationEntry, Document
from research.db.tenancy import tenant_context
from research.models import Run, Source, State
from tests.people import join
from tests.worlds import ReportWorld, add_source, cite, finish, make_report


@pytest.fixture
def world(db: None) -> ReportWorld:
    return make_report(join("ada"))


def build_report(world: ReportWorld) -> Document:
    with tenant_context(world.person.tenant.pk):
        return build_document(world.run.pk)


def context_of(citation: CitationEntry) -> tuple[str, str]:
    """The words before and after the quote."""
    before, after = (
        "".join(piece.text for piece in side) for side in (citation.words.before, citation.words.after)
    )
    return before, after


def test_sections_hold_claims_and_prose_in_the_stored_order(world):
    trials, costs = build_report(world).sections
    assert [sentence.text for sentence in trials.blocks[0].sentences] == [
        "The seasonal factor stayed above two at nine sites.",
        "And the heaters?",
        "Backup heaters ran for forty hours.",
    ]
    assert trials.blocks[0].sentences[1].claim is None
    assert (costs.heading, costs.blocks[0].kind) == ("Costs", "list")


def test_every_quote_is_what_its_source_says_at_its_offsets(world):
    document = build_report(world)
    with tenant_context(world.person.tenant.pk):
        texts = {source.pk: source.text for source in Source.objects.select_related("content")}
    quotes = [citation for claim in document.claims for citation in claim.citations]
    assert quotes
    assert all(texts[c.source.id][c.start : c.end] == c.quote for c in quotes)


def test_cited_sources_are_numbered_in_order_of_first_mention(world):
    document = build_report(world)
    numbers = {source.title: source.number for source in document.sources}
    assert numbers == {"Cold field trial": 1, "Laborstudie": 2, "A <b>note</b>": None, "broken.pdf": None}
    assert [c.label for c in document.claims[0].citations] == ["[1]", "[2]"]


def test_a_failed_source_says_why(world):
    failed = next(source for source in build_report(world).sources if source.status == "failed")
    assert failed.reason == "The file ends too early."


def test_a_citation_carries_its_context_factors_and_caps(world):
    citation = build_report(world).claims[0].citations[0]
    before, after = context_of(citation)
    assert before.endswith("measured over two winters. ")
    assert after.startswith(" Backup heaters ran")
    assert [factor.name for factor in citation.factors] == [
        "text_match",
        "context_match",
        "source_authority",
        "corroboration",
    ]
    assert citation.caps == ("single source 0.69",)


def test_claims_are_counted_by_strength(world):
    assert build_report(world).counts == {"strong": 1, "moderate": 1, "limited": 1}


def test_gaps_stand_apart_from_other_warnings(world):
    document = build_report(world)
    assert [gap.code for gap in document.gaps] == ["W001"]
    assert [warning.code for warning in document.warnings] == ["W010"]


def test_contradictions_show_both_sides_with_their_evidence(world):
    (pair,) = build_report(world).contradictions
    assert (pair.a.number, pair.b.number) == (1, 2)
    assert pair.b.citations[0].quote == "Backup heaters ran for forty hours."


def test_summary_left_out_and_queries_come_from_the_run(world):
    document = build_report(world)
    assert document.summary == ("The seasonal factor stayed above two at nine sites.",)
    assert [(entry.text, entry.reason) for entry in document.left_out] == [
        ("Electricity rose by 12 percent.", "Off the question.")
    ]
    assert document.queries == ("cold trial",)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (State.COMPLETED, "done"),
        (State.FAILED, "failed"),
        (State.CANCELLED, "cancelled"),
        (State.SYNTHESIZING, "partial"),
    ],
)
def test_the_status_says_how_far_the_run_came(db, state, status):
    assert build_report(make_report(join("ada"), state=state)).status == status


def test_a_run_whose_sources_do_not_answer_says_so(world):
    with tenant_context(world.person.tenant.pk):
        world.run.result = {"insufficient": True, "reasons": ["No passage names it."], "looked_for": ["R290"]}
        world.run.save()
    document = build_report(world)
    assert document.status == "insufficient_evidence"
    assert (document.reasons, document.looked_for) == (("No passage names it.",), ("R290",))


def test_an_unknown_cost_stays_unknown(db):
    assert build_report(make_report(join("ada"), state=State.FAILED)).cost_usd is None


def test_sections_of_an_older_report_version_are_not_read(world):
    with tenant_context(world.person.tenant.pk):
        Section.objects.filter(index=2).update(report_version=0)
    assert [section.heading for section in build_report(world).sections] == ["Field trials"]


def test_a_run_without_a_report_gives_an_empty_tree(db):
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="Not begun")
        document = build_document(run.pk)
    assert (document.status, document.sections, document.sources) == ("partial", (), ())


def test_another_tenants_run_is_not_there(world):
    bob = join("bob")
    with tenant_context(bob.tenant.pk), pytest.raises(Run.DoesNotExist):
        build_document(world.run.pk)


def test_a_longer_report_takes_no_more_queries(world):
    with tenant_context(world.person.tenant.pk):
        with CaptureQueriesContext(
            connection,
        ) as few:
            build_document(world.run.pk)
        _lengthen(world)
        with CaptureQueriesContext(connection) as many:
            document = build_document(world.run.pk)
    assert len(document.claims) == 43
    assert len(many) == len(few) <= 11


def _lengthen(world: ReportWorld) -> None:
    """Forty more claims, each from a source of its own."""
    finish(world.run, State.VERIFYING)
    section = Section.objects.get(index=2)
    for number in range(4, 44):
        source = add_source(world.run, f"{number}.txt", f"Site {number} saved money.", title=f"Site {number}")
        claim = Claim.objects.create(run=world.run, section=section, number=number, text=source.text)
        cite(claim, source, source.text)
        section.body["blocks"][0]["sentences"].append({"claim": str(claim.pk)})
    section.save()


def test_one_claim_reads_like_the_same_claim_of_the_whole(world):
    document = build_report(world)
    with tenant_context(world.person.tenant.pk):
        assert [read_claim(world.run.pk, number) for number in (1, 2, 3)] == list(document.claims)


def test_a_claim_that_is_not_in_the_report_cannot_be_read(world):
    with tenant_context(world.person.tenant.pk), pytest.raises(Claim.DoesNotExist):
        read_claim(world.run.pk, 99)


def test_quotes_count_code_points_also_beyond_the_basic_plane(db):
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="Emoji?", report_version=1)
        source = add_source(run, "e.txt", "😀😀 Größe zählt. Danach kommt mehr.", title="E")
        section = Section.objects.create(run=run, index=1, heading="E")
        claim = Claim.objects.create(run=run, section=section, number=1, text="Größe zählt.")
        cite(claim, source, "Größe zählt.")
        citation = read_claim(run.pk, 1).citations[0]
    assert context_of(citation) == ("😀😀 ", " Danach kommt mehr.")


def test_citation_rows_keep_their_order(world):
    with tenant_context(world.person.tenant.pk):
        Citation.objects.filter(pk=world.citations[0].pk).update(citation_index=5)
    assert build_report(world).claims[0].citations[0].source.title == "Laborstudie"


def test_context_is_left_out_where_it_is_not_wanted(world):
    with tenant_context(world.person.tenant.pk):
        citation = build_document(world.run.pk, with_context=False).claims[0].citations[0]
    assert context_of(citation) == ("", "")
    assert citation.quote == "The seasonal factor stayed above two at nine sites."
