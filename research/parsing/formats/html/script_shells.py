"""Detects pages that consist of a shell: scripts fill them, and have not run."""

from __future__ import annotations

import re

LOOKED_AT = 200_000  # bytes
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_SHELL = re.compile(
    rb"<(?:div|main|section)\s+(?:id|class)=[\"']?(?:root|app|__next|___gatsby|__nuxt|svelte|main-app|app-root)[\"']?\s*>"
    rb"\s*(?:(?:loading|please wait|wird geladen|chargement|cargando)\b[^<]{0,60})?</|<app-root[^>]*>\s*</"
    rb"|(?:enable|activate|allow|needs?|requires?|turn on|without|aktivieren sie|activer|activez|habilit[ae]r?)"
    rb"\s+java\s?script"
    rb"|java\s?script\s+(?:(?:is|must be|ist|muss)\s+)?(?:disabled|required|enabled|aktivier|deaktivier|erforderlich)",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"[^.!?\n]*\bjava\s?script\b[^.!?\n]*[.!?]*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_FEW = 8  # words beside the request, such as "Loading …" and the name of the site


def has_scripts(html: bytes) -> bool:
    return _SCRIPT.search(html[:LOOKED_AT]) is not None


def has_shell(html: bytes) -> bool:
    """Return True for a page with an element for scripts to fill, or that asks for JavaScript."""
    return _SHELL.search(html[:LOOKED_AT]) is not None


def is_script_shell(html: bytes, text: str) -> bool:
    """Return True if the `text` of a page is nothing but a request to let its scripts run."""
    return has_scripts(html) and has_shell(html) and len(_WORD.findall(_REQUEST.sub(" ", text))) < _FEW
