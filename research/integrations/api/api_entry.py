"""The entry point of the API: requests are authenticated by tokens, without sessions and cookies.

Every request under `/api/` passes it, in one transaction of the token's workspace: the token alone identifies the
caller. Requests that change something are rate limited, executed once per idempotency key, and rejected if too large.
Errors are returned as problems.
"""

from collections.abc import Callable, Mapping

from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from research.accounts.api_tokens import ApiCaller
from research.db.tenancy import tenant_context
from research.integrations.api.api_auth import CHANGING, caller_from
from research.integrations.api.api_idempotency_keys import Once, hash_of, key_of
from research.integrations.api.api_problems import MEDIA_TYPE, Problem, problem_for
from research.integrations.api_rate_limit import MINUTE_S, RateLimitStatus, take
from research.library.store_uploads import MAX_FILE

ROOT = "/api/"
ROOM_FOR_A_FORM = 100_000  # bytes of a form besides its file
STARTING = ("/runs", "/follow-ups")  # endings of paths that start runs

Next = Callable[[HttpRequest], HttpResponse]


class Gate:
    """A middleware before those for sessions, CSRF and sign-in, which programs do not need."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ROOT):
            return self.get_response(request)
        request.COOKIES.clear()
        vars(request)["_dont_enforce_csrf_checks"] = (
            True  # credentials that a browser sends automatically are ignored here
        )
        try:
            response = self._answer(request)
        except Problem as problem:
            response = problem.response()
        return _finalize_response(response)

    def _answer(self, request: HttpRequest) -> HttpResponse:
        """Authenticate, limit and execute a request. Raises Problem."""
        caller = caller_from(request.headers.get("Authorization", ""))
        vars(request)["caller"] = caller
        if caller is None:
            return self.get_response(request)
        headers = _enforce_rate_limit(request, caller) if request.method in CHANGING else {}
        _check_body(request)
        with tenant_context(caller.tenant_id):
            response = self._once(request, caller)
            if response.status_code >= 500:
                # Django has already turned the exception into a response, so nothing else would undo the writes.
                transaction.set_rollback(True)
        for name, value in headers.items():
            response.headers[name] = value
        return response

    def _once(self, request: HttpRequest, caller: ApiCaller) -> HttpResponse:
        """Execute a request, once per idempotency key. Raises Problem."""
        key = key_of(request) if request.method == "POST" else ""
        if not key:
            return self.get_response(request)
        once = Once(caller, key, hash_of(request))
        if (kept := once.answer()) is not None:
            return kept
        response = self.get_response(request)
        if response.status_code < 500:
            once.keep(response)
        return response


def _enforce_rate_limit(request: HttpRequest, caller: ApiCaller) -> Mapping[str, str]:
    """Return the rate limit headers. Raises Problem if a limit is exceeded."""
    is_start = request.method == "POST" and request.path_info.rstrip("/").endswith(STARTING)
    limits = take(caller.user_id, ["posts_a_minute", *(["starts_a_minute"] if is_start else [])])
    tightest = min(limits.values(), key=lambda limit: (-limit.wait_s, limit.remaining))
    if tightest.wait_s:
        words = ngettext("Try again in %(count)d second.", "Try again in %(count)d seconds.", tightest.wait_s)
        headers = {**_headers(tightest), "Retry-After": str(tightest.wait_s)}
        raise Problem("too_many_requests", words % {"count": tightest.wait_s}, headers=headers)
    return _headers(tightest)


def _headers(left: RateLimitStatus) -> dict[str, str]:
    return {
        "RateLimit-Limit": str(left.limit),
        "RateLimit-Remaining": str(left.remaining),
        "RateLimit-Reset": str(left.reset_s),
        "RateLimit-Policy": f"{left.limit};w={MINUTE_S}",
    }


def _check_body(request: HttpRequest) -> None:
    """Read the body unless it is a file. Raises Problem."""
    length = request.headers.get("Content-Length") or "0"
    if not (length.isascii() and length.isdecimal()):
        raise Problem("malformed", _("The Content-Length is not a number."))
    if int(length) > MAX_FILE + ROOM_FOR_A_FORM:
        raise Problem("too_large", _("The limit is %(most)d MB.") % {"most": MAX_FILE // 10**6})
    if request.content_type == "multipart/form-data" or request.method not in CHANGING:
        return
    try:
        body = request.body
    except RequestDataTooBig as error:
        raise Problem("too_large") from error
    except UnreadablePostError as error:
        raise Problem("malformed") from error
    if body and request.content_type != "application/json":
        raise Problem(
            "unsupported_media_type", _("Send JSON, as application/json; a file as multipart/form-data.")
        )


def _finalize_response(response: HttpResponse) -> HttpResponse:
    """Turn error responses of Django's own into problems, and keep caches from storing the response."""
    if response.status_code >= 400 and response.headers.get("Content-Type") != MEDIA_TYPE:
        told = problem_for(response.status_code).response()
        for name in ("Allow", "Retry-After"):
            if name in response.headers:
                told.headers[name] = response.headers[name]
        response = told
    response.headers.setdefault("Cache-Control", "private, no-store")
    patch_vary_headers(response, ["Authorization"])
    return response
