"""OpenTelemetry spans, sent by OTLP over HTTP if `PLUMBLINE_TRACES_URL` is set; otherwise nothing is loaded."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

from research.runtime.log_context import LogContext

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import StatusCode


@contextmanager
def span(name: str, here: LogContext, facts: Mapping[str, str]) -> Iterator[None]:
    """Trace the duration of the block in the trace of `here`. `facts` are ids and kinds, never users' text."""
    provider = _provider(settings.PLUMBLINE_TRACES_URL)
    if provider is None or not here.trace:
        yield
        return
    told = {f"plumbline.{key}": value for key, value in facts.items() if value}
    tracer = provider.get_tracer("plumbline")
    # Messages of exceptions may contain users' text.
    with tracer.start_as_current_span(
        name, _within(here), attributes=told, record_exception=False, set_status_on_exception=False
    ) as current:
        is_done = False
        try:
            yield
            is_done = True
        finally:
            if not is_done:
                current.set_status(_load_error_status())


def _load_error_status() -> "StatusCode":
    from opentelemetry.trace import StatusCode

    return StatusCode.ERROR


def _within(here: LogContext) -> "Context":
    """Return the parent context.

    A run has no span itself, so its steps have a parent span id derived from its trace.
    """
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    caller = here.caller or here.trace[16:]
    above = SpanContext(int(here.trace, 16), int(caller, 16), is_remote=True, trace_flags=TraceFlags(1))
    return set_span_in_context(NonRecordingSpan(above))


@cache
def _provider(url: str) -> "TracerProvider | None":
    if not url:
        return None
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "plumbline"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    return provider
