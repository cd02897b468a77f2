"""The page of a deck: its strip, one large slide, and the forms to change it. Works without scripts."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from research.llm.model_settings import can_draw
from research.web.decks.deck_labels import LAYOUTS, reason_of
from research.web.decks.deck_view import build_slide_view, file_rows, strip_of, version_rows
from research.web.decks.slide_form import SlideForm
from research.web.decks.slide_pictures_page import last_picture
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import find, may_write, members_only, wants_fragment
from slides.deck import Slide
from slides.decks.available_deck_themes import themes
from slides.models import Deck, DeckVersion
from slides.theming.deck_fonts import describe_missing_fonts


@members_only
@require_safe
@never_cache
def deck(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    row = find(Deck.objects.select_related("run"), deck_id)
    if not row.outlined_by:
        return deck_state_page(request, row)
    version = version_asked_for(request, row)
    return deck_response(request, version, number_asked_for(request, version.slide_count))


def deck_state_page(request: HttpRequest, row: Deck) -> HttpResponse:
    """Render the page of a deck that has no slides yet, or never will."""
    shown = {
        "deck": row,
        "run": row.run,
        "reason": reason_of(row.error_code, row.error),
        "may_write": may_write(request),
    }
    return render(request, "research/decks/deck_waiting.html", shown)


@members_only
@require_safe
@never_cache
def deck_state(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Render the fragment that the page polls while the deck is made."""
    row = find(Deck.objects.select_related("run"), deck_id)
    if not wants_fragment(request):
        return redirect("research:deck", deck_id)
    shown = {"deck": row, "reason": reason_of(row.error_code, row.error), "may_write": may_write(request)}
    response = render(request, "research/decks/_deck_state.html", shown)
    if row.outlined_by:
        response.headers["HX-Refresh"] = "true"
    return response


def version_asked_for(request: HttpRequest, row: Deck) -> DeckVersion:
    """Return the version that the address names, by default the newest. Raises Http404."""
    versions = DeckVersion.objects.filter(deck=row).select_related("deck", "deck__run")
    number = whole(request.GET.get("version", ""), -1)
    found = versions if number < 0 else versions.filter(number=number)
    version = found.order_by("-number").first()
    if version is None:
        raise Http404
    return version


def number_asked_for(request: HttpRequest, count: int) -> int:
    """Return a number from 1 to `count`; an invalid one becomes 1, a larger one `count`."""
    return min(max(whole(request.GET.get("slide", "")), 1), count)


def deck_response(
    request: HttpRequest,
    version: DeckVersion,
    number: int,
    *,
    form: SlideForm | None = None,
    wished: str | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page. `form` and `wished` (the request for a picture) hold refused input; `refusal` is the reason."""
    value, theme = version.value, version.theme_value
    versions = version_rows(DeckVersion.objects.filter(deck_id=version.deck_id))
    slide: Slide = value.slides[number - 1]
    is_newest = versions[0].version.pk == version.pk
    choices = themes()
    files = file_rows(version)
    shown = {
        "deck": version.deck,
        "run": version.deck.run,
        "version": version,
        "value": value,
        "theme": theme,
        "themes": choices,
        "is_theme_known": any(choice.id == theme.id for choice in choices),
        "is_theme_old": any(choice.id == theme.id and choice != theme for choice in choices),
        "strip": strip_of(value, theme, number),
        "shown": build_slide_view(value, theme, number),
        "can_draw": can_draw(),
        "wished": slide.visual_suggestion if wished is None else wished,
        "drawn": last_picture(version.deck),
        "form": form or SlideForm(slide, value.claim_of),
        "refusal": refusal,
        "versions": versions,
        "is_newest": is_newest,
        "newest_number": versions[0].version.number,
        "may_restore": may_write(request) and not is_newest,
        "may_write": may_write(request) and is_newest,
        "layouts": [(layout, words) for layout, words in LAYOUTS.items()],
        "font_notes": [*describe_missing_fonts(theme, value.letters)],
        "files": files,
        "is_under_way": any(row.file and row.file.is_open for row in files),
    }
    return render(request, "research/decks/deck.html", shown, status=status)
