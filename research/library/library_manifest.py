"""Parses the manifests of a library (manifest.csv): titles, authors, dates, URLs and licences of documents."""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path, PurePosixPath

MANIFEST = "manifest.csv"
_LARGEST = 20_000_000  # bytes
_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
# Characters. A page's title may be as long as the page, and is searched often.
_LONGEST = {"title": 1_000, "author": 1_000, "publisher": 1_000, "licence": 200, "syndicated_from": 200}
# The first of these columns with a value is used.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "url": ("url", "canonical_url"),
    "title": ("title",),
    "author": ("author", "authors"),
    "publisher": ("publisher", "site_name"),
    "syndicated_from": ("syndicated_from",),
    "published_date": ("published", "published_date", "date"),
    "modified_date": ("modified", "modified_date", "updated"),
    "licence": ("licence", "license"),
}


@dataclass(frozen=True, slots=True)
class Details:
    """A document's details apart from its text; "" if unknown. Dates in ISO 8601, possibly partial."""

    url: str = ""
    title: str = ""
    author: str = ""
    publisher: str = ""
    syndicated_from: str = ""
    published_date: str = ""
    modified_date: str = ""
    licence: str = ""

    def over(self, other: "Details") -> "Details":
        """Return these details, with missing ones taken from `other`."""
        return Details(**{name: getattr(self, name) or getattr(other, name) for name in DETAIL_NAMES})


DETAIL_NAMES = tuple(field.name for field in fields(Details))


def details(given: Mapping[str, str | None]) -> Details:
    """Return the details of a document, cleaned for the database."""
    values = {name: _clean(given.get(name) or "") for name in DETAIL_NAMES}
    for name in ("published_date", "modified_date"):
        values[name] = values[name] if _is_date(values[name]) else ""
    return Details(**{name: value[: _LONGEST.get(name)] for name, value in values.items()})


def _is_date(text: str) -> bool:
    """Return True for a valid year, month or day."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return True


def manifest_in(folder: Path) -> Mapping[str, Details]:
    """Return the entries of the folder's own manifest; empty if none can be read."""
    try:
        return parse_manifest((folder / MANIFEST).read_bytes())
    except OSError:
        return {}


def parse_manifest(data: bytes) -> Mapping[str, Details]:
    """Return the details by file, relative to the manifest's folder; empty if this is not a manifest."""
    if len(data) > _LARGEST:
        return {}
    try:
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace"), newline="")))
    except csv.Error:
        return {}
    named = ((_normal(row.get("file")), row) for row in rows)
    return {name: _row_details(row) for name, row in named if name}


def _row_details(row: Mapping[str, str | None]) -> Details:
    return details(
        {name: next(filter(None, map(row.get, columns)), None) for name, columns in _COLUMNS.items()}
    )


def _normal(name: object) -> str:
    """Return a path in the form of the folder's listing."""
    text = name.strip().replace("\\", "/") if isinstance(name, str) else ""
    return str(PurePosixPath(text)) if text else ""


def _clean(value: object) -> str:
    # Surplus cells arrive as a list; the database stores neither NUL nor lone surrogates.
    text = value if isinstance(value, str) else ""
    return " ".join(text.replace("\0", " ").encode("utf-8", "replace").decode().split())
