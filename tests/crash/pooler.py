"""PgBouncer between workers and their database, lending connections by transaction; fewer than those who ask."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.databases import APP_ROLE, OWNER_ROLE
from config.services import embedded_postgres
from config.services.postgres_account import account_for
from config.services.service_processes import wait_until
from tests.crash.proxy import SOCKET
from tests.crash.world import NAME, World

LENT = 6  # connections to the server, for some forty of clients
PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
SETTINGS = """
[databases]
{name} = host={back} port=5432 dbname={name}
[pgbouncer]
listen_port = 5432
unix_socket_dir = {front}
auth_type = trust
auth_file = {front}/users.txt
pool_mode = transaction
default_pool_size = {lent}
max_client_conn = 300
logfile = {front}/pgbouncer.log
pidfile = {front}/pgbouncer.pid
"""


@contextmanager
def pooler(world: World, front: Path) -> Iterator[Path]:
    """Folder of its socket, which looks like a server's."""
    assert PROGRAM is not None
    account = account_for(
        world.paths, embedded_postgres.binaries()
    )  # it refuses to be root, as the server does
    user = account.user
    front.mkdir()
    told = SETTINGS.format(name=NAME, back=world.sockets, front=front, lent=LENT)
    (front / "pgbouncer.ini").write_text(told)
    (front / "users.txt").write_text(f'"{APP_ROLE}" ""\n"{OWNER_ROLE}" ""\n')
    if user is not None:
        os.chown(front, user, user)
        for above in front.parents[:3]:  # pytest keeps its folders to itself
            above.chmod(above.stat().st_mode | 0o011)
    command = [*account.prefix, PROGRAM, str(front / "pgbouncer.ini")]
    with subprocess.Popen(
        command, user=user, group=user, extra_groups=None if user is None else []
    ) as process:
        try:
            assert wait_until((front / SOCKET).exists, 10), (front / "pgbouncer.log").read_text()
            yield front
        finally:
            process.terminate()
