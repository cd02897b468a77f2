"""Send a stored file of a report or deck as a response."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from exports.files.export_expiry import forget
from exports.files.export_file_state import ExportState
from exports.models import Export
from research.integrations.api.api_problems import Problem
from research.storage.object_store import ObjectError, get_object
from slides.models import DeckFile


def send_file(row: Export | DeckFile, media_type: str) -> HttpResponse:
    """Return the file as a download.

    Raises Problem: "conflict" while it is being made or if that failed, "gone" if it no longer exists.
    """
    if not row.is_there:
        is_made = row.state in (ExportState.READY, ExportState.EXPIRED)
        raise Problem("gone" if is_made else "conflict", row.error)
    try:
        data = get_object(row.object_key)
    except ObjectError as error:
        forget(row)
        raise Problem("gone", str(error)) from error
    headers = {
        "Content-Disposition": content_disposition_header(True, row.filename) or "attachment",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(data, content_type=media_type, headers=headers)
