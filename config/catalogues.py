"""Compiles translations from .po files to gettext's .mo files by Babel, without gettext's own tools."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_catalogues(folder: Path) -> list[Path]:
    """Write each .mo below `folder` that does not match its .po, and return those that were written.

    A .mo has the time of the .po that it was made from. Several processes may do so at once: files are replaced
    atomically.
    """
    return [_compile(po) for po in _stale(folder)]


def _stale(folder: Path) -> Iterator[Path]:
    for po in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if not mo.exists() or mo.stat().st_mtime_ns != po.stat().st_mtime_ns:
            yield po


def _compile(po: Path) -> Path:
    changed = po.stat()
    with po.open("rb") as source:
        catalogue = read_po(source)
    with tempfile.NamedTemporaryFile(dir=po.parent, suffix=".tmp", delete=False) as made:
        write_mo(made, catalogue)
    Path(made.name).chmod(0o644)  # other users' processes may read it
    os.utime(made.name, ns=(changed.st_atime_ns, changed.st_mtime_ns))
    os.replace(made.name, po.with_suffix(".mo"))
    return po.with_suffix(".mo")
