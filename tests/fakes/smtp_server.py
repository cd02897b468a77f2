"""A mail server for tests: speaks enough SMTP (RFC 5321) on a socket of this machine, and keeps what it is given."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

Answer = Callable[
    [str], str | None
]  # a command's line to another reply than the usual; "" breaks the connection


class _Conversation(socketserver.StreamRequestHandler):
    server: "SmtpServer"

    def handle(self) -> None:
        self._say("220 mail.test")
        while line := self.rfile.readline().decode().strip():
            reply = self.server.answer(line)
            if reply == "":
                return
            if reply is None and line.upper() == "DATA":
                self._say("354 go on")
                self.server.keep(self._data())
            if line.upper() == "QUIT":
                self._say("221 bye")
                return
            self._say(reply or "250 OK")

    def _data(self) -> bytes:
        lines = iter(self.rfile.readline, b".\r\n")
        return b"".join(line.removeprefix(b".") if line.startswith(b"..") else line for line in lines)

    def _say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())


class SmtpServer(socketserver.ThreadingTCPServer):
    """`received` holds the mails in order. Set `answer` to have commands refused."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.answer: Answer = lambda _line: None
        self.received: list[EmailMessage] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def keep(self, data: bytes) -> None:
        message = message_from_bytes(data, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append(message)


@contextmanager
def smtp_server() -> Iterator[SmtpServer]:
    with SmtpServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
