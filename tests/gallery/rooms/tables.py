"""Tables: how one starts, and what it shows while it fills and afterwards."""

from playwright.sync_api import Page, expect

from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.gallery.scene import Room
from tests.people import Person
from tests.web.tabled import add_waiting, grow_table, make_proposal, make_table

room = Room("tables")


@room.scene()
def new(person: Person) -> str:
    return "/runs/new/table/"


def preview(page: Page) -> None:
    page.get_by_label("What do you want to know about each?").fill(
        "Capital, population and year of independence"
    )
    page.get_by_label("The list").fill("Rank,Country\n1,Norway\n2,Chile\n3,Peru")
    page.get_by_role("button", name="Preview the table").click()
    expect(page.get_by_role("heading", name="Your table")).to_be_visible()
    for summary in page.locator("main form summary").all():
        summary.click()


@room.scene(preview)
def proposal(person: Person) -> str:
    return "/runs/new/table/"


def ask_for_nothing(page: Page) -> None:
    preview(page)
    page.get_by_role("textbox", name="Items").fill("")
    page.get_by_role("button", name="Start all rows").click()
    expect(page.locator("#error-summary")).to_be_focused()


@room.scene(ask_for_nothing)
def proposal_refused(person: Person) -> str:
    return "/runs/new/table/"


@room.scene()
def table_at_work(person: Person) -> str:
    made = make_table(person, state=State.COLLECTING)
    add_waiting(made, 12)
    return made.address


@room.scene()
def pause_after_a_pilot(person: Person) -> str:
    made = make_table(person, state=State.HUMAN_REVIEW_PLAN)
    add_waiting(made, 6, is_held=True)
    return made.address


@room.scene()
def proposal_by_a_model(person: Person) -> str:
    return make_proposal(person).address


@room.scene()
def without_rows_yet(person: Person) -> str:
    made = make_table(person, state=State.PLANNING)
    with tenant_context(person.tenant.pk):
        made.run.items.all().delete()
    return made.address


def unfold(page: Page) -> None:
    for summary in page.locator("main summary").all():
        summary.click()


@room.scene(unfold)
def table_done(person: Person) -> str:
    made = make_table(person)
    grow_table(made, 60)
    return made.address


@room.scene()
def filter_without_a_match(person: Person) -> str:
    made = make_table(person)
    with tenant_context(person.tenant.pk):
        made.run.items.filter(index=1).delete()
    return f"{made.address}?show=empty"


def open_disputed(page: Page) -> None:
    page.locator("#cell-1-population").click()
    expect(page.locator("#cite mark").first).to_be_visible()


@room.scene(open_disputed)
def popover(person: Person) -> str:
    return make_table(person).address


@room.scene()
def cell(person: Person) -> str:
    return make_table(person).cell(1, "population")


@room.scene()
def cell_without_a_value(person: Person) -> str:
    return make_table(person).cell(2, "capital")


@room.scene()
def summary(person: Person) -> str:
    made = make_table(person)
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=made.run.pk).update(sources_found=2)
    return f"/runs/{made.run.pk}/"
