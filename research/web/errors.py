"""Pages for what went wrong before a view could answer."""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django answers 400 to whatever is suspicious; too much of something deserves its own answer."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own reads the body, to look at a token that nobody needs here, and fails at one that cannot be read."""
    return render(request, "404.html", status=404)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The same, with the reason."""
    return render(request, "403.html", {"exception": str(exception)}, status=403)


class NotAllowedPage:
    """Somebody who opens a form's address, or reloads after an act, is told so; Django's answer is a blank page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response
