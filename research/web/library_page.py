"""The tenant's documents: what was read of each, and more of them."""

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from exports.evidence import HEAVY_CONTENT
from research.library.folders import library_folders
from research.library.uploads import LARGEST_FILE, MOST_FILES, UploadRefused, store_upload
from research.library.waiting import ask_for_reading, waiting_uploads
from research.models import LibraryDocument
from research.tenancy import current_tenant_id
from research.web.access import members_only, writers_only
from research.web.words import DOCUMENT_STATUSES

DOCUMENTS_A_PAGE = 50


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class UploadForm(forms.Form):
    """The field only: each file is judged by itself, so that one bad file does not refuse the others."""

    documents = forms.FileField(label=_("Files"), widget=ManyFiles(attrs={"multiple": True}))


class LibraryFilterForm(forms.Form):
    q = forms.CharField(
        label=_("Search titles and files"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    folder = forms.CharField(required=False, max_length=4000, widget=forms.HiddenInput)
    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *DOCUMENT_STATUSES.items()]
    )


@require_http_methods(["GET", "HEAD", "POST"])
def library(request: HttpRequest) -> HttpResponseBase:
    return _upload(request) if request.method == "POST" else _list(request)


@members_only
def _list(request: HttpRequest, form: UploadForm | None = None, status: int = 200) -> HttpResponse:
    filters = LibraryFilterForm(request.GET)
    rows = _filtered(filters, LibraryDocument.objects.select_related("duplicate_of", "content"))
    rows = rows.defer(*HEAVY_CONTENT).order_by("folder", "path")
    shown = {
        "form": form or UploadForm(),
        "filters": filters,
        "is_filtered": filters.has_changed(),
        "page": Paginator(rows, DOCUMENTS_A_PAGE).get_page(request.GET.get("page")),
        "folders": library_folders(),
        "is_waiting": waiting_uploads().exists(),
        "limits": {"files": MOST_FILES, "megabytes": LARGEST_FILE // 10**6},
    }
    return render(request, "research/library.html", shown, status=status)


@writers_only
def _upload(request: HttpRequest) -> HttpResponseBase:
    files = request.FILES.getlist("documents")
    if not files:
        return _list(request, UploadForm(request.POST, request.FILES), status=422)
    added = sum(_is_added(request, file) for file in files[:MOST_FILES])
    _say_too_many(request, len(files) - MOST_FILES)
    if added:
        ask_for_reading(current_tenant_id())
        text = ngettext(
            "%(count)d file was added; it is being read.",
            "%(count)d files were added; they are being read.",
            added,
        )
        messages.success(request, text % {"count": added})
    return redirect("research:library")


def _is_added(request: HttpRequest, file: "UploadedFile[bytes]") -> bool:
    """Keep one file, for a worker to read. What is wrong with it is told; the others go on."""
    try:
        store_upload(file.name or "", _bytes_of(file))
    except UploadRefused as refusal:
        messages.error(request, str(refusal))
        return False
    return True


def _bytes_of(file: "UploadedFile[bytes]") -> bytes:
    """At most one byte more than a file may have: enough to be refused for it."""
    return bytes(file.read(LARGEST_FILE + 1))


def _say_too_many(request: HttpRequest, left: int) -> None:
    if left <= 0:
        return
    text = ngettext(
        "%(count)d file was left out: at most %(most)d at once. Upload it again.",
        "%(count)d files were left out: at most %(most)d at once. Upload them again.",
        left,
    )
    messages.warning(request, text % {"count": left, "most": MOST_FILES})


def _filtered(form: LibraryFilterForm, rows: QuerySet[LibraryDocument]) -> QuerySet[LibraryDocument]:
    if not form.is_valid():
        return rows
    if words := form.cleaned_data["q"]:
        rows = rows.filter(Q(title__icontains=words) | Q(path__icontains=words))
    if folder := form.cleaned_data["folder"]:
        rows = rows.filter(folder=folder)
    if status := form.cleaned_data["status"]:
        rows = rows.filter(status=status)
    return rows
