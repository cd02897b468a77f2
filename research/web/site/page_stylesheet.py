"""Serves the styles of a page as one file, so that the page waits for one response instead of seven.

The sources are separate files, joined in the order of the base template. For pages that are opened often, also on
slow connections, the page's own styles are in the same file, because each further file costs a connection before the
first paint.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

SHEETS = ("tokens", "base", "menu", "parts", "tables", "forms", "evidence")
OF_PAGES = frozenset({(), ("report", "reader")})  # of single pages, appended to the common ones
YEAR_S = 31_536_000


def _build_sheet(more: Sequence[str]) -> tuple[str, str]:
    """Return the sheet and a hash of it for its URL."""
    names = (*SHEETS, *more)
    paths = tuple(settings.BASE_DIR / "static" / "plumbline" / f"{name}.css" for name in names)
    return _read(paths, tuple(path.stat().st_mtime_ns for path in paths))


@lru_cache(maxsize=len(OF_PAGES))
def _read(paths: Sequence[Path], _edited: Sequence[int]) -> tuple[str, str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return text, sha256(text.encode()).hexdigest()[:12]


def address(*more: str) -> str:
    """Return the URL of the styles; `more` is one of OF_PAGES."""
    return reverse("research:styles", args=["-".join((*more, _build_sheet(more)[1]))])


@require_safe
@cache_control(public=True, max_age=YEAR_S, immutable=True)
def styles(request: HttpRequest, mark: str) -> HttpResponse:
    """Serve the sheet, which is public."""
    *names, wanted = mark.split("-")
    more = tuple(names)
    if more not in OF_PAGES:
        raise Http404
    text, present = _build_sheet(more)
    if wanted != present:
        raise Http404
    return HttpResponse(text, content_type="text/css; charset=utf-8")
