"""Runs pandoc: JSON in, a file out, with limits of time and memory and without access to the file system."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path

from citations.bibliography.csl_references import CslItem, CslValue

TIME_LIMIT_S = 20.0  # a list of a hundred references takes half a second
_MEMORY_LIMIT = "-M600M"
_API_VERSION = [1, 23, 1]
_WEB = ("http://", "https://")


class PandocError(Exception):
    """References could not be formatted; str() is one sentence for the reader."""


class PandocMissing(PandocError):
    """The program is not installed."""


class PandocTimeout(PandocError):
    """Pandoc exceeded the time limit."""


@cache
def pandoc_path() -> str:
    """Return the program of pypandoc-binary, else the system's. Raises PandocMissing."""
    spec = find_spec("pypandoc")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / "files" / "pandoc"
        if path.is_file():
            return str(path)
    found = shutil.which("pandoc")
    if found is None:
        raise PandocMissing("The program that formats references, pandoc, is not installed.")
    return found


def run_pandoc(document: Mapping[str, object], *arguments: str, limit_s: float = TIME_LIMIT_S) -> str:
    """Convert a JSON document with pandoc and return the output as text. Raises PandocError."""
    return run_pandoc_to_bytes(document, *arguments, limit_s=limit_s).decode()


def run_pandoc_to_bytes(
    document: Mapping[str, object], *arguments: str, limit_s: float = TIME_LIMIT_S
) -> bytes:
    """Convert a JSON document with pandoc and return bytes. Pandoc's sandbox has no clock: dates are of 1970. Raises
    PandocError.
    """
    command = [pandoc_path(), "+RTS", _MEMORY_LIMIT, "-RTS", "--sandbox", "-f", "json", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, no shell, arguments of our own
            command,
            input=json.dumps(document).encode(),
            capture_output=True,
            timeout=limit_s,
            env={"LANG": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired as error:
        raise PandocTimeout(f"Formatting by pandoc took more than {limit_s:g} seconds.") from error
    except OSError as error:
        raise PandocMissing(f"pandoc cannot be started: {error.strerror}.") from error
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise PandocError(f"pandoc could not format this: {reason[-1] if reason else done.returncode}")
    return done.stdout


def document_of(items: Sequence[CslItem], language: str) -> dict[str, object]:
    """Build a document that cites each item once, in order, in a paragraph each."""
    meta = {"references": _meta([*items]), "lang": _meta(language)}
    return {
        "pandoc-api-version": _API_VERSION,
        "meta": meta,
        "blocks": [{"t": "Para", "c": [_cite(str(item["id"]))]} for item in items],
    }


def _cite(item_id: str) -> dict[str, object]:
    citation = {
        "citationId": item_id,
        "citationPrefix": [],
        "citationSuffix": [],
        "citationMode": {"t": "NormalCitation"},
        "citationNoteNum": 0,
        "citationHash": 0,
    }
    return {"t": "Cite", "c": [[citation], []]}


def _meta(value: CslValue) -> dict[str, object]:
    """Build a metadata value. Strings are literal: no markup is parsed in them."""
    match value:
        case dict():
            return {"t": "MetaMap", "c": {key: _meta(each) for key, each in value.items()}}
        case list():
            return {"t": "MetaList", "c": [_meta(each) for each in value]}
    return {"t": "MetaString", "c": str(value)}


_QUOTES = {"DoubleQuote": ("“", "”"), "SingleQuote": ("‘", "’")}
_TAGS = {"Emph": "em", "Strong": "strong", "Superscript": "sup", "Subscript": "sub"}


def plain(nodes: Iterable[object]) -> str:
    """Return inline nodes of pandoc's tree as plain text."""
    return "".join(map(_node_text, nodes))


def _node_text(node: object) -> str:
    match node:
        case {"t": "Str", "c": str(text)}:
            return text
        case {"t": "Space" | "SoftBreak" | "LineBreak"}:
            return " "
        case {"t": "Quoted", "c": [{"t": str(kind)}, list(inner)]}:
            return _QUOTES[kind][0] + plain(inner) + _QUOTES[kind][1]
        case {"t": "Link" | "Span" | "Cite", "c": [_, list(inner), *_]}:
            return plain(inner)
        case {"c": list(inner)}:
            return plain(inner)
    return ""


def markup(nodes: Iterable[object]) -> str:
    """Return inline nodes as escaped HTML; links lead to the web or nowhere."""
    return "".join(map(_markup, nodes))


def _markup(node: object) -> str:
    match node:
        case {"t": "Link", "c": [_, list(inner), [str(url), *_]]} if url.startswith(_WEB):
            return f'<a href="{escape(url)}" rel="noopener noreferrer">{markup(inner)}</a>'
        case {"t": str(kind), "c": list(inner)} if kind in _TAGS:
            return f"<{_TAGS[kind]}>{markup(inner)}</{_TAGS[kind]}>"
        case {"t": "Link" | "Span" | "Cite", "c": [_, list(inner), *_]}:
            return markup(inner)
        case {"t": "Quoted", "c": [{"t": str(kind)}, list(inner)]}:
            return _QUOTES[kind][0] + markup(inner) + _QUOTES[kind][1]
        case {"t": "Str"} | {"t": "Space" | "SoftBreak" | "LineBreak"}:
            return escape(_node_text(node))
        case {"c": list(inner)}:
            return markup(inner)
    return ""


@cache
def default_file(name: str) -> bytes:
    """Return one of pandoc's own files, such as the reference document for styles. Raises PandocError."""
    command = [pandoc_path(), "--print-default-data-file", name]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise PandocMissing("pandoc cannot give its own files.") from error
    return done.stdout
