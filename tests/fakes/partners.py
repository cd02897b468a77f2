"""Two other services on a socket of this machine: Parallel, as its tasks' owner asks it, and a consumer of briefs."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

TASK = re.compile(r"/v1/tasks/runs/(?P<id>[A-Za-z0-9_-]+)(?P<result>/result)?(\?.*)?")
SAID = (
    "Verifiers shall require passwords that users choose to be at least 8 characters in length.",
    "Frequent rotation of passwords breeds poor choice and encourages reuse of old ones.",
    "A password manager lets people use a different password for each of their accounts.",
)


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Partners"

    def do_GET(self) -> None:
        """Parallel: every task that is asked about has ended well."""
        found = TASK.fullmatch(self.path)
        if found is None:
            self._answer(404, {"error": {"message": "no such task", "ref_id": "x"}})
        else:
            run = build_finished_run(found["id"])
            self._answer(200, {"run": run, "output": output_of(found["id"])} if found["result"] else run)

    def do_POST(self) -> None:
        """The consumer: it keeps what comes, and answers as it is told to."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self._answer(self.server.status, {})

    def _answer(self, status: int, value: Mapping[str, object]) -> None:
        data = json.dumps(value).encode() if status != 204 else b""
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: object) -> None:
        """Nothing."""


class Partners(ThreadingHTTPServer):
    """`got` holds what the consumer was sent, in order: headers by lower-case name, and the body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.status = 204
        self.got: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def build_finished_run(task: str) -> Mapping[str, object]:
    return {
        "run_id": task,
        "interaction_id": f"i_{task}",
        "status": "completed",
        "is_active": False,
        "processor": "core",
        "created_at": "2026-01-01T00:00:00Z",
        "modified_at": "2026-01-01T00:01:00Z",
    }


def output_of(task: str) -> Mapping[str, object]:
    """A text whose sentences its pages say; each task's differs, so that none is known from another."""
    pages = [
        {
            "url": f"https://{task}.example/{number}",
            "title": f"Page {number}",
            "excerpts": [f"{said} ({task})"],
        }
        for number, said in enumerate(SAID)
    ]
    basis = {"field": "output", "reasoning": "Three pages agree.", "confidence": "high", "citations": pages}
    return {"type": "text", "content": " ".join(SAID), "basis": [basis]}


@contextmanager
def partners() -> Iterator[Partners]:
    with Partners() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
