"""Answers polls of recent viewers of a run without loading a session or the user.

A poll from an unknown viewer is handled like any request, and its result is cached for the next ones, until a member
of the tenant is removed or gets another role: this changes the tenant's version, which is read with the run's state.
So a removed member sees nothing after `TAG_S`. The same holds for a viewer who has signed out or switched to another
workspace, because of a token in the cache that all processes share. If that cache is unavailable, only the process
that handled the sign-out knows of it: the others show figures for at most `PASS_S`.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from secrets import token_hex
from threading import Lock
from typing import Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.core.cache import cache
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from research.db.tenancy import tenant_context
from research.models import Run
from research.web.runs.progress_page_snapshot import tag_of
from research.web.site.page_poll_cache import SharedAnswers
from research.web.site.view_access import Rights

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

PASS_S = 10.0
TAG_S = 0.25  # far below the polling interval, so that figures never go back
MAKING_S = 5.0  # an update that takes longer is also made by another process
MADE_S = 60.0
KEPT = 4096
ANYBODYS_TOKEN = token_hex(16)  # placeholder for each visitor's token; no source can contain it
TAGGED = ("state", "version", "snapshot_version", "cancel_at", "paused_at", "started_at", "created_at")
FORGOTTEN = "viewers-forgotten"  # in the shared cache: a new token after each sign-out
_POLL = re.compile(r"/runs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/progress/")
_SECRET = re.compile(r"[a-zA-Z0-9]{32}")  # as Django stores it in its cookie


class ProcessCache(Generic[Key, Value]):
    """Caches values in this process for some seconds; thread-safe."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = Lock()
        self._values: OrderedDict[Key, tuple[float, Value]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            until, value = self._values.get(key, (0.0, None))
        return value if time.monotonic() < until else None

    def keep(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = time.monotonic() + self.seconds, value
            self._values.move_to_end(key)
            if len(self._values) > KEPT:
                self._values.popitem(last=False)

    def is_first(self, key: Key, value: Value) -> bool:
        """Cache the value and return True if the key is not cached yet; otherwise return False."""
        with self._lock:
            if time.monotonic() < self._values.get(key, (0.0, value))[0]:
                return False
        self.keep(key, value)
        return True

    def forget(self) -> None:
        with self._lock:
            self._values.clear()


@dataclass(frozen=True, slots=True)
class Viewer:
    """The attributes of a viewer, besides the run, that an update depends on."""

    tenant_id: UUID
    language: str
    may: Rights
    version: int  # of the tenant's memberships when the rights were looked up


updates = SharedAnswers()
_viewers: ProcessCache[tuple[str, ...], tuple[str, Viewer]] = ProcessCache(PASS_S)
_words: ProcessCache[str, str] = ProcessCache(TAG_S)
_tags: ProcessCache[tuple[UUID, UUID], tuple[str, int]] = ProcessCache(TAG_S)
_being_made: ProcessCache[Hashable, bool] = ProcessCache(MAKING_S)
_made: ProcessCache[tuple[Viewer, UUID], tuple[float, str]] = ProcessCache(
    MADE_S
)  # when work on it began, and its tag


def key_of(viewer: Viewer, run_id: UUID, tag: str) -> Hashable:
    """Return the cache key of the update for this viewer."""
    return viewer, run_id, tag


def update_for(viewer: Viewer, run_id: UUID, tag: str, make: Callable[[], str]) -> str:
    """Return the update for such viewers at this tag, rendering it only once."""

    def make_update() -> str:
        begun = time.monotonic()
        text = make()
        if begun >= (_made.get((viewer, run_id)) or (0.0, ""))[0]:
            _made.keep((viewer, run_id), (begun, tag))
        return text

    return updates.get(key_of(viewer, run_id, tag), make_update)


def remember(request: HttpRequest, viewer: Viewer) -> None:
    """Cache the viewer; called by views that have identified the user."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        _viewers.keep(_visitor(request), (_word(), viewer))


def with_token(update: str, request: HttpRequest) -> str:
    """Insert this visitor's token into the forms of a shared update."""
    return update.replace(ANYBODYS_TOKEN, get_token(request))


def forget_viewers(**_signal: object) -> None:
    """Invalidate the cached viewers of all processes.

    A user who signs out sees nothing more, whichever process answers; the other viewers are looked up again.
    """
    cache.set(FORGOTTEN, token_hex(8), timeout=MADE_S)
    _viewers.forget()
    _words.forget()


def _word() -> str:
    """Return the token under which all processes cache viewers, at most `TAG_S` old."""
    known = _words.get(FORGOTTEN)
    if known is None:
        known = str(cache.get(FORGOTTEN) or "")
        _words.keep(FORGOTTEN, known)
    return known


user_logged_out.connect(forget_viewers, dispatch_uid="research.web.runs.progress_page_polls")


class Watchers:
    """Middleware before all others that identify the user: sessions, languages, tenants."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _answer(request) or self.get_response(request)


def _answer(request: HttpRequest) -> HttpResponse | None:
    """Answer a poll; None if the request is not a poll, or nothing is cached for it."""
    poll = _POLL.fullmatch(request.path_info)
    if poll is None or request.method != "GET" or "HX-PTag" not in request.headers:
        return None
    viewer, run_id = _get_cached_viewer(request), UUID(poll[1])
    tag = _answerable(viewer, run_id, request.headers["HX-PTag"]) if viewer else None
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    if viewer is None or tag is None or not _SECRET.fullmatch(secret):
        return None
    if request.headers["HX-PTag"] == tag:
        return HttpResponseNotModified()
    update = updates.get_cached(key_of(viewer, run_id, tag))
    if update is None:
        return None
    request.META["CSRF_COOKIE"] = secret
    response = HttpResponse(with_token(update, request), headers={"HX-PTag": tag})
    add_never_cache_headers(response)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _get_cached_viewer(request: HttpRequest) -> Viewer | None:
    """Return the cached viewer of a polling request; None if none is cached or somebody has signed out since."""
    word, viewer = _viewers.get(_visitor(request)) or ("", None)
    return viewer if viewer and word == _word() else None


def _answerable(viewer: Viewer, run_id: UUID, seen: str) -> str | None:
    """Return the run's tag, or the previous one while its update is being made; None if this request must make it.

    The previous tag is not used if the viewer has `seen` a newer one from another process: figures never go back.
    """
    tag, version = _tag(viewer.tenant_id, run_id) or ("", 0)
    if not tag or version != viewer.version:
        return None
    key = key_of(viewer, run_id, tag)
    if updates.get_cached(key) is not None or _being_made.is_first(key, True):
        return tag
    _begun, before = _made.get((viewer, run_id)) or (0.0, tag)
    return before if _order(seen) <= _order(before) else None


def _order(tag: str) -> list[int]:
    """Return the sort key of a run's tag: a newer tag has a greater one. A forged tag gets one too."""
    return [int(part[:9]) for part in tag.split(".") if part.isascii() and part.isdecimal()]


def _visitor(request: HttpRequest) -> tuple[str, ...]:
    """Return the values that identify the visitor and the language."""
    cookies = (settings.SESSION_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME)
    return (*(request.COOKIES.get(name, "") for name in cookies), request.headers.get("Accept-Language", ""))


def _tag(tenant_id: UUID, run_id: UUID) -> tuple[str, int] | None:
    """Return the run's tag and its tenant's membership version, at most `TAG_S` old.

    Return None if the tenant has no such run.
    """
    known = _tags.get((tenant_id, run_id))
    if known is None:
        with tenant_context(tenant_id):
            rows = Run.objects.only(*TAGGED).annotate(members=F("tenant__access_version"))
            run = rows.filter(pk=run_id).first()
        if run is None:
            return None
        known = tag_of(run, timezone.now()), int(vars(run)["members"])
        _tags.keep((tenant_id, run_id), known)
    return known
