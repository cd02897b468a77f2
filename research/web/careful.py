"""What every answer has in common: no page of a person's is kept by caches, no address is longer than sense."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

LONGEST_ADDRESS = 8 * 1024  # bytes, with what follows the question mark
TOO_LONG = "The address is longer than 8 KB. Nothing was done.\n"


class Careful:
    """Before whatever looks up who asks. What says itself how long it is kept stays so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if len(request.get_full_path()) > LONGEST_ADDRESS:
            return HttpResponse(TOO_LONG, status=414, content_type="text/plain; charset=utf-8")
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and response.status_code != 304:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response
