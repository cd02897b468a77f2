"""Downloads source archives from package registries with their ordinary clients and configuration."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from research.library.sample.sample_library_listing import Archive

TIMEOUT_S = 300  # one download

# Messages of pip and npm if the network, the registry or the package is not available.
_UNREACHABLE = (
    "ConnectionError", "NewConnectionError", "ConnectTimeout", "ReadTimeout", "ConnectionResetError", "ProxyError",
    "SSLError", "Temporary failure in name resolution", "Name or service not known", "Network is unreachable",
    "Connection refused", "No matching distribution found", "Could not find a version", "ENOTFOUND", "ECONNREFUSED",
    "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "ENETUNREACH", "ERR_SOCKET_TIMEOUT",
)  # fmt: skip

# pip asks a source archive's build backend for its name and version even for a download: it would install the backend
# and run the package's own set-up code. This stand-in, found before the real backends, answers instead.
_BACKENDS = ("setuptools/build_meta", "flit_core/buildapi", "hatchling/build", "maturin")
_STAND_IN = """\
import os


def prepare_metadata_for_build_wheel(directory, config_settings=None):
    name, version = os.environ["SAMPLE_NAME"], os.environ["SAMPLE_VERSION"]
    info = "{}-{}.dist-info".format(name.replace("-", "_"), version)
    os.makedirs(os.path.join(directory, info), exist_ok=True)
    with open(os.path.join(directory, info, "METADATA"), "w") as out:
        out.write("Metadata-Version: 2.1\\nName: {}\\nVersion: {}\\n".format(name, version))
    return info


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(*args, **kwargs):
    raise RuntimeError("the sample library builds no wheels")


class __legacy__:
    prepare_metadata_for_build_wheel = staticmethod(prepare_metadata_for_build_wheel)
    get_requires_for_build_wheel = staticmethod(get_requires_for_build_wheel)
    build_wheel = staticmethod(build_wheel)
"""


class ArchiveError(Exception):
    """An archive cannot be downloaded; str() is for the person at the terminal."""


class RegistryUnreachable(ArchiveError):
    """The registry did not answer."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a client's command: its exit status and what it printed."""

    status: int
    output: str


def has_client(registry: str) -> bool:
    """Return True if this machine has the registry's client."""
    return bool(pip_command()) if registry == "pypi" else shutil.which("npm") is not None


def fetch(archive: Archive, folder: Path) -> Path:
    """Download the archive into `folder`, running none of its code. Raises ArchiveError."""
    call = _pip_download if archive.registry == "pypi" else _npm_pack
    answer = call(archive, folder)
    path = folder / archive.name
    if answer.status or not path.is_file():
        raise _reason(archive, answer)
    return path


@cache
def pip_command() -> Sequence[str]:
    """Return the command of pip, or nothing. If the environment has no pip (uv), Python's bundled copy is used."""
    if find_spec("pip"):
        return (sys.executable, "-m", "pip")
    wheel = next(iter(sorted(_find_bundled_wheels(), reverse=True)), None)
    if wheel:
        return (sys.executable, str(Path(_unpack_wheel(wheel).name) / "pip"))
    pip = shutil.which("pip3") or shutil.which("pip")
    return (pip,) if pip else ()


@cache
def _unpack_wheel(wheel: Path) -> "tempfile.TemporaryDirectory[str]":
    """Unpack the wheel until this process ends: run from the archive, pip would be compiled at every start."""
    folder = tempfile.TemporaryDirectory(prefix="plumbline-pip-")
    with zipfile.ZipFile(wheel) as box:
        box.extractall(folder.name)
    return folder


def _find_bundled_wheels() -> list[Path]:
    """Return the wheels of pip that `ensurepip` would install: from the standard library, or from Debian's folder."""
    spec = find_spec("ensurepip")
    places = [Path(place) / "_bundled" for place in (spec.submodule_search_locations or ())] if spec else []
    if system := sysconfig.get_config_var("WHEEL_PKG_DIR"):
        places.append(Path(str(system)))
    return [wheel for place in places for wheel in place.glob("pip-*.whl")]


def _pip_download(archive: Archive, folder: Path) -> CommandResult:
    pin = folder / "pin.txt"
    pin.write_text(f"{archive.package}=={archive.version} --hash=sha256:{archive.sha256}\n", encoding="utf-8")
    backends = {"PYTHONPATH": str(_stand_ins(folder)), "SAMPLE_NAME": archive.package}
    environment = {**backends, "SAMPLE_VERSION": archive.version, "PIP_USE_PEP517": "1", "PIP_NO_INPUT": "1"}
    return _run(
        [
            *pip_command(), "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--no-binary", ":all:", "--no-build-isolation", "--ignore-requires-python",
            "--retries", "2", "--timeout", "20", "--dest", str(folder), "--requirement", str(pin),
        ],
        folder,
        environment,
    )  # fmt: skip


def _npm_pack(archive: Archive, folder: Path) -> CommandResult:
    npm = shutil.which("npm") or "npm"
    quiet = ("--silent", "--ignore-scripts", "--fetch-retries", "1")
    package = f"{archive.package}@{archive.version}"
    return _run([npm, "pack", *quiet, "--pack-destination", str(folder), package], folder, {})


def _stand_ins(folder: Path) -> Path:
    root = folder / "stand-in"
    for name in _BACKENDS:
        package, _, module = name.partition("/")
        (root / package).mkdir(parents=True, exist_ok=True)
        (root / package / "__init__.py").touch()
        (root / package / f"{module or '__init__'}.py").write_text(_STAND_IN, encoding="utf-8")
    return root


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> CommandResult:
    try:
        done = subprocess.run(  # noqa: S603 - pip or npm, arguments from our own manifest
            command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S, errors="replace", check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise RegistryUnreachable(f"no answer within {TIMEOUT_S} s") from error
    return CommandResult(done.returncode, done.stdout)


def _reason(archive: Archive, answer: CommandResult) -> ArchiveError:
    what = f"{archive.package} {archive.version}"
    if "DO NOT MATCH THE HASHES" in answer.output:
        return ArchiveError(f"{what}: the archive is not the pinned one (its SHA-256 differs)")
    lines = [line.strip() for line in answer.output.splitlines() if line.strip()]
    telling = [
        line for line in lines if line.startswith(("ERROR", "npm error", "npm ERR!")) or "Error:" in line
    ]
    last = (telling or lines or ["no message"])[-1][:200]
    if any(sign in answer.output for sign in _UNREACHABLE):
        return RegistryUnreachable(
            f"{what}: the package registry cannot be reached or does not have it ({last})"
        )
    return ArchiveError(f"{what}: the download failed ({last})")
