"""The table of evidence: a row for each claim and source, ordered and filtered by the address."""

import pytest

from citations.models import Citation, Claim
from research.db.tenancy import tenant_context
from research.models import Run, Source, State
from research.web.report.evidence_table_page import KEYS, ViewForm
from tests.web.pages import fold_spaces, tree, words
from tests.worlds import make_report


def page(client, world, query=""):
    return client.get(f"/runs/{world.run.pk}/evidence/{query}")


def numbers(response) -> list[str]:
    return tree(response).xpath("//table[contains(@class, 'evidence-table')]//td[1]/a/text()")


def test_each_row_has_a_claim_its_source_and_a_way_to_the_quote(client, world):
    response = page(client, world)
    assert numbers(response) == ["1", "1", "2", "3"]
    row = tree(response).xpath("//table[contains(@class, 'evidence-table')]/tbody/tr")[1]
    text = fold_spaces(row.text_content())
    assert "Strong Disputed [2] Laborstudie" in text
    assert "Exact words" in text
    citation = world.citations[1]
    assert f"/sources/{world.study.pk}/?citation={citation.pk}#passage-{citation.pk}" in row.xpath(
        ".//a/@href"
    )
    assert row.xpath(".//q/@lang") == ["de"]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", ["1", "1", "2", "3"]),
        ("-claim", ["3", "2", "1", "1"]),
        ("source", ["1", "2", "3", "1"]),
        ("strength", ["1", "1", "3", "2"]),
        ("-strength", ["2", "3", "1", "1"]),
        ("confidence", ["2", "1", "1", "3"]),
        ("-confidence", ["3", "1", "1", "2"]),
        ("match", ["1", "1", "2", "3"]),
        ("-match", ["3", "1", "1", "2"]),
        ("-published", ["1", "2", "3", "1"]),
    ],
)
def test_the_address_orders_the_rows(client, world, sort, order):
    with tenant_context(world.person.tenant.pk):
        Citation.objects.filter(claim=world.claims[1]).update(confidence=None)
        Citation.objects.filter(claim=world.claims[2]).update(
            confidence=0.9, similarity=0.93, match_type="paraphrase"
        )
    assert numbers(page(client, world, f"?sort={sort}")) == order


def test_the_heading_says_how_rows_go_and_turns_the_order_round(client, world):
    shown = tree(page(client, world, "?sort=confidence&show=strong"))
    heading = shown.xpath("//th[@aria-sort]")
    assert [one.get("aria-sort") for one in heading] == ["ascending"]
    assert heading[0].xpath(".//a/@href") == ["?sort=-confidence&show=strong#table-heading"]


def test_every_order_can_be_chosen_without_the_headings():
    choices = {value.removeprefix("-") for value, _name in ViewForm.base_fields["sort"].choices}
    assert choices - {""} == set(KEYS)


@pytest.mark.parametrize(
    ("show", "found"),
    [("limited", ["2"]), ("disputed", ["1", "1"]), ("moderate", ["3"]), ("", ["1", "1", "2", "3"])],
)
def test_claims_of_one_kind_are_shown_alone(client, world, show, found):
    assert numbers(page(client, world, f"?show={show}")) == found


def test_a_filter_without_a_match_offers_all(client, world):
    with tenant_context(world.person.tenant.pk):
        Claim.objects.update(strength="strong")
    response = page(client, world, "?show=limited")
    assert "No claim matches this filter." in words(response)


def test_nonsense_in_the_address_shows_all_in_order(client, world):
    for query in ("?sort=colour", "?show=1&sort=source", "?page=x", "?page=99"):
        response = page(client, world, query)
        assert response.status_code == 200
        assert numbers(response) == ["1", "1", "2", "3"]


def test_a_run_without_claims_says_so(client, ada):
    with tenant_context(ada.tenant.pk):
        run = Run.objects.create(owner=ada.user, topic="Not begun")
    shown = words(client.get(f"/runs/{run.pk}/evidence/"))
    assert "No claim is written yet." in shown
    assert "This run is still in progress" in shown


def test_an_unfinished_report_shows_what_it_has(client, ada):
    world = make_report(ada, state=State.VERIFYING)
    assert numbers(page(client, world)) == ["1", "1", "2", "3"]


def test_charts_say_their_figures_in_words_and_as_tables(client, world):
    shown = tree(page(client, world))
    drawings = shown.xpath("//figure//*[local-name()='svg']")
    assert [drawing.get("role") for drawing in drawings] == ["img"] * 2  # one kind alone needs no bar
    assert drawings[0].get("aria-label") == (
        "Confidence mix: 3 claims: strong evidence for 1, moderate for 1, limited for 1."
    )
    tables = [fold_spaces(one.text_content()) for one in shown.xpath("//figure//table/tbody")]
    assert tables == ["Strong1Moderate1Limited1", "20241date unknown1", "Document2"]


def test_markup_in_titles_is_text(client, world):
    with tenant_context(world.person.tenant.pk):
        Source.objects.update(title="<b>x</b>")
    assert b"<b>x</b>" not in page(client, world).content
