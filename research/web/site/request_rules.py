"""Common rules of all responses: caches keep no private page; the sizes of URLs and bodies are limited."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from research.integrations.api.gate import ROOT
from research.integrations.api.problems import Problem
from research.web.site.request_limits import most_bytes

LONGEST_ADDRESS = 8 * 1024  # bytes, with what follows the question mark
TOO_LONG = "The address is longer than 8 KB. Nothing was done.\n"


class Careful:
    """Before whatever looks up who asks. What says itself how long it is kept stays so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if len(request.get_full_path()) > LONGEST_ADDRESS:
            return HttpResponse(TOO_LONG, status=414, content_type="text/plain; charset=utf-8")
        if _length_of(request) > most_bytes(request.path_info):
            return _too_large(request)
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and response.status_code != 304:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def _length_of(request: HttpRequest) -> int:
    """As it was told. What is no number is refused by whoever reads the body."""
    told = str(request.META.get("CONTENT_LENGTH") or "")
    return int(told[:19]) if told.isascii() and told.isdecimal() else 0


def _too_large(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(ROOT):
        return Problem("too_large").response()
    return render(request, "413.html", status=413)
