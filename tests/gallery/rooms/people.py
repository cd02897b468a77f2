"""The review queue, schedules, help, signing in, and what goes wrong."""

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone
from playwright.sync_api import Page, expect

from research.accounts.people import ensure_local_account
from research.db.tenancy import tenant_context
from research.models import Membership, ReviewAct, Role, Schedule
from research.models.schemas import StoredDecision
from research.review.decide_review_items import decide_whole
from tests.gallery.scene import Room
from tests.people import Person, join
from tests.web.asked import ask_about_claims, ask_about_gap, ask_about_pair, ask_about_plan
from tests.worlds import ReportWorld, make_report

room = Room("people")


def break_down(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("as if something had gone wrong")


def suspect(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("as if the request were odd")


# The site with two addresses that fail; `ODD` makes it the one that is looked at.
urlpatterns = [path("breaks/", break_down), path("suspects/", suspect), path("", include("config.urls"))]
handler400 = "research.web.site.error_pages.bad_request"
ODD = {"ROOT_URLCONF": __name__}


@room.scene()
def review_empty(person: Person) -> str:
    return "/review/"


@room.scene()
def review_of_a_claim(person: Person) -> str:
    ask_about_claims(make_report(person))
    return "/review/"


@room.scene()
def review_of_a_conflict(person: Person) -> str:
    ask_about_pair(make_report(person))
    return "/review/"


@room.scene()
def review_of_a_gap(person: Person) -> str:
    ask_about_gap(make_report(person))
    return "/review/"


@room.scene()
def review_of_a_plan(person: Person) -> str:
    ask_about_plan(make_report(person))
    return "/review/"


@room.scene()
def review_worked_in(person: Person) -> str:
    all_decided(make_report(person))
    return "/review/"


@room.scene()
def report_checked_anew(person: Person) -> str:
    world = make_report(person)
    all_decided(world)
    return f"/runs/{world.run.pk}/report/"


def all_decided(world: ReportWorld) -> None:
    """Decide everything at the page; the worker has not come yet."""
    asked = ask_about_claims(world)
    with tenant_context(world.person.tenant.pk):
        decide_whole(asked.pk, world.person.user, ReviewAct.ACCEPT, StoredDecision(), by_worker=True)


@room.scene(staff=True)
def review_in_the_admin(person: Person) -> str:
    ask_about_claims(make_report(person))
    return "/admin/review/"


@room.scene()
def review_taken_by_another(person: Person) -> str:
    ask_about_gap(make_report(person))
    other = join(f"{person.user.username}-other", role=Role.REVIEWER, tenant=person.tenant)
    assert other.sign_in().get("/review/").status_code == 200
    return "/review/"


def reject(page: Page) -> None:
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Say why you reject it")).to_be_visible()


@room.scene(reject)
def review_refused(person: Person) -> str:
    ask_about_claims(make_report(person))
    return "/review/"


def open_deleting(page: Page) -> None:
    page.locator("summary", has_text="Delete").first.click()


@room.scene(open_deleting)
def schedules(person: Person) -> str:
    world = make_report(person)
    common = {"kind": "report", "topic": "Do heat pumps work in the cold?", "cron": "0 6 * * 1"}
    with tenant_context(person.tenant.pk):
        soon = {"next_at": timezone.now(), "last_run": world.run}
        Schedule.objects.create(name="Weekly", owner=person.user, **common, **soon)
        Schedule.objects.create(
            name="Paused",
            owner=person.user,
            enabled=False,
            problem="The workspace has no credits left.",
            **common,
        )
        table = {"kind": "table", "topic": "Capital of each country", "input": {"items": ["Norway", "Chile"]}}
        Schedule.objects.create(
            name="Countries", owner=person.user, once_at=timezone.now(), enabled=False, **table
        )
        told = common | {"cron": "30 0 7,19 * * 1-5", "playbook": "add a section on costs\nnot example.org"}
        Schedule.objects.create(name="Told", owner=person.user, **told)
    return "/schedules/"


@room.scene()
def schedules_empty(person: Person) -> str:
    return "/schedules/"


@room.scene()
def schedule_new(person: Person) -> str:
    return "/schedules/new/"


def save(page: Page) -> None:
    page.locator("main form button").first.click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(save)
def schedule_refused(person: Person) -> str:
    return "/schedules/new/"


@room.scene()
def help_page(person: Person) -> str:
    return "/help/"


def open_operation(page: Page) -> None:
    page.locator("#runs details").first.locator("summary").click()
    page.locator("#shape-ClaimState, #shape-Claim").first.locator("summary").click()


@room.scene(open_operation)
def help_api(person: Person) -> str:
    return "/help/api/"


@room.scene()
def help_shortcuts(person: Person) -> str:
    return "/help/shortcuts/"


@room.scene()
def accessibility(person: Person) -> str:
    return "/accessibility/"


@room.scene(signed_in=False)
def login_on_this_machine(person: Person) -> str:
    ensure_local_account()
    return "/login/"


def sign_in_wrongly(page: Page) -> None:
    page.get_by_label("Name or e-mail address").fill("ada")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(sign_in_wrongly, signed_in=False, EMBEDDED_POSTGRES=False)
def login_refused(person: Person) -> str:
    return "/login/"


@room.scene()
def no_workspace(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        Membership.objects.filter(user=person.user).delete()
    return "/"


@room.scene()
def first_workspace(person: Person) -> str:
    no_workspace(person)
    return "/workspaces/first/"


@room.scene()
def not_found(person: Person) -> str:
    return "/nothing/"


@room.scene()
def address_of_a_button(person: Person) -> str:
    return "/logout/"


@room.scene(**ODD)
def server_error(person: Person) -> str:
    return "/breaks/"


@room.scene(**ODD)
def odd_request(person: Person) -> str:
    return "/suspects/"
