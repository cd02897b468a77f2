"""The list of the tenant's documents, with the forms that add more."""

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from exports.building.build_document_evidence import HEAVY_CONTENT
from research.library.library_folders import is_of_uploads, library_folders
from research.library.store_uploads import MAX_FILE, MAX_FILES
from research.library.waiting_library_documents import is_anything_waiting
from research.models import LibraryDocument
from research.web.library.library_forms import LibraryFilterForm, PagesForm, UploadForm
from research.web.site.view_access import may_write, members_only

DOCUMENTS_A_PAGE = 50


@members_only
def show_list(
    request: HttpRequest,
    *,
    upload: UploadForm | None = None,
    pages: PagesForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the list. `upload` and `pages` are refused forms."""
    filters = LibraryFilterForm(request.GET)
    rows = _filter_documents(filters, LibraryDocument.objects.select_related("duplicate_of", "content"))
    rows = rows.defer(*HEAVY_CONTENT).order_by("folder", "path")
    folders = library_folders()
    chosen = next((folder for folder in folders if folder.key == request.GET.get("folder")), None)
    name = chosen.name if chosen is not None and chosen.can_be_renamed else ""
    shown = {
        "upload": upload or UploadForm(initial={"folder": name}, auto_id="upload_%s"),
        "pages_form": pages or PagesForm(initial={"folder": name}, auto_id="pages_%s"),
        "filters": filters,
        "is_filtered": filters.has_changed(),
        "page": Paginator(rows, DOCUMENTS_A_PAGE).get_page(request.GET.get("page")),
        "folders": folders,
        "chosen": chosen,
        "total": sum(folder.documents for folder in folders),
        "folder_names": [folder.name for folder in folders if folder.can_be_renamed],
        "is_adding": upload is not None
        or pages is not None
        or (chosen is not None and is_of_uploads(chosen.key)),
        "is_waiting": is_anything_waiting(),
        "may_write": may_write(request),
        "limits": {"files": MAX_FILES, "bytes": MAX_FILE, "megabytes": MAX_FILE // 10**6},
    }
    return render(request, "research/library/library.html", shown, status=status)


def _filter_documents(form: LibraryFilterForm, rows: QuerySet[LibraryDocument]) -> QuerySet[LibraryDocument]:
    if not form.is_valid():
        return rows
    if words := form.cleaned_data["q"]:
        rows = rows.filter(Q(title__icontains=words) | Q(path__icontains=words))
    if folder := form.cleaned_data["folder"]:
        rows = rows.filter(folder=folder)
    if status := form.cleaned_data["status"]:
        rows = rows.filter(status=status)
    return rows
