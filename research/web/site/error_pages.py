"""Pages for what went wrong before a view could answer."""

import sys
from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from psycopg import errors

from research.integrations.api.gate import ROOT
from research.integrations.api.problems import Problem
from research.ops.health import tables_are_older

AGAIN_S = 5
_OLDER = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django answers 400 to whatever is suspicious; too much of something deserves its own answer."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own reads the body, to look at a token that nobody needs here, and fails at one that cannot be read."""
    return render(request, "404.html", status=404)


def render_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The same, with the reason."""
    return render(request, "403.html", {"exception": str(exception)}, status=403)


def render_server_error(request: HttpRequest) -> HttpResponse:
    """A database that is starting, away or older than the program is no fault of it: one is asked to come again.

    Neither page looks anything up: who asks may be what could not be found out.
    """
    is_ready = not _is_not_ready(sys.exception())
    headers = {} if is_ready else {"Retry-After": str(AGAIN_S)}
    if request.path_info.startswith(ROOT):
        return Problem("internal" if is_ready else "unavailable", headers=headers).response()
    status = 500 if is_ready else 503
    return HttpResponse(render_to_string(f"{status}.html"), status=status, headers=headers)


def _is_not_ready(error: BaseException | None) -> bool:
    if isinstance(error, ProgrammingError):
        return isinstance(error.__cause__, _OLDER) and tables_are_older()
    if isinstance(error, InternalError):
        return isinstance(error.__cause__, errors.IdleInTransactionSessionTimeout)
    return isinstance(error, OperationalError | InterfaceError)


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
