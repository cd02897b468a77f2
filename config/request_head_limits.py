"""Limits the size of request heads and trailers, which uvicorn would buffer without bounds.

`config.services.process_roles` passes it to uvicorn.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_BYTES = 64 * 1024  # of a head, and of data outside a body; common proxies allow 8 to 32 KB
REFUSAL = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHeads(HttpToolsProtocol):
    head = 0  # bytes of names and values, including trailers
    unread = 0  # bytes since the last complete head, piece of a body or message

    def data_received(self, data: bytes) -> None:
        self.unread += len(data)
        super().data_received(data)
        if max(self.unread, self.head) > MAX_BYTES and not self.transport.is_closing():
            self.transport.write(REFUSAL)
            self.transport.close()

    def on_message_begin(self) -> None:
        self.head = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.head += len(name) + len(value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.unread = 0
        super().on_message_complete()
