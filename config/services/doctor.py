"""Checks of this machine: what the installation needs, what is missing, and how to get it."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from config.services.browser_service import NONE, find_browser
from config.services.embedded_postgres import binaries
from config.services.embedded_valkey import binary
from config.services.postgres_account import user_namespaces_work
from config.services.service_address import first_free_port
from config.services.service_paths import SOCKET_PATH_LIMIT, ServicePaths, UnsafeFolder, private_folder
from config.services.service_processes import ServiceError

GIB = 2**30
ENOUGH_DISK = 2 * GIB
ENOUGH_MEMORY = 2 * GIB
WITHOUT_BROWSER = "pages that need one are read as they come, and slides leave without pictures"
NAMESPACES = (
    "Allow user namespaces (kernel.unprivileged_userns_clone, AppArmor; of a container: docs/operating.md)."
)


class FindingStatus(StrEnum):
    GOOD = "ok"
    OPTIONAL = "optional"  # missing, but only needed for a part
    BAD = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    verdict: FindingStatus
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class InstallationFacts:
    """The settings of this installation that the checks need."""

    paths: ServicePaths
    lock: Path
    host: str
    port: int
    own_database: Callable[[], Finding] | None = None  # None: the embedded database is used
    own_queue: Callable[[], Finding] | None = None
    model: str = ""  # "gpt-5-mini at https://…/v1"; empty: none is configured
    backup_keys: Path | None = None  # the ring's folder; None: as the data folder has it
    is_shared: bool = False  # files are in a store shared with other machines
    browser: str = ""  # the browser of the setting; empty: whichever is installed
    is_walled: Callable[[], bool] = bool  # whether a browser can get a network namespace here
    browser_lacks: Callable[[str], str] = lambda _path: ""  # why the browser at this path does not start


def examine(question: InstallationFacts) -> Iterator[Finding]:
    yield python()
    yield packages(question.lock)
    yield (question.own_database or postgres)()
    yield (question.own_queue or valkey)()
    yield folder(question.paths)
    if not question.own_database:
        yield sockets(question.paths)
    yield disk(question.paths)
    yield memory()
    if not question.own_database:  # on a server the site itself may use the port
        yield port(question.host, question.port)
    yield browser(question.browser, question.is_walled, question.browser_lacks)
    yield model(question.model)
    yield backup_keys(question.backup_keys or question.paths.backup_keys, question.paths, question.is_shared)


def python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if not os.access(sys.executable, os.X_OK):
        remedy = (
            "Remove .venv, then with a Python outside of /root: PYTHON=/usr/bin/python3 .ci/install python"
        )
        return Finding("Python", FindingStatus.BAD, f"this user may not start {sys.executable}", remedy)
    fits = (3, 11) <= sys.version_info[:2] < (3, 14)
    remedy = "" if fits else "Install Python 3.11, 3.12 or 3.13 and run: PYTHON=/path/to/it make run"
    return Finding("Python", FindingStatus.GOOD if fits else FindingStatus.BAD, version, remedy)


def packages(lock: Path) -> Finding:
    """Compare the installed versions with the lock file."""
    wrong = [text for text in _parse_lock_file(lock) if not _is_installed(text)]
    if not wrong:
        return Finding("Packages", FindingStatus.GOOD, "as in requirements.lock")
    shown = ", ".join(text.split(";")[0].strip() for text in wrong[:5])
    return Finding(
        "Packages",
        FindingStatus.BAD,
        f"{len(wrong)} differ: {shown}",
        "Run: touch requirements.lock && make run",
    )


def _parse_lock_file(lock: Path) -> Iterator[str]:
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith((" ", "#", "-")):
            yield line.rstrip("\\ ")


def _is_installed(text: str) -> bool:
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return False
    if requirement.marker and not requirement.marker.evaluate():
        return True
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def postgres() -> Finding:
    """Check the bundled PostgreSQL."""
    try:
        binaries()
    except ServiceError as error:
        return Finding("PostgreSQL", FindingStatus.BAD, "not installed", str(error))
    return Finding("PostgreSQL", FindingStatus.GOOD, f"embedded, run {_describe_postgres_account()}")


def _describe_postgres_account() -> str:
    if os.geteuid() != 0:
        return "as you"
    return "in a user namespace" if user_namespaces_work() else "as the user nobody, from /var/lib/plumbline"


def valkey() -> Finding:
    """Check the bundled Valkey."""
    try:
        return Finding("Valkey", FindingStatus.GOOD, f"embedded, {binary().name}")
    except ServiceError as error:
        return Finding("Valkey", FindingStatus.BAD, "not installed", str(error))


def folder(paths: ServicePaths) -> Finding:
    try:
        private_folder(paths.data)
        writable = os.access(paths.data, os.W_OK | os.X_OK)
    except (OSError, UnsafeFolder) as error:
        return Finding(
            "Data folder", FindingStatus.BAD, str(error), "Set PLUMBLINE_DATA to a folder of yours."
        )
    if not writable:
        return Finding(
            "Data folder", FindingStatus.BAD, f"{paths.data} is read-only", "Set PLUMBLINE_DATA elsewhere."
        )
    return Finding("Data folder", FindingStatus.GOOD, str(paths.data))


def sockets(paths: ServicePaths) -> Finding:
    length = len(os.fsencode(paths.postgres_sockets / ".s.PGSQL.5432"))
    verdict = FindingStatus.GOOD if length < SOCKET_PATH_LIMIT else FindingStatus.BAD
    return Finding(
        "Sockets",
        verdict,
        str(paths.run),
        "" if verdict is FindingStatus.GOOD else "Set PLUMBLINE_DATA shorter.",
    )


def backup_keys(ring: Path, paths: ServicePaths, is_shared: bool) -> Finding:
    """Check the ring of backup keys: erasing a workspace destroys its key there, for backups made on any machine."""
    place = next(folder for folder in (ring, *ring.parents) if folder.exists())
    if not os.access(place, os.W_OK | os.X_OK):
        remedy = "Set PLUMBLINE_BACKUP_KEYS to a folder that this user may write."
        return Finding("Backup keys", FindingStatus.BAD, f"{ring} cannot be written", remedy)
    if is_shared and ring.is_relative_to(paths.data):
        remedy = "Mount one folder on every machine and name it by PLUMBLINE_BACKUP_KEYS."
        return Finding(
            "Backup keys", FindingStatus.OPTIONAL, f"{ring} is this machine's own, files are shared", remedy
        )
    return Finding("Backup keys", FindingStatus.GOOD, str(ring))


def disk(paths: ServicePaths) -> Finding:
    place = next(folder for folder in (paths.data, *paths.data.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    enough = free >= ENOUGH_DISK
    remedy = "" if enough else f"Make room on the disk that holds {place}, or set PLUMBLINE_DATA elsewhere."
    return Finding(
        "Disk", FindingStatus.GOOD if enough else FindingStatus.BAD, f"{free / GIB:.1f} GiB free", remedy
    )


def memory() -> Finding:
    available = _available_memory()
    if available is None:
        return Finding("Memory", FindingStatus.GOOD, "unknown on this system")
    enough = available >= ENOUGH_MEMORY
    remedy = "" if enough else "Close other programs: Plumbline takes up to 1.5 GiB."
    return Finding(
        "Memory",
        FindingStatus.GOOD if enough else FindingStatus.OPTIONAL,
        f"{available / GIB:.1f} GiB free",
        remedy,
    )


def _available_memory() -> int | None:
    """Return the bytes of available memory; None if the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def port(host: str, number: int) -> Finding:
    free = first_free_port(host, number)
    if free == number:
        return Finding("Port", FindingStatus.GOOD, f"{number} is free")
    if free is None:
        return Finding(
            "Port",
            FindingStatus.BAD,
            f"none from {number} on is free",
            "Set PLUMBLINE_PORT or PLUMBLINE_HOST.",
        )
    return Finding(
        "Port",
        FindingStatus.OPTIONAL,
        f"{number} is in use",
        f"{free} would be taken; PLUMBLINE_PORT sets another.",
    )


def browser(
    wanted: str, is_walled: Callable[[], bool], lacks: Callable[[str], str] = lambda _path: ""
) -> Finding:
    """Check the browser, which some web pages and pictures of slides need."""
    path = find_browser(wanted)
    if not path.path:
        remedy = "Debian: apt-get install chromium" if wanted != NONE else ""
        return Finding("Browser", FindingStatus.OPTIONAL, f"{path.lacks}; {WITHOUT_BROWSER}", remedy)
    if lacking := lacks(path.path):
        return Finding("Browser", FindingStatus.OPTIONAL, f"{lacking}; {WITHOUT_BROWSER}", NAMESPACES)
    if is_walled():
        return Finding("Browser", FindingStatus.GOOD, f"{path.path}, in a network of its own")
    words = f"{path.path}, kept to our proxy by its flags alone"
    return Finding(
        "Browser", FindingStatus.OPTIONAL, words, f"{NAMESPACES} They are a second layer of isolation."
    )


def model(configured: str) -> Finding:
    """Report the model that writes reports. The model is not called, because a call costs money."""
    if configured:
        return Finding("Model", FindingStatus.GOOD, configured)
    return Finding(
        "Model",
        FindingStatus.OPTIONAL,
        "none; reports are put together from the sources’ own sentences",
        "An owner connects one on the page Account, Model; or set PLUMBLINE_MODEL_BASE_URL or"
        " PLUMBLINE_MODEL_API_KEY for every workspace.",
    )
