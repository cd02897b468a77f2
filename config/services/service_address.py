"""The address and port that the site listens on."""

import errno
import http.client
import ipaddress
import socket
from dataclasses import dataclass

from config.services.service_processes import ServiceError

PORTS_TO_TRY = 50
BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Listener:
    """A bound socket that is passed to the web process and outlives it, so that a restart refuses no connection."""

    socket: socket.socket
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{_host_in_url(self.host)}:{self.port}/"


def listen(host: str, port: int) -> Listener:
    """Bind `port`, or the next free one.

    Raises ServiceError if none of the following ports is free either.
    """
    for candidate in range(port, min(port + PORTS_TO_TRY, 65536)):
        try:
            return Listener(_bind(host, candidate), host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ServiceError(
                    f"Cannot listen on {host}:{candidate}: {error.strerror or error}."
                ) from error
    raise ServiceError(
        f"The ports from {port} on are all in use; choose another with --port or PLUMBLINE_PORT."
    )


def first_free_port(host: str, port: int) -> int | None:
    """Return the port that `listen` would bind; None if it would fail."""
    try:
        listener = listen(host, port)
    except ServiceError:
        return None
    listener.socket.close()
    return listener.port


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    # Inherited by connections. The event loop does not know that this is TCP, and would delay the last piece
    # of each answer until the previous one is acknowledged: 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _host_in_url(host: str) -> str:
    """Return an address that a browser on this machine can open."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "localhost"
    return f"[{host}]" if address.version == 6 else host


def wait_for_answer(listener: Listener, timeout_s: float) -> bool:
    """Return True if the site answers within the timeout; the request waits in the socket's queue until it does."""
    return answers(listener.host, listener.port, timeout_s)


def answers(host: str, port: int, timeout_s: float, *, name: str = "localhost", path: str = "/") -> bool:
    """Return True if a site at this address answers a request with the host name `name`, with any status."""
    family_host = "::1" if ":" in host else "127.0.0.1"
    reached = family_host if host in ("", "0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    connection = http.client.HTTPConnection(reached, port, timeout=timeout_s)
    try:
        connection.request("HEAD", path, headers={"Host": name})
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
