"""The page of a document in the library: its text, the runs that used it, and its actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exports.labels.document_labels import folder_name
from research.library.change_library_documents import ChangeRefused, is_added_page, move_document, read_again
from research.library.library_folders import UPLOADS, WEB, is_of_uploads, library_folders
from research.library.remove_library_documents import delete_document
from research.models import Content, DocumentStatus, LibraryDocument, Source
from research.web.library.library_forms import FolderForm
from research.web.library.library_page import address_of
from research.web.report.frozen_text_view import CitedPassages, build_paragraph_groups, parts, stretches
from research.web.report.source_page import TextView, number_in
from research.web.site.view_access import find, may_write, members_only, writers_only

MAX_USES = 20
UNREAD = (DocumentStatus.PENDING, DocumentStatus.READING)


@dataclass(frozen=True, slots=True)
class Uses:
    """The runs that used a document as a source, newest first; `total` includes those that are not listed."""

    sources: Sequence[Source]
    total: int


@members_only
@require_safe
def document(request: HttpRequest, document_id: UUID) -> HttpResponse:
    found = find(_rows(), document_id)
    return _page(request, found, FolderForm(initial={"folder": _folder_typed(found)}))


@writers_only
@require_POST
def reread(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """Have the document read again; the page shows the outcome."""
    found = find(LibraryDocument.objects.all(), document_id)
    try:
        read_again(found)
    except ChangeRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("research:document", document_id)


@writers_only
@require_POST
def move(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """Move the document into another folder of the uploads."""
    found, form = find(_rows(), document_id), FolderForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    folder = form.cleaned_data["folder"]
    try:
        move_document(found, folder)
    except ChangeRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("It is now in “%(folder)s”.") % {"folder": folder_name(folder)})
    return redirect("research:document", document_id)


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, document_id: UUID) -> HttpResponseBase:
    """Delete the document, after a confirmation page unless a dialog has asked already."""
    document = find(LibraryDocument.objects.select_related("content").only(*_OF_A_DELETION), document_id)
    if request.method != "POST":
        shown = {"document": document, "uses": _uses(document), "is_of_folder": _is_of_folder(document)}
        return render(request, "research/library/delete_document.html", shown)
    deleted = delete_document(document_id)
    if deleted is not None:
        messages.success(request, _describe_deletion(deleted.name, deleted.runs))
    return redirect(address_of(document.folder) if _has_documents(document.folder) else "research:library")


_OF_A_DELETION = ("folder", "path", "url", "title", "content__id", "content__media_type")


def _rows() -> QuerySet[LibraryDocument]:
    rows = LibraryDocument.objects.select_related("content", "duplicate_of")
    return rows.defer("content__minhash", "content__tables")


def _page(request: HttpRequest, found: LibraryDocument, form: FolderForm, status: int = 200) -> HttpResponse:
    shown: dict[str, object] = {
        "document": found,
        "content": found.content,
        "passages": found.passages.count(),
        "uses": _uses(found),
        "form": form,
        "folder_names": [folder.name for folder in library_folders() if folder.can_be_renamed],
        "is_waiting": found.status in UNREAD,
        "is_added_page": is_added_page(found),
        "is_of_folder": _is_of_folder(found),
        "can_be_moved": is_of_uploads(found.folder),
        "can_be_reread": found.folder != WEB,
        "may_write": may_write(request),
    }
    if found.content is not None:
        shown["text_view"] = _text_view(request, found.content)
    return render(request, "research/library/document.html", shown, status=status)


def _folder_typed(found: LibraryDocument) -> str:
    return "" if found.folder == UPLOADS else folder_name(found.folder)


def _is_of_folder(found: LibraryDocument) -> bool:
    """Return True if the document's file is on the server and the library only reads it."""
    return found.folder != WEB and not is_of_uploads(found.folder)


def _has_documents(folder: str) -> bool:
    return LibraryDocument.objects.filter(folder=folder).exists()


def _uses(found: LibraryDocument) -> Uses:
    sources = (
        Source.objects.filter(library_document=found).select_related("run").defer("run__plan", "run__outline")
    )
    cited = Count("citations", filter=Q(citations__claim__section__isnull=False))
    newest = list(sources.annotate(cited=cited).order_by("-created_at")[: MAX_USES + 1])
    total = len(newest) if len(newest) <= MAX_USES else sources.count()
    return Uses(newest[:MAX_USES], total)


def _text_view(request: HttpRequest, content: Content) -> TextView:
    found = parts(stretches(content.text, content.blocks))
    part = number_in(request, "part", len(found)) or 1
    return TextView(
        build_paragraph_groups(content.text, found[part - 1], CitedPassages(())), part, len(found)
    )


def _describe_deletion(name: str, runs: int) -> str:
    if not runs:
        return _("“%(name)s” was deleted.") % {"name": name}
    text = ngettext(
        "“%(name)s” was deleted. %(count)d run has read it and keeps its saved copy.",
        "“%(name)s” was deleted. %(count)d runs have read it and keep their saved copy.",
        runs,
    )
    return text % {"name": name, "count": runs}
