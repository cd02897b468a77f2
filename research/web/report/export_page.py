"""The page of a report's exports: the formats, the files, their progress."""

from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from citations.citation_styles import CitationStyle
from exports.building.document_latest_recheck import evidence_version
from exports.files.export_expiry import forget
from exports.files.request_export import ExportRefused, available, make_again, request_export, why_not
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.labels.document_labels import CITATION_STYLES
from exports.models import Export, ExportState, ShareLink
from research.models import Run
from research.storage.object_store import ObjectError, get_object
from research.web.report.export_page_labels import CODES, FORMAT_WORDS, STATES, TOLD_IN_FULL, FormatWords
from research.web.report.share_form import ShareForm, is_sharing_allowed
from research.web.site.view_access import find, may_write, members_only, person, wants_fragment

MAX_LIST = 60  # newest files


class ExportForm(forms.Form):
    formats = forms.MultipleChoiceField(
        label=gettext_lazy("Formats"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one format.")},
    )
    citation_style = forms.ChoiceField(label=gettext_lazy("Citation style"), choices=CITATION_STYLES.items())
    include_appendix = forms.BooleanField(
        label=gettext_lazy("Evidence: each quote with the words around it"), required=False, initial=True
    )
    include_sources = forms.BooleanField(label=gettext_lazy("List of sources"), required=False, initial=True)
    include_raw_data = forms.BooleanField(
        label=gettext_lazy("Raw data: settings, steps and texts of sources (JSON)"), required=False
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        field = self.fields["formats"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(writer.format.value, writer.format.label) for writer in available()]

    @property
    def options(self) -> ExportOptions:
        """Return the options of a valid form."""
        given = self.cleaned_data
        return ExportOptions(
            citation_style=CitationStyle(given["citation_style"]),
            include_appendix=bool(given["include_appendix"]),
            include_sources=bool(given["include_sources"]),
            include_raw_data=bool(given["include_raw_data"]),
            language=get_language() or "en",
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A format that can be requested, with the size of its last file."""

    format: Format
    words: FormatWords
    is_chosen: bool
    size: int | None


@dataclass(frozen=True, slots=True)
class ExportFileRow:
    """A file of the list."""

    export: Export
    words: FormatWords
    is_current: bool  # whether it shows the current report

    @property
    def state(self) -> str:
        is_over = self.export.state == ExportState.READY and not self.export.is_there
        return ExportState.EXPIRED if is_over else self.export.state

    @property
    def state_words(self) -> str:
        return str(STATES[self.state])

    @property
    def reason(self) -> str:
        words = str(CODES.get(self.export.error_code, ""))
        return f"{words} {self.export.error}" if self.export.error_code in TOLD_IN_FULL else words

    @property
    def style(self) -> str:
        return str(CITATION_STYLES[self.export.requested_options.citation_style.value])


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    if request.method != "POST":
        return export_response(request, run, ExportForm())
    form = ExportForm(request.POST)
    if not form.is_valid():
        return export_response(request, run, form, status=422)
    try:
        for name in form.cleaned_data["formats"]:
            request_export(run, Format(name), form.options, person(request))
    except ExportRefused as refused:
        messages.error(request, str(refused))
    return redirect(f"{reverse('research:export', args=[run_id])}#files")


def export_response(
    request: HttpRequest,
    run: Run,
    form: ExportForm,
    *,
    share_form: ShareForm | None = None,
    address: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page. `address` is that of a share link made by this request."""
    files = file_rows(run)
    shown = {
        "run": run,
        "form": form,
        "options": [form[name] for name in ("include_appendix", "include_sources", "include_raw_data")],
        "choices": _choices(form, files),
        "refusal": why_not(run),
        "files": files,
        "is_under_way": any(row.export.is_open for row in files),
        "may_share": is_sharing_allowed() and may_write(request),
        "share_form": share_form or ShareForm(),
        "address": address,
        "links": ShareLink.objects.filter(run=run).select_related("made_by").order_by("-created_at"),
    }
    return render(request, "research/report/export.html", shown, status=status)


@members_only
@require_safe
@never_cache
def export_files(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Render the fragment that the page polls while files are made."""
    run = find(Run.objects.only("pk", "report_version", "state"), run_id)
    if not wants_fragment(request):
        return redirect("research:export", run_id)
    files = file_rows(run)
    shown = {"run": run, "files": files, "is_under_way": any(row.export.is_open for row in files)}
    return render(request, "research/report/_export_files.html", shown)


@members_only
@require_POST
def export_again(request: HttpRequest, run_id: UUID, export_id: UUID) -> HttpResponse:
    """Export a file again that failed, has expired or is out of date."""
    row = find(Export.objects.filter(run_id=run_id).select_related("run"), export_id)
    try:
        make_again(row)
    except ExportRefused as refused:
        messages.error(request, str(refused))
    return redirect(f"{reverse('research:export', args=[run_id])}#files")


@members_only
@require_safe
@never_cache
def download(request: HttpRequest, run_id: UUID, export_id: UUID) -> HttpResponse:
    """Return the file as an attachment, so that a browser never renders it within the site."""
    row = find(Export.objects.filter(run_id=run_id), export_id)
    if not row.is_there:
        messages.info(request, _("This file no longer exists. You can create it again."))
        return redirect("research:export", run_id)
    try:
        data = get_object(row.object_key)
    except ObjectError as error:
        forget(row)
        messages.error(request, str(error))
        return redirect("research:export", run_id)
    if request.method == "GET":
        Export.objects.filter(pk=row.pk).update(download_count=F("download_count") + 1)
    return as_attachment(data, row.filename, row.writer.media_type)


def as_attachment(data: bytes, name: str, media_type: str) -> HttpResponse:
    response = HttpResponse(data, content_type=media_type)
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def file_rows(run: Run) -> list[ExportFileRow]:
    exports = Export.objects.filter(run=run).order_by("-created_at")[:MAX_LIST]
    now = (run.report_version, evidence_version(run))
    return [
        ExportFileRow(
            row, FORMAT_WORDS[Format(row.format)], (row.report_version, row.evidence_version) == now
        )
        for row in exports
    ]


def _choices(form: ExportForm, files: list[ExportFileRow]) -> list[Choice]:
    chosen = form.data.getlist("formats") if form.is_bound and hasattr(form.data, "getlist") else ["pdf"]
    sizes = {row.export.format: row.export.file_size for row in reversed(files) if row.export.is_there}
    return [
        Choice(
            writer.format,
            FORMAT_WORDS[writer.format],
            writer.format.value in chosen,
            sizes.get(writer.format.value),
        )
        for writer in available()
    ]
