"""Signing in; on one's own machine with one click."""

from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from research.accounts import LOCAL_USER


class SignIn(LoginView):
    """Django's page; it also offers the account of this machine, where there is one."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        shown: dict[str, object] = super().get_context_data(**kwargs)
        return shown | {"local_user": _local_user(self.request)}


@require_POST
def sign_in_locally(request: HttpRequest) -> HttpResponse:
    user = _local_user(request)
    if user is None:
        raise Http404
    login(request, user)
    return redirect(wanted_page(request))


def _local_user(request: HttpRequest) -> User | None:
    """The ready account: only with the embedded database, and only for a browser on the same machine."""
    if not settings.EMBEDDED_POSTGRES or not _is_same_machine(request):
        return None
    return User.objects.filter(username=LOCAL_USER, is_active=True).first()


def _is_same_machine(request: HttpRequest) -> bool:
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def wanted_page(request: HttpRequest) -> str:
    """Where the visitor was, or was going, if that is on this site; else the first page."""
    wanted = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return resolve_url(settings.LOGIN_REDIRECT_URL)
