"""Gives each request a trace id, which is logged and returned (`X-Trace-Id`)."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from research.runtime.log_context import at, of_request
from research.runtime.tracing import span
from research.web.site.page_metrics_middleware import METHODS

HEADER = "X-Trace-Id"


class RequestTraceMiddleware:
    """Middleware that runs before all that may log. A trace started by a proxy or a client is continued
    (`traceparent`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        here = of_request(request.headers.get("traceparent", ""))
        method = request.method if request.method in METHODS else "other"
        with at(here), span(f"HTTP {method}", here, {"kind": "request"}):
            response = self.get_response(request)
        response.headers[HEADER] = here.trace
        return response
