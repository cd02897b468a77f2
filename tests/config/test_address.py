"""The address at which the site listens."""

import socket

import pytest

from config.services.service_address import first_free_port, listen
from config.services.service_processes import ServiceError


@pytest.fixture
def busy_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_free_port_is_taken_as_asked(busy_port):
    port = first_free_port("127.0.0.1", busy_port + 1)
    with listen("127.0.0.1", port).socket as bound:
        assert bound.getsockname()[1] == port


def test_a_port_in_use_gives_the_next_free_one(busy_port):
    listener = listen("127.0.0.1", busy_port)
    with listener.socket:
        assert busy_port < listener.port <= busy_port + 50


def test_no_free_port_is_said_so(busy_port, monkeypatch):
    monkeypatch.setattr("config.services.service_address.PORTS_TO_TRY", 1)
    with pytest.raises(ServiceError, match="all in use"):
        listen("127.0.0.1", busy_port)


def test_an_address_that_is_not_ours_is_said_so():
    with pytest.raises(ServiceError, match=r"Cannot listen on 192\.0\.2\.1"):
        listen("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("localhost", "localhost")],
)
def test_the_printed_address_can_be_opened(host, shown):
    listener = listen(host, first_free_port(host, 20000))
    with listener.socket:
        assert listener.url == f"http://{shown}:{listener.port}/"


def test_no_answer_waits_for_the_one_before_to_be_confirmed():
    with listen("127.0.0.1", 0).socket as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
