"""The sign-in page; on a local installation with one click."""

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import LoginForm
from allauth.account.views import LoginView
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.http import require_POST

from research.accounts.people import LOCAL_USER
from research.web.site.page_client_ip import address_of_visitor, is_same_machine

logger = logging.getLogger(__name__)
# Mail that is sent after the response: otherwise its duration would reveal whether an account exists.
unseen = ThreadPoolExecutor(1, thread_name_prefix="mail")


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # has no types
    """The account adapter: accounts are created by invitation only, and no response reveals whether one exists."""

    error_messages = DefaultAccountAdapter.error_messages | {
        name: lazy("The name or password is wrong. Both are case-sensitive.")
        for name in ("username_password_mismatch", "email_password_mismatch", "invalid_login")
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str) -> bool:
        """Return True if the URL is safe to redirect to; False also for one that cannot be parsed."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Send the mail. An unreachable mail server breaks no page, and the page does not reveal whether a mail was
        sent.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # covers the errors of a mail server
            logger.warning("mail_not_sent kind=%s error=%s", template_prefix, type(error).__name__)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, object]) -> None:
        unseen.submit(copy_context().run, self._send_unseen, user, email, context)

    def _send_unseen(self, user: User, email: str, context: dict[str, object]) -> None:
        try:
            super().send_password_reset_mail(user, email, context)
        finally:
            connection.close()  # the connection of this thread, in case the template made a query

    def get_client_ip(self, request: HttpRequest) -> str:
        return address_of_visitor(request)


class SignInForm(LoginForm):  # type: ignore[misc]  # has no types
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = lazy("Name or e-mail address")
        self.fields["login"].widget.attrs = {"autocomplete": "username"}
        self.fields["password"].widget.attrs.pop("placeholder", None)
        self.fields["password"].help_text = ""  # the page links to the form for a new one


class SignIn(LoginView):  # type: ignore[misc]  # has no types
    """allauth's page; it also offers the local account of this machine, if there is one."""

    template_name = "registration/login.html"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        shown: dict[str, object] = super().get_context_data(**kwargs)
        return shown | {"local_user": _local_user(self.request), "next": resolve_next_page(self.request, "")}


@require_POST
def sign_in_locally(request: HttpRequest) -> HttpResponse:
    user = _local_user(request)
    if user is None:
        raise Http404
    login(request, user, backend=settings.ACCOUNT_BACKEND)
    UserSession.objects.create_from_request(request)  # recorded like sessions that begin with a password
    return redirect(resolve_next_page(request))


def _local_user(request: HttpRequest) -> User | None:
    """Return the local account if this sign-in may use it.

    It needs the embedded database, a browser on the same machine, and an account without a second factor.
    """
    if not settings.EMBEDDED_POSTGRES or not is_same_machine(request):
        return None
    user = User.objects.filter(username=LOCAL_USER, is_active=True).first()
    return None if user is None or is_mfa_enabled(user) else user


def resolve_next_page(request: HttpRequest, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """Return the requested `next` page if it is on this site, else `otherwise` (by default the first page)."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    if is_here and "/" in wanted:  # a single word would be taken for the name of a view
        return wanted
    return resolve_url(otherwise) if otherwise else ""


def name_that_was_tried(_request: HttpRequest | None, credentials: Mapping[str, str] | None) -> str:
    """Return the key by which sign-in tries are counted: the name or email address, case-folded."""
    tried = credentials or {}
    return (tried.get("username") or tried.get("email") or "").casefold()


def too_many_tries(
    request: HttpRequest, _response: HttpResponse | None = None, _credentials: object = None
) -> HttpResponse:
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    page = render(request, "registration/too_many_tries.html", {"minutes": minutes}, status=429)
    page["Retry-After"] = str(minutes * 60)
    return page
