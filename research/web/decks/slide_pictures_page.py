"""Pictures of slides: uploaded, or drawn by a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from research.web.decks.deck_labels import reason_of
from research.web.site.view_access import find, members_only, person, wants_fragment
from slides.deck import Layout, SlideImage
from slides.decks import edit_slides
from slides.decks.deck_pictures import PictureRefused, image_of, store_picture
from slides.decks.deck_versions import change_slides
from slides.decks.edit_slides import SlideEditRefused
from slides.decks.request_deck import MAX_WORDS, request_picture
from slides.models import Change, Deck, DeckVersion, DrawnPicture


@dataclass(frozen=True, slots=True)
class LastPicture:
    """The last picture that was requested from a model."""

    row: DrawnPicture

    @property
    def reason(self) -> str:
        return reason_of(self.row.error_code, self.row.error)


def last_picture(deck: Deck) -> LastPicture | None:
    row = DrawnPicture.objects.filter(version__deck=deck).order_by("-created_at").first()
    return LastPicture(row) if row else None


def picture_sent(request: HttpRequest) -> SlideImage:
    """Store the uploaded picture. Raises SlideEditRefused if it is not a picture or has no description."""
    given, alt = request.FILES.get("picture"), " ".join(request.POST.get("alt", "").split())
    if not isinstance(given, UploadedFile):
        raise SlideEditRefused(_("Choose a picture from your files."))
    if not alt or len(alt) > MAX_WORDS or "\x00" in alt:
        raise SlideEditRefused(
            _("Say in one or two sentences what the picture shows: not everybody can see it.")
        )
    try:
        return image_of(store_picture(given.read(), person(request)), alt)
    except PictureRefused as refused:
        raise SlideEditRefused(str(refused)) from refused


def picture_drawn(deck: Deck, given: Mapping[str, object]) -> SlideImage:
    """Return the picture that the page offers. Raises SlideEditRefused if it is gone."""
    last = last_picture(deck)
    if last is None or last.row.picture is None or str(last.row.pk) != given.get("drawn"):
        raise SlideEditRefused(_("This picture no longer exists. Have another one drawn."))
    DrawnPicture.objects.filter(pk=last.row.pk).update(is_placed=True)
    return image_of(last.row.picture, last.row.words)


def have_drawn(seen: DeckVersion, number: int, words: str, who: User) -> int:
    """Request a picture of the slide, or of a new slide after it if it cannot show one; return the slide's number.

    Raises SlideEditRefused and DeckRefused, which change nothing.
    """
    with transaction.atomic():
        slide = edit_slides.slide_at(seen.value.slides, number)
        if slide.layout != Layout.IMAGE:
            seen = change_slides(
                seen,
                Change.ADDED,
                lambda slides: edit_slides.add_slide(slides, number, Layout.IMAGE, slide.title),
                who,
                number,
            )
            number += 1
        request_picture(seen, number, words, who)
    return number


@members_only
@require_safe
@never_cache
def deck_picture(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Render the fragment that the page polls while a picture is drawn, so that typed text stays."""
    deck = find(Deck.objects.exclude(outlined_by=""), deck_id)
    last = last_picture(deck)
    if last is None or not wants_fragment(request):
        return redirect("research:deck", deck_id)
    return render(request, "research/decks/_deck_drawn.html", {"deck": deck, "drawn": last})
