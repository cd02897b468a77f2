"""Passwords forgotten and mistyped, the second step, and where one is signed in."""

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from playwright.sync_api import Page, expect

from tests.gallery.scene import Room
from tests.people import Person

room = Room("signing-in")


@room.scene(signed_in=False)
def forgotten(person: Person) -> str:
    return "/password/reset/"


@room.scene(signed_in=False)
def mail_is_on_its_way(person: Person) -> str:
    return "/password/reset/sent/"


@room.scene(signed_in=False)
def link_of_the_mail_is_spent(person: Person) -> str:
    return "/password/reset/1-abc-def/"


@room.scene(signed_in=False)
def new_password_is_set(person: Person) -> str:
    return "/password/reset/done/"


def sign_in(page: Page, name: str = "signing-in-second-step") -> None:
    page.get_by_label("Name or e-mail address").fill(name)
    page.get_by_label("Password").fill("plumb-line-9")
    page.get_by_role("button", name="Sign in").click()


def try_too_often(page: Page) -> None:
    """Nobody's door, so that Ada's stays open; the second time it is closed already."""
    closed = page.get_by_role("heading", name="Too many tries")
    while not closed.is_visible():
        sign_in(page, "nobody")
        expect(page.locator("#error-summary").or_(closed)).to_be_visible()


@room.scene(try_too_often, signed_in=False, EMBEDDED_POSTGRES=False)
def too_many_tries(person: Person) -> str:
    return "/login/"


def guard(person: Person) -> None:
    TOTP.activate(person.user, generate_totp_secret())
    RecoveryCodes.activate(person.user)


def give_the_password(page: Page) -> None:
    sign_in(page)
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()


@room.scene(give_the_password, signed_in=False, EMBEDDED_POSTGRES=False)
def second_step(person: Person) -> str:
    guard(person)
    return "/login/"


@room.scene()
def two_steps_off(person: Person) -> str:
    return "/account/second-step/"


@room.scene()
def two_steps_on(person: Person) -> str:
    guard(person)
    assert Authenticator.objects.filter(user=person.user).count() == 2
    return "/account/second-step/"


def confirm(page: Page) -> None:
    page.get_by_label("Password").fill("plumb-line-9")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Confirm your password")).to_have_count(0)


@room.scene(confirm)
def set_up(person: Person) -> str:
    return "/account/second-step/on/"


@room.scene()
def is_it_you(person: Person) -> str:
    return "/account/confirm/"


@room.scene()
def sessions(person: Person) -> str:
    return "/account/sessions/"
