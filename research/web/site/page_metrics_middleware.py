"""Response times as Prometheus metrics, by view, method and status class.

The processes of a site write to files in a shared folder (`PROMETHEUS_MULTIPROC_DIR`, which
config.services.process_roles sets), so that any of them can report the figures of all.
"""

import os
import time
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

_own = CollectorRegistry()  # of this process
_SECONDS = Histogram(
    "plumbline_request_seconds",
    "Seconds from a request to its answer, in this process",
    ["view", "method", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10, 30),
    registry=_own,
)
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMetricsMiddleware:
    """Middleware that counts by view rather than by URL: there are few views, and they reveal no run."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = self.get_response(request)
        found = request.resolver_match
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        _SECONDS.labels(found.view_name if found else "none", method, status).observe(
            time.perf_counter() - begun
        )
        return response


def render_metrics() -> bytes:
    """Return the metrics of all processes of the site in Prometheus's text format.

    Without the shared folder, return only those of this process.
    """
    folder = os.environ.get(FOLDER)
    if not folder:
        return generate_latest(_own)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
