"""Pages of a user: credits line by line, settings, the password."""

from decimal import Decimal

from playwright.sync_api import Page, expect

from research.accounts.api_tokens import issue_token, revoke_token
from research.accounts.audit.write_audit_trail import Actor, On, act_as, record
from research.db.tenancy import tenant_context
from research.llm.budgets import credits
from research.models import Act, Outcome, Scope, Via
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


@room.scene()
def tokens_none(person: Person) -> str:
    return "/account/tokens/"


def make_token(page: Page) -> None:
    page.get_by_label("What it is for").fill("Nightly reports")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("#token")).to_be_visible()


@room.scene(make_token)
def token_made(person: Person) -> str:
    return "/account/tokens/"


@room.scene()
def tokens_revoked(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        issue_token(person.user, "Nightly reports", [Scope.READ, Scope.EXPORTS], 90)
        revoke_token(issue_token(person.user, "An old notebook", list(Scope), None)[0])
    return "/account/tokens/"


@room.scene()
def webhooks(person: Person) -> str:
    return "/account/webhooks/"


def make_secret(page: Page) -> None:
    page.get_by_role("button", name="Create a secret").first.click()
    expect(page.get_by_role("heading", name="A new secret")).to_be_visible()


@room.scene(make_secret)
def webhooks_with_a_new_secret(person: Person) -> str:
    return "/account/webhooks/"


@room.scene()
def activity(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        with act_as(Actor(Via.PAGES, person.user.pk, person.user.username, "owner", "192.0.2.17")):
            record(Act.RUN_START, on=On("run", "1", "Do heat pumps still deliver at −15 °C in old houses?"))
            record(
                Act.MEMBER_ROLE,
                on=On("membership", "2", "Béla"),
                before={"role": "viewer"},
                after={"role": "member"},
            )
        with act_as(Actor(Via.API, 5, "nightly-reports-of-the-whole-department", "viewer", "2001:db8::7:1")):
            record(Act.RUN_CANCEL, on=On("run", "1", "Do heat pumps work?"), outcome=Outcome.REFUSED)
    return "/account/activity/"


@room.scene()
def activity_filtered_to_nothing(person: Person) -> str:
    return "/account/activity/?act=run.delete"
