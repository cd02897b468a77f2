"""The webhooks page of a workspace: incoming messages of Parallel, receivers of briefs, secrets, deliveries."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from research.accounts.audit.write_audit_trail import On, record
from research.db.tenancy import current_tenant_id
from research.fetching.denied_addresses import address_rules
from research.fetching.strict_urls import UrlRefused, parse_url
from research.integrations.webhooks.incoming_webhooks import MAX_BODY, WebhookOutcome, receive
from research.integrations.webhooks.outgoing_webhooks import redeliver
from research.models import (
    Act,
    Consumer,
    SecretPurpose,
    TenantSecret,
    WatchedTask,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
)
from research.storage.keys.webhook_secrets import (
    SecretRefused,
    keep_secret,
    new_secret,
    retire,
    select_active_secrets,
)
from research.web.site.view_access import find, may_write, members_only, person, writers_only

DELIVERIES_A_PAGE = 25
TOLD_BEFORE, TOLD_TASKS = 10, 50  # newest messages and tasks
MADE_HERE = frozenset({SecretPurpose.IMAGE_PROMPT, SecretPurpose.REWRITE})  # for signing deliveries
ANSWERS: Mapping[WebhookOutcome, int] = {
    WebhookOutcome.TAKEN: 200,
    WebhookOutcome.KNOWN: 200,
    WebhookOutcome.UNSIGNED: 401,
    WebhookOutcome.UNREADABLE: 400,
    WebhookOutcome.NOBODY: 404,
}


@csrf_exempt
@require_POST
def parallel_hook(request: HttpRequest, tenant_id: UUID) -> HttpResponse:
    """Receive a webhook from Parallel for a workspace: store it, answer at once, process it later."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > MAX_BODY:
        return HttpResponse(status=413)
    body = request.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        return HttpResponse(status=413)
    headers = {name.lower(): value for name, value in request.headers.items()}
    outcome = receive(tenant_id, body, headers)
    if outcome is WebhookOutcome.TAKEN:
        from research.pipelines.brief.tasks.brief_watched_tasks import ask_worker_of

        ask_worker_of(tenant_id)
    return HttpResponse(status=ANSWERS[outcome])


class EndpointForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=2_000,
        help_text=gettext_lazy(
            "An address that begins with https://. Leave this empty to send nothing. Addresses in private "
            "networks are never called."
        ),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"]).strip()
        if not url:
            return ""
        try:
            target = parse_url(url, allow_loopback=address_rules().allow_loopback)
            _check_number(target.host)
        except UrlRefused as refused:
            message = _("This address cannot be used: %(reason)s.") % {"reason": refused}
            raise forms.ValidationError(message) from refused
        return target.url


def _check_number(host: str) -> None:
    """Check a host given as an IP address; a name is checked when it is connected to. Raises UrlRefused."""
    with suppress(ValueError):
        if reason := address_rules().refusal(ip_address(host)):
            raise UrlRefused(reason)


class SecretForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Secret"),
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Paste the secret.")},
    )


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponseBase:
    """Show the webhooks page; on POST, carry out one action on it."""
    if request.method != "POST":
        return _page(request)
    return _change(request)


@writers_only
def _change(request: HttpRequest) -> HttpResponse:
    acts: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
        "endpoint": _set_endpoint,
        "secret": _add_secret,
        "retire": _retire_secret,
        "redeliver": _redeliver,
    }
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    return act(request)


def _set_endpoint(request: HttpRequest) -> HttpResponse:
    consumer = request.POST.get("consumer", "")
    if consumer not in Consumer.values:
        raise Http404
    form = EndpointForm(request.POST, prefix=consumer)
    if not form.is_valid():
        return _page(request, forms={consumer: form}, status=422)
    url = form.cleaned_data["url"]
    before = WebhookEndpoint.objects.filter(consumer=consumer).values_list("url", flat=True).first() or ""
    record(Act.WEBHOOKS, on=On("webhookendpoint", "", consumer), before={"url": before}, after={"url": url})
    if url:
        WebhookEndpoint.objects.update_or_create(consumer=consumer, defaults={"url": url, "enabled": True})
        messages.success(request, _("Saved. The next briefs are sent there."))
    else:
        WebhookEndpoint.objects.filter(consumer=consumer).delete()
        messages.success(request, _("Saved. Nothing is sent to this consumer any more."))
    return redirect("research:webhooks")


def _add_secret(request: HttpRequest) -> HttpResponse:
    """Add a secret: a new one of ours, shown in this response only, or a pasted one of Parallel's."""
    purpose = request.POST.get("purpose", "")
    if purpose not in SecretPurpose.values:
        raise Http404
    secret_purpose = SecretPurpose(purpose)
    form = SecretForm(request.POST, prefix=purpose)
    if secret_purpose not in MADE_HERE and not form.is_valid():
        return _page(request, forms={purpose: form}, status=422)
    text = new_secret() if secret_purpose in MADE_HERE else str(form.cleaned_data["text"])
    try:
        keep_secret(secret_purpose, text, person(request))
    except SecretRefused as refused:
        if secret_purpose in MADE_HERE:
            messages.error(request, str(refused))
            return redirect("research:webhooks")
        form.add_error("text", str(refused))
        return _page(request, forms={purpose: form}, status=422)
    if secret_purpose in MADE_HERE:
        return _page(request, shown={"purpose": purpose, "text": text})
    messages.success(request, _("Saved. It will not be shown again."))
    return redirect("research:webhooks")


def _retire_secret(request: HttpRequest) -> HttpResponse:
    retire(find(TenantSecret.objects.all(), _id(request)))
    messages.success(request, _("Retired: nothing is signed or verified with it any more."))
    return redirect("research:webhooks")


def _redeliver(request: HttpRequest) -> HttpResponse:
    redeliver(find(WebhookDelivery.objects.all(), _id(request)))
    messages.success(request, _("The message is being sent again. The consumer recognizes it by its ID."))
    return redirect(f"{reverse('research:webhooks')}#deliveries")


def _id(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("id", ""))
    except ValueError as error:
        raise Http404 from error


def _page(
    request: HttpRequest,
    *,
    forms: Mapping[str, forms.Form] | None = None,
    shown: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    given = forms or {}
    sent = WebhookDelivery.objects.select_related("run").order_by("-created_at")
    endpoints = {
        webhookendpoint.consumer: webhookendpoint.url for webhookendpoint in WebhookEndpoint.objects.all()
    }
    values = {
        "address": request.build_absolute_uri(reverse("research:parallel_hook", args=[current_tenant_id()])),
        "incoming": [
            _secrets(purpose, given)
            for purpose in (SecretPurpose.PARALLEL_WEBHOOK, SecretPurpose.PARALLEL_KEY)
        ],
        "consumers": [
            {
                "consumer": consumer,
                "form": given.get(consumer)
                or EndpointForm(prefix=consumer, initial={"url": endpoints.get(consumer, "")}),
                "secrets": select_active_secrets(SecretPurpose(consumer)),
                "has_address": consumer in endpoints,
            }
            for consumer in Consumer.values
        ],
        "new_secret": shown,
        "form": next(iter(given.values()), None),
        "page": Paginator(sent, DELIVERIES_A_PAGE).get_page(request.GET.get("page")),
        "events": WebhookEvent.objects.order_by("-created_at")[:TOLD_BEFORE],
        "tasks": WatchedTask.objects.select_related("run").order_by("-created_at")[:TOLD_TASKS],
        "more_tasks": max(0, WatchedTask.objects.count() - TOLD_TASKS),
        "may_write": may_write(request),
    }
    return render(request, "research/account/webhooks.html", values, status=status)


def _secrets(purpose: SecretPurpose, given: Mapping[str, forms.Form]) -> Mapping[str, object]:
    return {
        "purpose": purpose.value,
        "form": given.get(purpose.value) or SecretForm(prefix=purpose.value),
        "secrets": select_active_secrets(purpose),
    }
