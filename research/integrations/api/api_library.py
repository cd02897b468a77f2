"""The library: list, add and remove documents."""

from typing import Annotated
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import File, Form, Query, Router, Status
from ninja.files import UploadedFile
from pydantic import BaseModel, Field

from exports.building.build_document_evidence import HEAVY_CONTENT
from research.db.tenancy import current_tenant_id
from research.integrations.api.api_auth import NEEDS
from research.integrations.api.api_lookup import find
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import FieldFault, Problem
from research.integrations.api.api_schemas import DocumentOut, document_out
from research.library.library_folders import MAX_NAME, BadFolderName, upload_folder
from research.library.remove_library_documents import delete_document
from research.library.store_uploads import MAX_FILE, UploadRefused, safe_name, store_upload
from research.library.waiting_library_documents import request_reading
from research.models import LibraryDocument, Scope
from research.models.library_models import DocumentStatus

router = Router(tags=["library"])
NEEDED = NEEDS[Scope.LIBRARY]


class Into(BaseModel):
    """The destination of an uploaded file: the name of a folder in the uploads, or empty for the uploads themselves."""

    folder: str = Field("", max_length=MAX_NAME)


class DocumentsWanted(BaseModel):
    """The filters of a list of documents: the key of a folder, words in the title or name, a status."""

    folder: str = Field("", max_length=500)
    q: str = Field("", max_length=200)
    status: DocumentStatus | None = None


@router.get("/library/documents", response=ListOf[DocumentOut], auth=NEEDED, summary="List documents")
def list_documents(
    request: HttpRequest, page: Paged, wanted: Annotated[DocumentsWanted, Query()]
) -> ListOf[DocumentOut]:
    rows = LibraryDocument.objects.select_related("content").defer(*HEAVY_CONTENT)
    rows = rows.filter(folder=wanted.folder) if wanted.folder else rows
    rows = rows.filter(status=wanted.status) if wanted.status else rows
    if wanted.q:
        rows = rows.filter(Q(title__icontains=wanted.q) | Q(path__icontains=wanted.q))
    found, following = rows_after(rows, page, newest_first=True)
    return ListOf[DocumentOut](items=list(map(document_out, found)), next=following)


@router.post("/library/documents", response={201: DocumentOut}, auth=NEEDED, summary="Add a document")
def upload_document(
    request: HttpRequest,
    response: HttpResponse,
    file: File[UploadedFile],
    into: Form[Into],
) -> Status[DocumentOut]:
    """Upload a file of at most 50 MB into a folder. A worker reads it: `status` shows the progress.

    The same file under the same name is the same document.
    """
    name = safe_name(file.name or "")
    try:
        row = store_upload(name, bytes(file.read(MAX_FILE + 1)), upload_folder(into.folder))
    except BadFolderName as refusal:
        fault = FieldFault(field="form.folder", message=str(refusal))
        raise Problem("invalid", str(refusal), errors=[fault]) from refusal
    except UploadRefused as refusal:
        raise Problem("refused", str(refusal)) from refusal
    request_reading(current_tenant_id())
    response.headers["Location"] = f"/api/v1/library/documents/{row.pk}"
    return Status(201, document_out(row))


@router.get(
    "/library/documents/{uuid:document_id}",
    response=DocumentOut,
    auth=NEEDED,
    summary="Read a document's details",
)
def read_document(request: HttpRequest, document_id: UUID) -> DocumentOut:
    return document_out(find(LibraryDocument.objects.select_related("content"), document_id))


@router.delete(
    "/library/documents/{uuid:document_id}", response={204: None}, auth=NEEDED, summary="Delete a document"
)
def remove_document(request: HttpRequest, document_id: UUID) -> Status[None]:
    """Remove a document. Runs that have read it keep their saved copy."""
    if delete_document(document_id) is None:
        raise Problem("not_found", _("There is no such document."))
    return Status(204, None)
