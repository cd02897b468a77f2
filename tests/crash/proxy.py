"""A wire between workers and their database that can be cut, or hang without being cut."""

import contextlib
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
MAX_READ = 65_536


@dataclass
class Wire:
    """Passes on what comes between clients in `front` and the server in `back`, folders of sockets."""

    front: Path
    back: Path
    is_cut: bool = False
    flows: threading.Event = field(default_factory=threading.Event)
    pairs: list[tuple[socket.socket, socket.socket]] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _address = listener.accept()
            except OSError:
                return
            if self.is_cut:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self.back / SOCKET))
            except OSError:
                client.close()
                continue
            self.pairs.append((client, server))
            threading.Thread(target=self.carry, args=(client, server), daemon=True).start()

    def carry(self, client: socket.socket, server: socket.socket) -> None:
        other = {client: server, server: client}
        with contextlib.suppress(OSError, ValueError):
            while True:
                for one in select.select([client, server], [], [])[0]:
                    self.flows.wait()
                    if not (data := one.recv(MAX_READ)):
                        raise OSError("closed")
                    other[one].sendall(data)
        client.close()
        server.close()

    def cut(self) -> None:
        """Break every connection, and let none begin."""
        self.is_cut = True
        for pair in self.pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self.pairs.clear()

    def mend(self) -> None:
        self.is_cut = False

    def hang(self) -> None:
        """Nothing passes, and nobody is told."""
        self.flows.clear()

    def flow(self) -> None:
        self.flows.set()


@contextmanager
def wire_to(back: Path, front: Path) -> Iterator[Wire]:
    front.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(front / SOCKET))
        listener.listen(200)
        wire = Wire(front, back)
        wire.flow()
        threading.Thread(target=wire.serve, args=(listener,), daemon=True).start()
        try:
            yield wire
        finally:
            wire.cut()
            wire.flow()
            listener.shutdown(socket.SHUT_RDWR)
