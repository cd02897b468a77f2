"""A quote from a table shows the names of its row and column wherever it is checked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from citations.models import Citation
from exports.building.build_document import build_document
from exports.formats.export_options import ExportOptions
from exports.formats.to_json import report_of
from exports.formats.to_markdown import write
from research.db.tenancy import tenant_context
from tests.people import Person, join
from tests.web.browser import chromium
from tests.web.test_browser import WIDE, Site
from tests.worlds import ReportWorld, make_report

PHONE = {"width": 390, "height": 844}
NAMES = "Row: Site nine · Columns: Winter 2023 | Winter 2024"


def report_of_a_table(person: Person) -> ReportWorld:
    made = make_report(person)
    with tenant_context(made.person.tenant.pk):
        names = {"row": "Site nine", "columns": ["Winter 2023", "Winter 2024"]}
        Citation.objects.filter(pk=made.citations[0].pk).update(cell_names=names)
    return made


@pytest.fixture
def world(transactional_db: None) -> ReportWorld:
    return report_of_a_table(join("ada"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.mark.django_db
def test_pages_name_row_and_columns_beside_the_quote(client, ada):
    world = report_of_a_table(ada)
    run, citation = world.run.pk, world.citations[0]
    for address in (f"/runs/{run}/claims/1/", f"/sources/{citation.source_id}/?citation={citation.pk}"):
        assert NAMES in client.get(address).content.decode(), address


@pytest.mark.django_db
def test_files_name_row_and_columns_beside_the_quote(ada):
    world = report_of_a_table(ada)
    with tenant_context(world.person.tenant.pk):
        document = build_document(world.run.pk)
    quoted = [citation for claim in report_of(document).claims for citation in claim.citations]
    assert [citation.cell for citation in quoted if citation.cell][0].row == "Site nine"
    assert sum(citation.cell is not None for citation in quoted) == 1
    assert NAMES.replace("|", r"\|") in write(document, ExportOptions(), lambda _share: None).decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_popover_names_row_and_columns(browser, live_server, world, size):
    page = Site(live_server.url, world).report(browser, size)
    page.locator(".badge").first.click()
    expect(page.locator("#cite")).to_contain_text(NAMES)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
