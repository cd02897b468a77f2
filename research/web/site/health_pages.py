"""Endpoints for load balancers and metric scrapers, without sessions, pages or user data."""

from collections import defaultdict
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from research.ops.health import complaints, queue_is_away
from research.ops.metrics import MEANINGS, MetricSample, figures
from research.web.site.page_metrics_middleware import render_metrics

_BEARER = "Bearer "


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Report that the process answers. Its dependencies are not checked, because a restart would not fix them."""
    return JsonResponse({"status": "alive"})


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if visitors can be served, else 503 with what is missing.

    Pages also work without the queue; its state is reported.
    """
    missing = complaints()
    told = {"status": "not ready" if missing else "ready", "missing": missing, "queue": not queue_is_away()}
    return JsonResponse(told, status=503 if missing else 200)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics in Prometheus's text format, for holders of the operator's token."""
    given = request.headers.get("Authorization", "")
    wanted = settings.PLUMBLINE_METRICS_TOKEN
    if not wanted or not constant_time_compare(given, _BEARER + wanted):
        raise Http404
    with translation.override("en"):
        text = _text()
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _text() -> bytes:
    registry = CollectorRegistry()
    registry.register(_Installation())
    ProcessCollector(registry=registry)
    return generate_latest(registry) + render_metrics()


class _Installation(Collector):
    """Metrics of the installation. Without a database they are missing, and `plumbline_up` is 0."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            found = figures.latest()
        except DatabaseError:
            found = []
        yield GaugeMetricFamily("plumbline_up", "Whether the figures could be counted", value=bool(found))
        by_name: dict[str, list[MetricSample]] = defaultdict(list)
        for figure in found:
            by_name[figure.name].append(figure)
        for name, parts in by_name.items():
            yield _family(name, parts)


def _family(name: str, parts: list[MetricSample]) -> GaugeMetricFamily:
    meaning = MEANINGS[name]
    labels = [meaning.label] if meaning.label else []
    family = GaugeMetricFamily(f"plumbline_{name}", str(meaning.text), labels=labels)
    for part in parts:
        family.add_metric([part.label] if labels else [], part.value)
    return family
