"""Preloads what a site process needs before it answers requests.

Otherwise the first visitor would wait with an open transaction; on a busy machine, for longer than the database lets
one idle (`config.databases.IDLE_LIMIT_S`).
"""

from collections.abc import Callable
from pathlib import Path

from django import forms
from django.conf import settings
from django.forms.renderers import get_default_renderer
from django.template import engines
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils.formats import get_format
from django.utils.translation import gettext, override


def warm_up() -> None:
    """Load every view, template and language without a query: the database may be unavailable while the site starts."""
    len(get_resolver().url_patterns)
    len(engines["django"].engine.template_context_processors)  # type: ignore[attr-defined]  # of Django's own
    _load(get_template, Path(settings.BASE_DIR) / "templates")
    _load(get_default_renderer().get_template, Path(forms.__file__).parent / "templates")
    for code, _name in settings.LANGUAGES:
        with override(code):
            gettext("Report")
            get_format("DATE_FORMAT")


def _load(load: Callable[[str], object], folder: Path) -> None:
    for path in folder.rglob("*.html"):
        load(path.relative_to(folder).as_posix())
