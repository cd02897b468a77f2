"""The library page: adds files and web pages, renames folders."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from exports.labels.document_labels import folder_name
from research.db.tenancy import current_tenant_id
from research.library.add_pages_to_library import AddedDocument, PageRefused, add_page
from research.library.change_library_documents import ChangeRefused, rename_folder
from research.library.library_folders import BadFolderName
from research.library.store_uploads import MAX_FILE, MAX_FILES, UploadRefused, safe_name, store_upload
from research.library.waiting_library_documents import request_reading
from research.web.library.document_list_page import show_list
from research.web.library.library_forms import FolderNameForm, PagesForm, UploadForm
from research.web.site.view_access import wants_fragment, writers_only


@dataclass(frozen=True, slots=True)
class UploadResult:
    """The outcome of a file's upload; `refusal` says why it was not stored."""

    name: str
    refusal: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def library(request: HttpRequest) -> HttpResponseBase:
    return _upload(request) if request.method == "POST" else show_list(request)


@writers_only
def _upload(request: HttpRequest) -> HttpResponseBase:
    form = UploadForm(request.POST, request.FILES, auto_id="upload_%s")
    if not form.is_valid():
        if wants_fragment(request):
            return render(request, "research/library/_error_list.html", {"form": form}, status=422)
        return show_list(request, upload=form, status=422)
    files, folder = form.cleaned_data["documents"], form.cleaned_data["folder"]
    kept = [_keep(file, folder) for file in files[:MAX_FILES]]
    if not all(outcome.refusal for outcome in kept):
        request_reading(current_tenant_id())
    if wants_fragment(request):
        shown = {"kept": kept, "left": max(0, len(files) - MAX_FILES), "folder": folder}
        return render(request, "research/library/_upload_outcomes.html", shown)
    _tell(request, kept, len(files) - MAX_FILES)
    return redirect(address_of(folder))


@writers_only
@require_POST
def add_pages(request: HttpRequest) -> HttpResponseBase:
    """Add pages by their addresses; workers fetch them."""
    form = PagesForm(request.POST, auto_id="pages_%s")
    if not form.is_valid():
        return show_list(request, pages=form, status=422)
    folder = form.cleaned_data["folder"]
    added = [
        outcome for url in form.cleaned_data["addresses"] if (outcome := _try_add_page(request, url, folder))
    ]
    _tell_pages(request, added)
    return redirect(address_of(folder))


@writers_only
@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Rename a folder of the uploads."""
    key, form = request.POST.get("key", ""), FolderNameForm(request.POST)
    if not form.is_valid():
        for error in form["name"].errors:
            messages.error(request, str(error))
        return redirect(address_of(key))
    try:
        new = rename_folder(key, form.cleaned_data["name"])
    except (ChangeRefused, BadFolderName) as refusal:
        messages.error(request, str(refusal))
        return redirect(address_of(key))
    messages.success(request, _("The folder was renamed."))
    return redirect(address_of(new))


def address_of(folder: str) -> str:
    """Return the URL of the list of a folder's documents."""
    return f"{reverse('research:library')}?{urlencode({'folder': folder})}"


def _keep(file: "UploadedFile[bytes]", folder: str) -> UploadResult:
    """Store a file for a worker to read. If it is refused, the other files are not affected."""
    name = safe_name(file.name or "")
    try:
        store_upload(name, _bytes_of(file), folder)
    except UploadRefused as refusal:
        return UploadResult(name, str(refusal))
    return UploadResult(name)


def _bytes_of(file: "UploadedFile[bytes]") -> bytes:
    """Read at most one byte more than the limit, so that a larger file can be refused."""
    return bytes(file.read(MAX_FILE + 1))


def _tell(request: HttpRequest, kept: Sequence[UploadResult], left: int) -> None:
    for result in kept:
        if result.refusal:
            messages.error(request, result.refusal)
    if left > 0:
        text = ngettext(
            "%(count)d file was left out: at most %(most)d at once. Upload it again.",
            "%(count)d files were left out: at most %(most)d at once. Upload them again.",
            left,
        )
        messages.warning(request, text % {"count": left, "most": MAX_FILES})
    if added := sum(not result.refusal for result in kept):
        text = ngettext(
            "%(count)d file was added; it is being read.",
            "%(count)d files were added; they are being read.",
            added,
        )
        messages.success(request, text % {"count": added})


def _try_add_page(request: HttpRequest, url: str, folder: str) -> AddedDocument | None:
    try:
        return add_page(url, folder)
    except PageRefused as refusal:
        messages.error(request, str(refusal))
        return None


def _tell_pages(request: HttpRequest, added: Sequence[AddedDocument]) -> None:
    for document in added:
        if not document.is_new:
            text = _("“%(page)s” is already in the library, in the folder “%(folder)s”.")
            where = folder_name(document.document.folder)
            messages.info(request, text % {"page": document.document, "folder": where})
    if new := sum(document.is_new for document in added):
        text = ngettext(
            "%(count)d page was added; it is being fetched and read.",
            "%(count)d pages were added; they are being fetched and read.",
            new,
        )
        messages.success(request, text % {"count": new})
