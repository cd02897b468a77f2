"""What belongs to a user: credits line by line, settings, the password."""

from decimal import Decimal

from playwright.sync_api import Page, expect

from research.governance import credits
from research.tenancy import tenant_context
from tests.gallery.scene import Room
from tests.people import Person
from tests.worlds import make_report

room = Room("account")


@room.scene()
def ledger(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        credits.grant_of_the_month()
        credits.reserve(Decimal(50), f"run:{world.run.pk}")
        credits.settle(Decimal(20), Decimal(50), f"run:{world.run.pk}")
        credits.grant(Decimal("1.5"), "admin:7:abc:goodwill: late: again")
    return "/account/"


@room.scene()
def ledger_empty(person: Person) -> str:
    return "/account/"


@room.scene()
def settings(person: Person) -> str:
    return "/account/settings/"


@room.scene()
def password(person: Person) -> str:
    return "/account/password/"


def change_wrongly(page: Page) -> None:
    for field in page.locator("main input[type=password]").all():
        field.fill("wrong")
    page.locator("main form button").first.click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(change_wrongly)
def password_refused(person: Person) -> str:
    return "/account/password/"


def open_menu(page: Page) -> None:
    page.locator(".menu-button").click()
    expect(page.locator("#own-menu")).to_be_visible()


@room.scene(open_menu)
def menu(person: Person) -> str:
    return "/help/"
