"""The page of API tokens: create one, which is shown once, and revoke them."""

from collections.abc import Mapping
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from research.accounts.api_tokens import TokenRefused, issue_token, revoke_token
from research.models import ApiToken, Scope
from research.web.site.view_access import find, members_only, person

MAX_LIST = 100  # newest tokens
SCOPES: Mapping[Scope, Promise] = {
    Scope.READ: lazy("Read runs, reports and sources"),
    Scope.WRITE: lazy("Start and stop runs, and answer their questions"),
    Scope.LIBRARY: lazy("See, add and delete documents of the library"),
    Scope.EXPORTS: lazy("Create and download files"),
}
DAYS = (
    ("30", lazy("30 days")),
    ("90", lazy("90 days")),
    ("365", lazy("A year")),
    ("", lazy("No expiry date")),
)


class TokenForm(forms.Form):
    name = forms.CharField(
        label=lazy("What it is for"),
        max_length=100,
        error_messages={"required": lazy("Give the token a name, so that you know later what it is for.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    days = forms.ChoiceField(label=lazy("Expires after"), choices=DAYS, required=False, initial="90")
    scopes = forms.MultipleChoiceField(
        label=lazy("Permissions"),
        choices=list(SCOPES.items()),
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": lazy("Choose at least one permission.")},
    )


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, TokenForm())
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    given = form.cleaned_data
    days = int(given["days"]) if given["days"] else None
    scopes = [Scope(scope) for scope in given["scopes"]]
    try:
        _row, token = issue_token(person(request), str(given["name"]).strip(), scopes, days)
    except TokenRefused as refused:
        form.add_error(None, str(refused))
        return _page(request, form, status=422)
    return _page(request, TokenForm(), token=token)


@members_only
@require_POST
def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    revoke_token(find(_mine(request), token_id))
    messages.success(request, _("Revoked. The token no longer works."))
    return redirect("research:tokens")


def _mine(request: HttpRequest) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=person(request))


def _page(request: HttpRequest, form: TokenForm, *, token: str = "", status: int = 200) -> HttpResponse:
    """Render the page. `token` was made by this request and cannot be shown again."""
    shown = {
        "form": form,
        "token": token,
        "tokens": _mine(request).order_by("-created_at")[:MAX_LIST],
        "root": request.build_absolute_uri("/api/v1/"),
        "agents": request.build_absolute_uri("/mcp"),
    }
    return render(request, "research/account/tokens.html", shown, status=status)
