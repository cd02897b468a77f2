"""The operator's page: the state and the problems of the whole installation."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from research.ops.alerts import Alert, alerts
from research.ops.metrics import MEANINGS, MetricDescription, MetricSample, figures


@dataclass(frozen=True, slots=True)
class MetricRow:
    meaning: MetricDescription
    parts: Sequence[MetricSample]


@require_safe
def installation(request: HttpRequest) -> HttpResponse:
    """Show the metrics to superusers, as they count all workspaces, without attributing them to any."""
    if not getattr(request.user, "is_superuser", False):
        raise PermissionDenied
    found, raised = _load_figures()
    shown = {
        **admin.site.each_context(request),
        "title": _("Installation"),
        "rows": [
            MetricRow(meaning, [f for f in found if f.name == name]) for name, meaning in MEANINGS.items()
        ],
        "alerts": [(alert, MEANINGS[alert.rule.figure]) for alert in raised],
    }
    return render(request, "admin/research/installation.html", shown)


def _load_figures() -> tuple[list[MetricSample], list[Alert]]:
    try:
        found = figures.latest()
    except DatabaseError:
        return [], []
    return found, alerts(found)
