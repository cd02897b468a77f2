"""The tenant's documents: what was read of each, and more of them."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from research import library as documents
from research.models import DocumentStatus, LibraryDocument
from research.web.access import members_only, writers_only
from research.web.forms import LibraryFilterForm, UploadForm

DOCUMENTS_A_PAGE = 50
LARGEST_FILE = 50_000_000  # bytes
MOST_FILES = 20  # at once
LARGEST_LIBRARY = 1_000_000_000  # bytes a tenant


@require_http_methods(["GET", "HEAD", "POST"])
def library(request: HttpRequest) -> HttpResponse:
    return _upload(request) if request.method == "POST" else _list(request)


@members_only
def _list(request: HttpRequest, form: UploadForm | None = None, status: int = 200) -> HttpResponse:
    filters = LibraryFilterForm(request.GET)
    rows = _filtered(filters, LibraryDocument.objects.select_related("duplicate_of", "content"))
    rows = rows.defer("content__text", "content__blocks", "content__pages", "content__tables", "content__minhash")
    shown = {
        "form": form or UploadForm(),
        "filters": filters,
        "is_filtered": filters.has_changed(),
        "page": Paginator(rows.order_by("folder", "path"), DOCUMENTS_A_PAGE).get_page(request.GET.get("page")),
        "totals": _totals(),
        "limits": {"files": MOST_FILES, "bytes": LARGEST_FILE},
    }
    return render(request, "research/library.html", shown, status=status)


@writers_only
def _upload(request: HttpRequest) -> HttpResponse:
    files = request.FILES.getlist("files")
    if not files:
        return _list(request, UploadForm(request.POST, request.FILES), status=422)
    stored = [file for file in files[:MOST_FILES] if _keep(request, file)]
    if left := len(files) - MOST_FILES:
        _say_too_many(request, left)
    if stored:
        text = ngettext("%(count)d file was added.", "%(count)d files were added.", len(stored))
        messages.success(request, text % {"count": len(stored)})
    return redirect("research:library")


def _keep(request: HttpRequest, file: UploadedFile) -> bool:
    """Store one file and read it. What is wrong with it is told; the others go on."""
    names = {"name": file.name}
    if (file.size or 0) > LARGEST_FILE:
        messages.error(request, _("“%(name)s” is larger than 50 MB and was not stored.") % names)
        return False
    if _stored_bytes() + (file.size or 0) > LARGEST_LIBRARY:
        messages.error(request, _("“%(name)s” was not stored: the library may hold 1 GB.") % names)
        return False
    document = documents.upload(file.name or "file", file.read())
    if document.status == DocumentStatus.FAILED:
        given = {"name": file.name, "reason": document.error_message}
        messages.error(request, _("“%(name)s” was stored, but cannot be read: %(reason)s") % given)
        return False
    return True


def _say_too_many(request: HttpRequest, left: int) -> None:
    if left <= 0:
        return
    text = ngettext(
        "%(count)d file was left out: at most 20 at once. Upload it again.",
        "%(count)d files were left out: at most 20 at once. Upload them again.",
        left,
    )
    messages.warning(request, text % {"count": left})


def _stored_bytes() -> int:
    return LibraryDocument.objects.aggregate(total=Sum("file_size"))["total"] or 0


def _totals() -> Sequence[dict[str, object]]:
    """Documents by folder: how many, how many ready, how many unreadable."""
    rows = LibraryDocument.objects.values("folder").order_by("folder")
    return list(
        rows.annotate(
            total=Count("id"),
            ready=Count("id", filter=Q(status=DocumentStatus.READY)),
            failed=Count("id", filter=Q(status=DocumentStatus.FAILED)),
        )
    )


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
