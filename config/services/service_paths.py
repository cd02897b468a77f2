"""Paths of the files and sockets of the embedded services.

All follow from the data directory, so that each process finds the sockets without further configuration.
"""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

# sockaddr_un holds 108 bytes with the closing NUL; PostgreSQL's own socket name is the longest of ours.
SOCKET_PATH_LIMIT = 107
MAX_SOCKET = "postgres/.s.PGSQL.5432.lock"


class UnsafeFolder(Exception):
    """A folder for sockets or secrets belongs to someone else or is open to others."""


@dataclass(frozen=True, slots=True)
class ServicePaths:
    """Files of one installation; `data` is an absolute path."""

    data: Path

    @property
    def run(self) -> Path:
        """Folder of sockets, pid files and locks: inside the data directory unless that path is too long."""
        inside = self.data / "run"
        if len(os.fsencode(inside / MAX_SOCKET)) < SOCKET_PATH_LIMIT:
            return inside
        return Path("/tmp") / f"plumbline-{os.getuid()}-{self.digest}"  # noqa: S108 - owner and mode are checked

    @property
    def digest(self) -> str:
        """A short name for the data directory, for folders outside it."""
        return hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]

    @property
    def postgres_data(self) -> Path:
        return self.data / "postgres"

    @property
    def postgres_sockets(self) -> Path:
        return self.run / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.data / "valkey"

    @property
    def valkey_socket(self) -> Path:
        return self.run / "valkey.sock"

    @property
    def up_lock(self) -> Path:
        """A file that the supervisor locks while it lives; holds its process id."""
        return self.run / "up.lock"

    @property
    def users_lock(self) -> Path:
        """A lock shared by the commands that use the embedded services."""
        return self.run / "users.lock"

    @property
    def address(self) -> Path:
        """A file with the site's address while the supervisor runs."""
        return self.run / "address"

    @property
    def figures(self) -> Path:
        """The folder of the metrics of the embedded site's processes since its start."""
        return self.run / "figures"

    @property
    def files(self) -> Path:
        return self.data / "files"

    @property
    def static(self) -> Path:
        """The folder that collectstatic writes to; WhiteNoise requires it to exist."""
        return self.data / "static"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def secret_key(self) -> Path:
        return self.data / "secret_key"

    @property
    def key_encryption_key(self) -> Path:
        return self.data / "key_encryption_key"

    @property
    def backup_keys(self) -> Path:
        return self.data / "backup_keys"


def private_folder(path: Path) -> Path:
    """Create `path` for this user only, or check that it is private.

    Raises UnsafeFolder if it is a link or belongs to another user (who could have created it first in a shared folder),
    and OSError if it cannot be created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise UnsafeFolder(f"{path} is not a folder of ours; remove it or set PLUMBLINE_DATA.") from None
        path.chmod(0o700)
    return path
