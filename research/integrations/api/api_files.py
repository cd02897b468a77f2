"""Files of reports: request one, follow its progress, download it."""

from uuid import UUID

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router, Status

from citations.citation_styles import CitationStyle
from exports.files.request_export import ExportRefused, available, request_export
from exports.formats.export_formats import Format
from exports.formats.export_options import ExportOptions
from exports.models import Export
from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import ExportOut, export_out
from research.integrations.api.api_stored_files import send_file
from research.models import Scope

router = Router(tags=["exports"])
NEEDED = NEEDS[Scope.EXPORTS]


class AskedFile(Sent):
    format: Format
    citation_style: CitationStyle = CitationStyle.APA
    include_appendix: bool = True
    include_sources: bool = True
    include_raw_data: bool = False
    language: str = "en"


@router.post(
    "/runs/{uuid:run_id}/exports", response={202: ExportOut}, auth=NEEDED, summary="Export a run to a file"
)
def create_export(
    request: HttpRequest, response: HttpResponse, run_id: UUID, asked: AskedFile
) -> Status[ExportOut]:
    """Request an export; the same request returns the same file. Poll it until `state` is ready."""
    run = find_run(run_id)
    if asked.format not in {file_format.format for file_format in available()}:
        raise Problem("refused", _("Files of this format can't be made here."))
    options = ExportOptions(**asked.model_dump(exclude={"format"}))
    try:
        row = request_export(run, asked.format, options, caller_of(request).user())
    except ExportRefused as refusal:
        raise Problem("conflict", str(refusal)) from refusal
    response.headers["Location"] = f"/api/v1/runs/{run_id}/exports/{row.pk}"
    return Status(202, export_out(row))


@router.get("/runs/{uuid:run_id}/exports", response=ListOf[ExportOut], auth=NEEDED, summary="List files")
def list_exports(request: HttpRequest, run_id: UUID, page: Paged) -> ListOf[ExportOut]:
    """List files, newest first."""
    find_run(run_id)
    found, following = rows_after(Export.objects.filter(run=run_id), page, newest_first=True)
    return ListOf[ExportOut](items=list(map(export_out, found)), next=following)


@router.get(
    "/runs/{uuid:run_id}/exports/{uuid:export_id}",
    response=ExportOut,
    auth=NEEDED,
    summary="Read the progress of a file",
)
def read_export(request: HttpRequest, run_id: UUID, export_id: UUID) -> ExportOut:
    return export_out(find(Export.objects.filter(run=run_id), export_id))


@router.get(
    "/runs/{uuid:run_id}/exports/{uuid:export_id}/file",
    auth=NEEDED,
    summary="Download a file",
    openapi_extra={
        "responses": {
            200: {
                "description": "The file, of the media type that its format has.",
                "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def download(request: HttpRequest, run_id: UUID, export_id: UUID) -> HttpResponse:
    """Download the file: 409 while it is being made or if that failed, 410 once it is gone."""
    row = find(Export.objects.filter(run=run_id), export_id)
    response = send_file(row, row.writer.media_type)
    Export.objects.filter(pk=row.pk).update(download_count=F("download_count") + 1)
    return response
