"""Records the actions of requests with their actor (research.accounts.audit), and limits their rate."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from django.apps import apps
from django.contrib.admin.models import ADDITION, DELETION, LogEntry
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from pydantic import JsonValue

from research.accounts.audit.write_audit_trail import Actor, On, act_as, record
from research.integrations.api_rate_limit import take
from research.models import Act, Outcome, Via
from research.web.site import page_audit_signals
from research.web.site.audited_page_urls import RECORDED, STARTS, TAKEN
from research.web.site.page_actor import ADMIN, actor_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_FLAGS: Mapping[int, Act] = {ADDITION: Act.ADMIN_ADD, DELETION: Act.ADMIN_DELETE}
# By URL parameter: the type of thing in the trail, and the column that names it.
NAMED: Mapping[str, tuple[str, str]] = {
    "run_id": ("research.run", "topic"),
    "document_id": ("research.librarydocument", "title"),
    "schedule_id": ("research.schedule", "name"),
    "token_id": ("research.apitoken", "name"),
    "deck_id": ("slides.deck", "title"),
    "theme_id": ("slides.decktheme", "name"),
}
_WORD = re.compile(r"[a-z_]{1,40}")  # the action, on pages that have several
Next = Callable[[HttpRequest], HttpResponseBase]


page_audit_signals.listen()


class AuditMiddleware:
    """Middleware that runs inside the workspace's transaction, so that an action and its row are stored together."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        match = _match(request)
        if match is None or not _matters(request, match):
            return self.get_response(request)
        with act_as(actor_of(request)) as actor:
            if (refused := _too_often(request, match, actor)) is not None:
                return refused
            on, log_id = _find_target(match), _last_log_id(match)
            response = self.get_response(request)
            outcome = _outcome(request, response)
            if actor.user_id is not None and not actor.recorded and outcome is not None:
                if match.app_name == ADMIN:
                    _record_admin(match, outcome, actor.user_id, log_id)
                else:
                    _record(request, match, on or _find_created_object(response), outcome)
            return response


def _match(request: HttpRequest) -> ResolverMatch | None:
    try:
        return resolve(request.path_info)
    except Resolver404:
        return None


def _matters(request: HttpRequest, match: ResolverMatch) -> bool:
    return request.method not in SAFE or match.view_name in TAKEN


def _too_often(request: HttpRequest, match: ResolverMatch, actor: Actor) -> HttpResponseBase | None:
    """Return an error page for users who send more forms a minute than a person can; the API has its own limit.

    Reviewers decide by single keys, which is faster; the number of items limits them.
    """
    is_counted = actor.via != Via.API and RECORDED.get(match.view_name) != Act.REVIEW
    if actor.user_id is None or not is_counted or request.method in SAFE:
        return None
    starts = ["starts_a_minute"] if match.view_name in STARTS else []
    wait_s = max(limit.wait_s for limit in take(actor.user_id, ["posts_a_minute", *starts]).values())
    if not wait_s:
        return None
    page = render(request, "429.html", status=429)
    page["Retry-After"] = str(wait_s)
    return page


def _find_target(match: ResolverMatch) -> On | None:
    """Return the last object that the URL names, with its current name; None if it names none."""
    named = [name for name in match.kwargs if name.endswith("_id")]
    if not named:
        return None
    label, column = NAMED.get(named[-1], ("", ""))
    found = str(match.kwargs[named[-1]])
    if not label:
        return On(named[-1].removesuffix("_id"), found)
    model = apps.get_model(label)
    name = model._default_manager.filter(pk=found).values_list(column, flat=True).first()
    return On(str(model._meta.model_name), found, str(name or ""))


def _find_created_object(response: HttpResponseBase) -> On | None:
    """Return the object that an action created, if its response redirects to it; else None."""
    try:
        return _find_target(resolve(urlsplit(response.headers.get("Location", "")).path))
    except Resolver404:
        return None


def _record(request: HttpRequest, match: ResolverMatch, on: On | None, outcome: Outcome) -> None:
    act = (TAKEN if request.method in SAFE else RECORDED).get(match.view_name)
    if act is not None:
        record(act, on=on, after=_find_act(request) if outcome == Outcome.DONE else None, outcome=outcome)


def _outcome(request: HttpRequest, response: HttpResponseBase) -> Outcome | None:
    """Return the outcome; None if nothing worth recording happened, or the row would be rolled back."""
    status = response.status_code
    if status >= 500 or status in (400, 405, 422):
        return None
    if status >= 400:
        return Outcome.REFUSED
    queued = getattr(getattr(request, "_messages", None), "_queued_messages", [])
    return Outcome.REFUSED if any(message.level_tag == "error" for message in queued) else Outcome.DONE


def _find_act(request: HttpRequest) -> dict[str, JsonValue]:
    """Return the action that a POST request names on pages that have several; empty if it names none."""
    act = request.POST.get("act", "") if request.method == "POST" else ""
    return {"act": act} if _WORD.fullmatch(act) else {}


def _last_log_id(match: ResolverMatch) -> int:
    if match.app_name != ADMIN:
        return 0
    return LogEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def _record_admin(match: ResolverMatch, outcome: Outcome, user_id: int, log_id: int) -> None:
    """Record each entry of Django's admin log; record a refused action by the page's name."""
    if outcome == Outcome.REFUSED:
        record(Act.ADMIN_CHANGE, on=On("admin", "", match.url_name or ""), outcome=outcome)
        return
    logged = LogEntry.objects.filter(user_id=user_id, pk__gt=log_id).select_related("content_type")
    for entry in logged.order_by("pk"):
        type_ = entry.content_type.model if entry.content_type else ""
        record(
            _FLAGS.get(entry.action_flag, Act.ADMIN_CHANGE),
            on=On(type_, entry.object_id or "", entry.object_repr),
            after={"changed": entry.get_change_message()},
        )
