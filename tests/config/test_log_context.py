"""Lines of the log as objects, and the work that each belongs to; spans, where somebody takes them."""

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from config.log_line_formats import JsonFormatter
from research.runtime import tracing
from research.runtime.log_context import NOWHERE, LogContext, at, hash_tenant_id, of_request, of_step, place
from research.runtime.logs import logger

TENANT, RUN = UUID(int=7), UUID("0198c000-0000-7000-8000-000000000001")
TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def format_record(record: logging.LogRecord) -> dict[str, object]:
    line = JsonFormatter().format(record)
    assert "\n" not in line
    return dict(json.loads(line))


def test_a_line_says_which_step_of_which_run_it_belongs_to(caplog):
    with at(of_step(TENANT, RUN, "0.planning/plan")):
        logger("research.trial").warning("broker_away", waiting=3)
        found = format_record(caplog.records[-1])
    del found["time"], found["process"]
    assert found == {
        "level": "WARNING", "logger": "research.trial", "event": "broker_away", "waiting": 3, "run": str(RUN),
        "step": "0.planning/plan", "tenant": hash_tenant_id(TENANT), "trace": RUN.hex,
    }  # fmt: skip


def test_a_line_about_a_run_leads_from_the_request_to_it(caplog):
    with at(of_request(f"00-{TRACE}-{CALLER}-01")):
        logger("research.trial").warning("run_started", run=str(RUN), tenant=str(TENANT))
        found = format_record(caplog.records[-1])
    assert (found["trace"], found["run"], found["tenant"]) == (TRACE, str(RUN), hash_tenant_id(TENANT))
    assert str(TENANT) not in json.dumps(found)


def test_a_line_outside_of_all_work_belongs_to_the_run_that_it_names(caplog):
    logger("research.trial").warning("run_ended", run=str(RUN))
    assert format_record(caplog.records[-1])["trace"] == RUN.hex


@pytest.mark.parametrize("text", ["a\nERROR b", "\x1b[2J", "\u202e", "\ud800"])
def test_no_text_forges_an_object_of_its_own(text, caplog):
    logger("research.trial").warning("page_lost", url=text)
    line = JsonFormatter().format(caplog.records[-1])
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["url"] == text


def test_a_fault_has_its_traceback_in_the_same_line(caplog):
    logger("research.trial").warning("attempt_failed", exc_info=ValueError("no such place"))
    assert "ValueError: no such place" in str(format_record(caplog.records[-1])["exception"])


@pytest.mark.parametrize(
    "given", ["", "nonsense", f"00-{'0' * 32}-{CALLER}-01", f"00-{TRACE}-{'0' * 16}-01", f"00-{TRACE}\n"]
)
def test_a_request_that_brings_no_trace_gets_one(given):
    here = of_request(given)
    assert (len(here.trace), here.caller) == (32, "")
    assert here.trace not in (TRACE, "0" * 32)


def test_a_place_is_left_behind():
    with at(LogContext(trace=TRACE)), at(LogContext(run="r")):
        assert place().trace == ""
    assert place() == NOWHERE


def test_an_answer_says_its_trace():
    answer = Client().get("/health/live/", headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    assert answer.headers["X-Trace-Id"] == TRACE


class _Collector(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.server.got.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words: object) -> None:
        """Tests need no log of it."""


@pytest.fixture
def collector() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Collector) as server:
        server.got = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def collect_spans(collector: ThreadingHTTPServer) -> list[object]:
    tracing._provider(settings.PLUMBLINE_TRACES_URL).force_flush()
    wholes = map(ExportTraceServiceRequest.FromString, collector.got)
    return [
        span
        for whole in wholes
        for of in whole.resource_spans
        for some in of.scope_spans
        for span in some.spans
    ]


def test_who_takes_spans_gets_those_of_requests_and_steps(collector, settings):
    settings.PLUMBLINE_TRACES_URL = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    Client().get("/health/live/", headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    step = of_step(TENANT, RUN, "0.planning/plan")
    with (
        pytest.raises(ValueError, match="secret"),
        tracing.span("toy.plan", step, {"run": step.run, "none": ""}),
    ):
        raise ValueError("somebody's secret words")
    request, planned = collect_spans(collector)
    assert (request.name, request.trace_id.hex(), request.parent_span_id.hex()) == ("HTTP GET", TRACE, CALLER)
    assert (planned.name, planned.trace_id) == ("toy.plan", RUN.bytes)
    assert [(attribute.key, attribute.value.string_value) for attribute in planned.attributes] == [
        ("plumbline.run", str(RUN))
    ]
    assert planned.status.code == planned.status.STATUS_CODE_ERROR
    assert b"secret" not in b"".join(collector.got)


def test_without_an_address_no_span_is_made(settings):
    assert settings.PLUMBLINE_TRACES_URL == ""
    with tracing.span("toy.plan", of_step(TENANT, RUN, "plan"), {}):
        from opentelemetry import trace

        assert not trace.get_current_span().get_span_context().is_valid
