"""Slides of reports: request a deck, follow its progress, download it."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router, Status
from pydantic import Field

from exports.files.export_file_state import ExportState
from research.accounts.api_tokens import ApiCaller
from research.accounts.audit.write_audit_trail import record
from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_lookup import find, find_run
from research.integrations.api.api_paging import ListOf, Paged, rows_after
from research.integrations.api.api_problems import Problem
from research.integrations.api.api_schemas import Out
from research.integrations.api.api_stored_files import send_file
from research.models import Act, Scope
from slides.decks.available_deck_themes import theme_called, themes
from slides.decks.request_deck import DeckRefused, DeckRequest, request_deck, request_file
from slides.models import Deck, DeckFile, DeckVersion, Length, Mode, Outline

router = Router(tags=["slides"])
NEEDED = NEEDS[Scope.EXPORTS]


class DeckIn(Sent):
    """A request for a deck. `theme` is the id of a built-in theme or the key of one of the workspace; empty: the
    first.
    """

    theme: str = Field("", max_length=100)
    length: Length = Length.STANDARD
    outline: Outline = Outline.RULES
    language: str = Field("en", max_length=10)


class DeckFileIn(Sent):
    mode: Mode


class DeckOut(Out):
    id: UUID
    run: UUID
    title: str
    state: ExportState
    slides: int  # of the newest version; 0: not made yet
    error: str
    note: str  # why rules made the outline although a model was requested


class DeckFileOut(Out):
    id: UUID
    deck: UUID
    mode: Mode
    state: ExportState
    filename: str
    file_size: int
    error: str


def deck_out(deck: Deck) -> DeckOut:
    newest = DeckVersion.objects.filter(deck=deck).order_by("-number").first()
    return DeckOut(
        id=deck.pk,
        run=deck.run_id,
        title=deck.title,
        state=ExportState(deck.state),
        slides=newest.slide_count if newest else 0,
        error=deck.error,
        note=deck.note,
    )


def file_out(file: DeckFile, deck_id: UUID) -> DeckFileOut:
    return DeckFileOut(
        id=file.pk,
        deck=deck_id,
        mode=Mode(file.mode),
        state=ExportState(file.state),
        filename=file.filename,
        file_size=file.file_size or 0,
        error=file.error,
    )


@router.post("/runs/{uuid:run_id}/decks", response={202: DeckOut}, auth=NEEDED, summary="Create slides")
def create_deck(request: HttpRequest, response: HttpResponse, run_id: UUID, asked: DeckIn) -> Status[DeckOut]:
    """Request a deck. Poll it until `state` is ready, then request a file of it."""
    made = start_deck(caller_of(request), run_id, asked)
    response.headers["Location"] = f"/api/v1/decks/{made.id}"
    return Status(202, made)


def start_deck(caller: ApiCaller, run_id: UUID, asked: DeckIn) -> DeckOut:
    """Request a deck. Raises Problem."""
    run = find_run(run_id)
    theme = theme_called(asked.theme) if asked.theme else themes()[0]
    if theme is None:
        theme_ids = ", ".join(choice.id for choice in themes())
        words = _("There is no theme “%(theme)s”. Available themes: %(known)s.")
        raise Problem("refused", words % {"theme": asked.theme, "known": theme_ids})
    if asked.language not in dict(settings.LANGUAGES):
        raise Problem("refused", _("There are no slides in this language."))
    wish = DeckRequest(theme, asked.outline, asked.length, asked.language)
    try:
        deck = request_deck(run, wish, caller.user())
    except DeckRefused as refusal:
        raise Problem("conflict", str(refusal)) from refusal
    record(Act.DECK_CHANGE, on=deck)
    return deck_out(deck)


@router.get("/runs/{uuid:run_id}/decks", response=ListOf[DeckOut], auth=NEEDED, summary="List slides")
def list_decks(request: HttpRequest, run_id: UUID, page: Paged) -> ListOf[DeckOut]:
    """List decks, newest first."""
    find_run(run_id)
    found, following = rows_after(Deck.objects.filter(run=run_id), page, newest_first=True)
    return ListOf[DeckOut](items=list(map(deck_out, found)), next=following)


@router.get("/decks/{uuid:deck_id}", response=DeckOut, auth=NEEDED, summary="Read the progress of slides")
def read_deck(request: HttpRequest, deck_id: UUID) -> DeckOut:
    return deck_out(find(Deck.objects.all(), deck_id))


@router.post(
    "/decks/{uuid:deck_id}/files", response={202: DeckFileOut}, auth=NEEDED, summary="Export slides to a file"
)
def create_deck_file(request: HttpRequest, deck_id: UUID, asked: DeckFileIn) -> Status[DeckFileOut]:
    """Request a file of the newest version; the same request returns the same file."""
    deck = find(Deck.objects.all(), deck_id)
    version = DeckVersion.objects.filter(deck=deck).order_by("-number").first()
    if version is None:
        raise Problem("conflict", _("The slides are not ready yet."))
    try:
        file = request_file(version, asked.mode, caller_of(request).user())
    except DeckRefused as refusal:
        raise Problem("conflict", str(refusal)) from refusal
    record(Act.EXPORT_MAKE, on=deck)
    return Status(202, file_out(file, deck_id))


@router.get(
    "/decks/{uuid:deck_id}/files/{uuid:file_id}",
    response=DeckFileOut,
    auth=NEEDED,
    summary="Read the progress of an export",
)
def read_deck_file(request: HttpRequest, deck_id: UUID, file_id: UUID) -> DeckFileOut:
    return file_out(find(DeckFile.objects.filter(version__deck=deck_id), file_id), deck_id)


@router.get(
    "/decks/{uuid:deck_id}/files/{uuid:file_id}/file",
    auth=NEEDED,
    summary="Download slides",
    openapi_extra={
        "responses": {
            200: {
                "description": "The file, of the media type that its mode has.",
                "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def download_deck(request: HttpRequest, deck_id: UUID, file_id: UUID) -> HttpResponse:
    """Download the file: 409 while it is being made or if that failed, 410 once it is gone."""
    from slides.decks.write_deck_file import MEDIA_TYPES  # loads the writers, which no other operation needs

    row = find(DeckFile.objects.filter(version__deck=deck_id), file_id)
    return send_file(row, MEDIA_TYPES[Mode(row.mode)])
