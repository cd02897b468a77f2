"""Rules for all responses: private pages are not cached; the sizes of URLs and bodies are limited."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from research.integrations.api.api_entry import ROOT
from research.integrations.api.api_problems import Problem
from research.web.site.page_body_limits import most_bytes

MAX_ADDRESS = 8 * 1024  # bytes, including the query string
TOO_LONG = "The address is longer than 8 KB. Nothing was done.\n"


class RequestRulesMiddleware:
    """Middleware that runs before all that identify the user. Responses keep a Cache-Control header of their own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if len(request.get_full_path()) > MAX_ADDRESS:
            return HttpResponse(TOO_LONG, status=414, content_type="text/plain; charset=utf-8")
        if _length_of(request) > most_bytes(request.path_info):
            return _too_large(request)
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and response.status_code != 304:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def _length_of(request: HttpRequest) -> int:
    """Return the declared length; an invalid one is rejected when the body is read."""
    told = str(request.META.get("CONTENT_LENGTH") or "")
    return int(told[:19]) if told.isascii() and told.isdecimal() else 0


def _too_large(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(ROOT):
        return Problem("too_large").response()
    return render(request, "413.html", status=413)
