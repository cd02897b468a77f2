"""The audit trail of a workspace, for its owners: filtered by person, act and day, as a page and as a file."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import StringIO

from django import forms
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exports.formats.export_spreadsheet_cells import neutral
from research.accounts.audit.read_audit_trail import AuditQuery, entries, people
from research.db.tenancy import access_in
from research.models import AuditEntry, Role
from research.web.account.audit_page_labels import ACTS, CHANNELS, OUTCOMES
from research.web.account.audit_page_values import Word, changes, thing
from research.web.account.workspace_forms import SHORT_ROLES
from research.web.site.view_access import members_only

ENTRIES_A_PAGE = 50
MAX_FILE = 50_000  # newest rows
HEADINGS = (
    *("time", "who", "role", "act", "outcome", "object_type", "object_id", "object_name", "address", "via"),
    *("before", "after"),
)


class FilterForm(forms.Form):
    who = forms.ChoiceField(label=lazy("Person"), required=False)
    act = forms.ChoiceField(label=lazy("What was done"), required=False)
    day = forms.DateField(
        label=lazy("Day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        who, act = self.fields["who"], self.fields["act"]
        if isinstance(who, forms.ChoiceField) and isinstance(act, forms.ChoiceField):
            who.choices = [("", _("Everybody")), *((name, name) for name in people())]
            act.choices = [("", _("Everything")), *ACTS.items()]

    def read_query(self) -> AuditQuery:
        """Return the requested filters; invalid values are ignored."""
        self.is_valid()
        given = self.cleaned_data
        day: date | None = given.get("day")
        return AuditQuery(str(given.get("who", "")), str(given.get("act", "")), day)


@dataclass(frozen=True, slots=True)
class AuditLine:
    entry: AuditEntry
    role: str | Promise
    act: str | Promise
    outcome: str | Promise
    channel: str | Promise
    thing: Word
    changes: list[tuple[Word, Word, Word]]  # name, before, after


@members_only
@require_safe
@never_cache
def audit(request: HttpRequest) -> HttpResponse:
    _owners_only(request)
    form = FilterForm(request.GET)
    query = form.read_query()
    page = Paginator(entries(query), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "form": form,
        "page": page,
        "lines": [_line(entry) for entry in page],
        "is_filtered": query != AuditQuery(),
    }
    return render(request, "research/account/audit.html", shown, status=422 if form.errors else 200)


@members_only
@require_safe
@never_cache
def audit_file(request: HttpRequest) -> HttpResponseBase:
    """Return the entries of the page as CSV for spreadsheets, in which no cell is taken for a formula."""
    _owners_only(request)
    text = StringIO("\ufeff")
    text.seek(1)
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(HEADINGS)
    rows.writerows(_cells(entries(FilterForm(request.GET).read_query())[:MAX_FILE].iterator()))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="activity.csv"'
    return response


def _owners_only(request: HttpRequest) -> None:
    access = access_in(request)
    if access is None or access.role != Role.OWNER:
        raise PermissionDenied(_("Only owners of the workspace see what was done in it."))


def _cells(rows: Iterator[AuditEntry]) -> Iterator[list[str]]:
    for row in rows:
        words = (
            *(row.created_at.isoformat(timespec="seconds"), row.who, row.role, row.act, row.outcome),
            *(row.object_type, row.object_id, row.object_name, row.address or "", row.via),
            *(json.dumps(row.before) if row.before else "", json.dumps(row.after) if row.after else ""),
        )
        yield [neutral(word) for word in words]


def _line(entry: AuditEntry) -> AuditLine:
    return AuditLine(
        entry,
        SHORT_ROLES.get(Role(entry.role), entry.role) if entry.role in Role.values else entry.role,
        ACTS.get(entry.act, entry.act),
        OUTCOMES[entry.outcome],
        CHANNELS[entry.via],
        thing(entry.object_type),
        list(changes(entry)),
    )
