"""Files of a deck, and the previews of its slides that the page frames."""

from uuid import UUID

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from exports.files.export_expiry import forget
from research.storage.object_store import ObjectError, get_object
from research.web.decks.deck_page import version_asked_for
from research.web.decks.deck_view import file_rows
from research.web.report.export_page import as_attachment
from research.web.site.view_access import find, members_only, person, wants_fragment
from slides.deck_writers import page_of
from slides.decks.request_deck import DeckRefused, make_again, request_file
from slides.decks.write_deck_file import MEDIA_TYPES, pictures_of
from slides.models import Deck, DeckFile, DeckVersion, Mode

# The frame runs no script, loads our fonts only, and can be embedded in our pages only.
SLIDE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src 'self' data:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)


def _files_of(deck_id: UUID) -> str:
    return f"{reverse('research:deck', args=[deck_id])}#files"


@members_only
@require_POST
def make_deck_files(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Export the newest version; an existing file, or one that is being made, is used."""
    deck = find(Deck.objects.exclude(outlined_by=""), deck_id)
    mode = request.POST.get("mode", "")
    if mode not in Mode.values:
        raise Http404
    version = DeckVersion.objects.filter(deck=deck).latest("number")
    try:
        request_file(version, Mode(mode), person(request))
    except DeckRefused as refused:
        messages.error(request, str(refused))
    return redirect(_files_of(deck_id))


@members_only
@require_safe
@never_cache
def deck_files(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Render the fragment that the page polls while files are made."""
    deck = find(Deck.objects.exclude(outlined_by=""), deck_id)
    if not wants_fragment(request):
        return redirect(_files_of(deck_id))
    files = file_rows(DeckVersion.objects.filter(deck=deck).latest("number"))
    shown = {
        "deck": deck,
        "files": files,
        "is_newest": True,
        "is_under_way": any(row.file and row.file.is_open for row in files),
    }
    return render(request, "research/decks/_deck_files.html", shown)


@members_only
@require_POST
def deck_file_again(request: HttpRequest, deck_id: UUID, file_id: UUID) -> HttpResponse:
    make_again(find(DeckFile.objects.filter(version__deck_id=deck_id), file_id))
    return redirect(_files_of(deck_id))


@members_only
@require_safe
@never_cache
def deck_file(request: HttpRequest, deck_id: UUID, file_id: UUID) -> HttpResponse:
    """Return the file as an attachment."""
    row = find(DeckFile.objects.filter(version__deck_id=deck_id), file_id)
    if not row.is_there:
        messages.info(request, _("This file no longer exists. You can create it again."))
        return redirect(_files_of(deck_id))
    try:
        data = get_object(row.object_key)
    except ObjectError as error:
        forget(row)
        messages.error(request, str(error))
        return redirect(_files_of(deck_id))
    if request.method == "GET":
        DeckFile.objects.filter(pk=row.pk).update(download_count=F("download_count") + 1)
    return as_attachment(data, row.filename, MEDIA_TYPES[Mode(row.mode)])


@members_only
@require_safe
@xframe_options_sameorigin
def slide_preview(request: HttpRequest, deck_id: UUID, number: int) -> HttpResponse:
    """Render one slide as a page for a frame. Its URL contains a hash of its contents, so that it may be cached."""
    deck = find(Deck.objects.select_related("run").exclude(outlined_by=""), deck_id)
    version = version_asked_for(request, deck)
    if not 1 <= number <= version.slide_count:
        raise Http404
    value, theme = version.value, version.theme_value
    slide, is_small = value.slides[number - 1], "small" in request.GET
    page = page_of(value, slide, theme, pictures_of(value, theme), with_fonts=not is_small)
    return build_frame_response(page)


def build_frame_response(page: str) -> HttpResponse:
    response = HttpResponse(page)
    response.headers["Content-Security-Policy"] = SLIDE_POLICY
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
