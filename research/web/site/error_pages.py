"""Pages for errors that occur before a view can answer."""

import sys
from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from psycopg import errors

from research.integrations.api.api_entry import ROOT
from research.integrations.api.api_problems import Problem
from research.ops.health import tables_are_older

AGAIN_S = 5
_OLDER = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 like Django, or with its own status for a request that exceeds a limit."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 without reading the body.

    Django's own handler reads the body for a CSRF token, and fails if it cannot be read.
    """
    return render(request, "404.html", status=404)


def render_forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403 with the reason."""
    return render(request, "403.html", {"exception": str(exception)}, status=403)


def render_server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 if the database is starting, unavailable or out of date, else 500.

    Neither page makes a query, since identifying the user may be what failed.
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
    """Explains a GET of a form's address, for example after a reload; Django's answer is a blank page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response
