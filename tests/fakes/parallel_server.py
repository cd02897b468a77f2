"""Parallel's Task API on the loopback interface: a task and its result by id, as the official client asks for them.

    with FakeParallel() as server:
        server.tasks["trun_1"] = Task(["running", "completed"], output)   # one status a look, the last one stays
        server.script(status(503), text("<html>"))                        # the next answers, whatever is asked
        settings.PLUMBLINE_PARALLEL_URL = server.base_url

Shaped after the client parallel-web 1.x: `GET /v1/tasks/runs/{id}` gives a run, `…/result` waits for its end and gives
`run` and `output`; errors are `{"type": "error", "error": {"ref_id", "message"}}`; the key is in `x-api-key`.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit

KEY = "key-for-parallel-0001"
RUNS = "/v1/tasks/runs/"
ACTIVE = ("queued", "running", "action_required", "cancelling")


@dataclass(frozen=True)
class Wire:
    """An answer on the wire. `gate`: nothing before the test opens it; `body` None: the connection breaks."""

    status: int = 200
    body: bytes | None = b"{}"
    content_type: str = "application/json"
    gate: threading.Event | None = None


@dataclass
class Task:
    """`statuses` are told one after the other, a look each. `output` is there once the last is “completed”."""

    statuses: list[str]
    output: Mapping[str, object] | None = None
    error: Mapping[str, object] | None = None

    def look(self) -> str:
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


Behaviour = Callable[[str], Wire]  # of the path that was asked for


def fault(status: int, message: str = "No.") -> Behaviour:
    body = {"type": "error", "error": {"ref_id": "ref_1", "message": message}}
    return lambda _path: Wire(status, json.dumps(body).encode())


def text(words: str, content_type: str = "text/html", status: int = 200) -> Behaviour:
    return lambda _path: Wire(status, words.encode(), content_type)


def break_connection() -> Behaviour:
    return lambda _path: Wire(body=None)


def hold_answer(gate: threading.Event) -> Behaviour:
    """No answer before the test sets `gate`."""
    return lambda _path: Wire(gate=gate)


@dataclass
class FakeParallel:
    """The server; a context manager. `asked` holds the paths with their queries, in order."""

    tasks: dict[str, Task] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    base_url: str = ""

    def __post_init__(self) -> None:
        self._script: deque[Behaviour] = deque()
        self._gates: list[threading.Event] = []

    def script(self, *behaviours: Behaviour) -> None:
        self._script.extend(behaviours)

    def __enter__(self) -> "FakeParallel":
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for gate in self._gates:
            gate.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, target: str, key: str) -> Wire:
        self.asked.append(target)
        if self._script:
            wire = self._script.popleft()(target)
            if wire.gate is not None:
                self._gates.append(wire.gate)
                wire.gate.wait(30)
            return wire
        path = urlsplit(target).path
        if key != KEY:
            return fault(401, "Invalid API key")(path)
        run_id, _, rest = path.removeprefix(RUNS).partition("/")
        task = self.tasks.get(run_id)
        if not path.startswith(RUNS) or task is None:
            return fault(404, "Run not found")(path)
        return self._result(run_id, task) if rest == "result" else self._run(run_id, task)

    def _run(self, run_id: str, task: Task) -> Wire:
        return _json(run_of(run_id, task.look(), task.error))

    def _result(self, run_id: str, task: Task) -> Wire:
        """The real one waits for up to `timeout` seconds, then gives up so."""
        if task.statuses[0] != "completed":
            return fault(408, "The run is still active")("")
        return _json({"run": run_of(run_id, "completed", None), "output": task.output})


def run_of(run_id: str, status: str, error: Mapping[str, object] | None) -> dict[str, object]:
    return {
        "run_id": run_id,
        "interaction_id": run_id,
        "status": status,
        "is_active": status in ACTIVE,
        "processor": "core",
        "created_at": "2026-11-20T09:00:00.000000Z",
        "modified_at": "2026-11-20T09:03:12.000000Z",
        "metadata": {},
        "warnings": None,
        "error": error,
        "taskgroup_id": None,
    }


def _json(value: object) -> Wire:
    return Wire(body=json.dumps(value).encode())


def _handler(server: FakeParallel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            wire = server.answer(self.path, self.headers.get("x-api-key", ""))
            if wire.body is None:
                self.close_connection = True
                return
            self.send_response(wire.status)
            self.send_header("content-type", wire.content_type)
            self.send_header("content-length", str(len(wire.body)))
            self.end_headers()
            self.wfile.write(wire.body)

        def log_message(self, *_args: object) -> None:
            """Nothing."""

    return Handler
