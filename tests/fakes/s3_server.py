"""A server that speaks as much S3 as the object store needs: whole files in, out and gone, in memory."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class S3Server(ThreadingHTTPServer):
    """`files` by path ("/bucket/key"). With `is_broken` it refuses everything."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.is_broken = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: S3Server
    protocol_version = "HTTP/1.1"

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.server.is_broken:
            self.server.files[self.path] = data
        self._answer(403 if self.server.is_broken else 200)

    def do_GET(self) -> None:
        data = self.server.files.get(self.path)
        self._answer(404 if data is None else 200, data or b"")

    do_HEAD = do_GET

    def do_DELETE(self) -> None:
        self.server.files.pop(self.path, None)
        self._answer(204)

    def _answer(self, status: int, data: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", '"0"')
        self.send_header("Last-Modified", "Sun, 22 Nov 2026 12:00:00 GMT")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_words: object) -> None:
        """Tests need no log of it."""


@contextmanager
def s3_server() -> Iterator[S3Server]:
    with S3Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
