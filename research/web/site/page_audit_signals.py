"""Records signing in and out and the second factor, from signals of the packages, before a workspace is entered."""

from allauth.account.signals import password_changed, password_reset
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from axes.signals import user_locked_out
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models import Q
from django.http import HttpRequest
from pydantic import JsonValue

from research.accounts.audit.write_audit_trail import Actor, record_of_account
from research.models import Act, Outcome, Via
from research.web.account.sign_in_page import name_that_was_tried
from research.web.site.page_actor import actor_of


def _note(
    act: Act,
    user: AbstractBaseUser | None,
    request: HttpRequest | None,
    outcome: Outcome = Outcome.DONE,
    **after: JsonValue,
) -> None:
    actor = actor_of(request) if request is not None else Actor(Via.COMMAND)
    actor.user_id, actor.who = (user.pk, user.get_username()) if user is not None else (None, "")
    record_of_account(act, user, actor, after=after, outcome=outcome)


def record_sign_in(sender: object, request: HttpRequest, user: User, **_more: object) -> None:
    _note(Act.SIGN_IN, user, request)


def record_sign_out(sender: object, request: HttpRequest, user: User | None, **_more: object) -> None:
    if user is not None:
        _note(Act.SIGN_OUT, user, request)


def sign_in_failed(
    sender: object, credentials: dict[str, str], request: HttpRequest | None = None, **_more: object
) -> None:
    """Record a failed sign-in. A name without an account is not stored: people type passwords there."""
    _note(Act.SIGN_IN, _account(name_that_was_tried(request, credentials)), request, Outcome.FAILED)


def record_lockout(request: HttpRequest, username: str, **_more: object) -> None:
    _note(Act.LOCKED_OUT, _account(username), request, Outcome.REFUSED)


def new_password(request: HttpRequest, user: User, **_more: object) -> None:
    _note(Act.PASSWORD, user, request)


def second_factor_changed(
    request: HttpRequest, user: User, authenticator: object, signal: object, **_more: object
) -> None:
    done = {id(authenticator_added): "on", id(authenticator_removed): "off"}.get(id(signal), "new")
    _note(Act.SECOND_FACTOR, user, request, kind=str(getattr(authenticator, "type", "")), done=done)


def second_step_failed(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Record a wrong code. The packages send no signal for it, so the page calls this."""
    _note(Act.SIGN_IN, user, request, Outcome.FAILED, step="second factor")


def second_step_locked(request: HttpRequest, user: AbstractBaseUser) -> None:
    _note(Act.LOCKED_OUT, user, request, Outcome.REFUSED, step="second factor")


def _account(name: str) -> User | None:
    if not name:
        return None
    return User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name)).order_by("pk").first()


def listen() -> None:
    """Connect the signals when the site starts."""
    for signal, record in (
        (user_logged_in, record_sign_in),
        (user_logged_out, record_sign_out),
        (user_login_failed, sign_in_failed),
        (user_locked_out, record_lockout),
        (password_changed, new_password),
        (password_reset, new_password),
        (authenticator_added, second_factor_changed),
        (authenticator_removed, second_factor_changed),
        (authenticator_reset, second_factor_changed),
    ):
        signal.connect(record, dispatch_uid=f"audit.{record.__name__}")
