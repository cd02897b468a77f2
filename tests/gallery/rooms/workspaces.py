"""A workspace and its people, the way in by invitation, and forms that come too late or too often."""

import re
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from research.accounts.workspaces import invitations
from research.db.tenancy import tenant_context
from research.models import Invitation, Mail, Membership, Role, Run
from tests.gallery.scene import Room
from tests.people import Person, join
from tests.worlds import make_report

room = Room("workspaces")
PAGE = "/account/workspace/"
NORA = "nora@example.org"
ONE_A_MINUTE = {"PLUMBLINE_LIMITS": {**settings.PLUMBLINE_LIMITS, "posts_a_minute": (1.0,)}}


def people_in(person: Person) -> None:
    """One of each role, one of them with a long name, one who may not sign in any more."""
    names = (
        ("grace", Role.REVIEWER),
        ("maximiliane-von-und-zu-hohenstein", Role.MEMBER),
        ("béla", Role.VIEWER),
    )
    for name, role in names:
        joined = join(f"{name}-{person.user.pk}", role=role, tenant=person.tenant)
        joined.user.email, joined.user.is_active = f"{name}@example.org", name != "béla"
        joined.user.save()


def invite_by_mail(person: Person, email: str = NORA, role: Role = Role.MEMBER) -> str:
    """Return the address to which the mail's link leads."""
    with tenant_context(person.tenant.pk):
        invitations.invite(email, role, person.user)
        body = Mail.objects.order_by("-created_at").values_list("body", flat=True)[0]
    found = re.search(r"/invitations/\S+", body)
    assert found, body
    return found[0]


def with_a_second(person: Person, name: str = "Institute for the energy of buildings") -> Person:
    """Belongs to a younger workspace of somebody else's as well."""
    other = join(f"{person.user.username}-other")
    other.tenant.name = name
    with tenant_context(other.tenant.pk):
        other.tenant.save()
        Membership.objects.create(user=person.user, role=Role.VIEWER)
    return other


def as_nora(person: Person) -> None:
    person.user.email = NORA
    person.user.save()


@room.scene()
def workspace(person: Person) -> str:
    people_in(person)
    invite_by_mail(person)
    invite_by_mail(person, "an-address-of-remarkable-length@department-of-energy.example.org", Role.VIEWER)
    with tenant_context(person.tenant.pk):
        Invitation.objects.filter(email=NORA).update(expires_at=timezone.now() - timedelta(days=1))
    with_a_second(person)
    return PAGE


@room.scene()
def retention(person: Person) -> str:
    return f"{PAGE}retention/"


@room.scene()
def model(person: Person) -> str:
    return "/account/model/?preset=azure"


def keep_a_month(page: Page) -> None:
    page.get_by_label("Finished runs").select_option("30")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_visible()


@room.scene(keep_a_month)
def retention_asks(person: Person) -> str:
    old = make_report(person)
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=old.run.pk).update(completed_at=timezone.now() - timedelta(days=60))
    return f"{PAGE}retention/"


@room.scene()
def workspace_alone(person: Person) -> str:
    return PAGE


@room.scene()
def workspace_of_a_viewer(person: Person) -> str:
    people_in(person)
    with tenant_context(person.tenant.pk):
        Membership.objects.filter(user=person.user).update(role=Role.VIEWER)
        Membership.objects.filter(role=Role.MEMBER).update(role=Role.OWNER)
    return PAGE


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")


@room.scene(unfold)
def workspace_unfolded(person: Person) -> str:
    people_in(person)
    return PAGE


def invite_nobody(page: Page) -> None:
    page.get_by_label("E-mail address").fill("nora")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(invite_nobody)
def invitation_refused(person: Person) -> str:
    return PAGE


def save_as_viewer(page: Page, number: int) -> None:
    one = page.locator("#members .person").nth(number)
    one.locator("select").select_option("viewer")
    one.get_by_role("button", name="Save").click()


def change_the_last_role(page: Page) -> None:
    """The other owner goes first, in another tab: until then the page offers it."""
    tab = page.context.new_page()
    tab.goto(page.url)
    save_as_viewer(tab, 1)
    expect(tab.locator(".notice.green")).to_be_visible()
    tab.close()
    save_as_viewer(page, 0)
    expect(page.locator(".notice.red")).to_be_visible()


@room.scene(change_the_last_role)
def the_last_owner_stays(person: Person) -> str:
    join(f"second-{person.user.pk}", role=Role.OWNER, tenant=person.tenant)
    return PAGE


def erase_another(page: Page) -> None:
    page.locator("summary", has_text="Erase everything here").click()
    page.get_by_label("Type the name of the workspace").fill("another")
    page.get_by_role("button", name="Erase the workspace").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(erase_another)
def erasure_refused(person: Person) -> str:
    return PAGE


@room.scene(signed_in=False)
def invitation_of_somebody_new(person: Person) -> str:
    return invite_by_mail(person)


def choose_a_weak_password(page: Page) -> None:
    page.get_by_label("Password").fill("password")
    page.get_by_role("button", name="Create account and accept").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(choose_a_weak_password, signed_in=False)
def invitation_with_a_weak_password(person: Person) -> str:
    return invite_by_mail(person)


@room.scene(signed_in=False)
def invitation_of_somebody_with_an_account(person: Person) -> str:
    as_nora(person)
    return invite_by_mail(join(f"{person.user.username}-inviting"))


@room.scene()
def invitation_to_accept(person: Person) -> str:
    as_nora(person)
    return invite_by_mail(join(f"{person.user.username}-inviting"))


@room.scene()
def invitation_of_a_member_already(person: Person) -> str:
    other = with_a_second(person)
    address = invite_by_mail(other)
    as_nora(person)
    return address


@room.scene()
def invitation_for_another(person: Person) -> str:
    return invite_by_mail(person)


@room.scene()
def invitation_over(person: Person) -> str:
    address = invite_by_mail(person)
    with tenant_context(person.tenant.pk):
        invitations.revoke(Invitation.objects.get())
    return address


def open_menu(page: Page) -> None:
    page.locator(".menu-button").click()
    expect(page.locator("#own-menu")).to_be_visible()


@room.scene(open_menu)
def menu(person: Person) -> str:
    for number, name in enumerate(("Institute for the energy of buildings", "Żółw & co.", "A workshop")):
        other = join(f"{person.user.username}-{number}")
        other.tenant.name = name
        with tenant_context(other.tenant.pk):
            other.tenant.save()
            Membership.objects.create(user=person.user, role=Role.VIEWER)
    return "/help/"


def go_elsewhere(page: Page) -> None:
    """Switch the workspace in another tab, while the page stays as it is."""
    tab = page.context.new_page()
    tab.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + PAGE)
    tab.get_by_role("button", name="Work here").click()
    expect(tab.locator(".notice.green")).to_be_visible()
    tab.close()


def send_late(page: Page) -> None:
    go_elsewhere(page)
    page.get_by_label("Your question").fill("Do heat pumps work in the cold?")
    page.locator("main form button.main").first.click()
    expect(page.get_by_role("heading", name="Nothing was changed")).to_be_visible()


@room.scene(send_late)
def form_of_another_workspace(person: Person) -> str:
    with_a_second(person)
    return "/"


def send_a_secret_late(page: Page) -> None:
    go_elsewhere(page)
    page.get_by_role("button", name="Create a secret").first.click()
    expect(page.get_by_role("heading", name="Nothing was changed")).to_be_visible()


@room.scene(send_a_secret_late)
def form_that_is_not_repeated(person: Person) -> str:
    with_a_second(person)
    return "/account/webhooks/"


def send_after_leaving(page: Page) -> None:
    go_elsewhere(page)
    page.evaluate(
        "document.querySelectorAll('main [name=workspace]').forEach(one => { one.value = 'gone'; })"
    )
    page.get_by_label("Your question").fill("Do heat pumps work in the cold?")
    page.locator("main form button.main").first.click()
    expect(page.get_by_role("heading", name="Nothing was changed")).to_be_visible()


@room.scene(send_after_leaving)
def form_of_no_workspace_of_theirs(person: Person) -> str:
    with_a_second(person)
    return "/"


def send_twice(page: Page) -> None:
    address = page.url
    page.locator("main form button").first.click()
    page.goto(address)
    page.locator("main form button").first.click()
    expect(page.get_by_role("heading", name="Too many requests")).to_be_visible()


@room.scene(send_twice, **ONE_A_MINUTE)
def too_often(person: Person) -> str:
    return "/account/settings/"
