"""Edits a deck on its page: each action is a form that names the version it was made for."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from research.web.decks.deck_page import deck_response
from research.web.decks.slide_form import SlideForm
from research.web.decks.slide_pictures_page import have_drawn, picture_drawn, picture_sent
from research.web.site.page_request_numbers import whole
from research.web.site.view_access import find, person, writers_only
from slides.deck import ChartKind, Layout
from slides.decks import edit_slides as editing
from slides.decks.available_deck_themes import theme_called
from slides.decks.deck_versions import change_slides, change_theme, newest, restore
from slides.decks.edit_slides import SlideEditRefused, Slides
from slides.decks.request_deck import DeckRefused
from slides.models import Change, Deck, DeckVersion

Edit = Callable[[Slides], Slides]


@writers_only
@require_POST
def change_deck(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Carry out one action. If it is refused, show the reason and keep the input."""
    deck = find(Deck.objects.exclude(outlined_by=""), deck_id)
    seen = _find_form_version(deck, request.POST)
    number = min(max(_number(request.POST, "slide"), 1), seen.slide_count)
    act = request.POST.get("act", "")
    if act == "words":
        return _reword(request, seen, number)
    if act == "draw":
        return _draw(request, seen, number)
    try:
        number = _do(request, seen, act, number)
    except SlideEditRefused as refused:
        messages.error(request, str(refused))
    return redirect(address(deck.pk, number))


def address(deck_id: UUID, number: int) -> str:
    return f"{reverse('research:deck', args=[deck_id])}?slide={number}#slide"


def _find_form_version(deck: Deck, given: QueryDict) -> DeckVersion:
    """Return the version that the form was made for. Raises Http404."""
    found = DeckVersion.objects.select_related("deck", "deck__run").filter(
        deck=deck, number=_number(given, "version")
    )
    version = found.first()
    if version is None:
        raise Http404
    return version


def _number(given: Mapping[str, object], name: str) -> int:
    return whole(str(given.get(name, "")))


def _reword(request: HttpRequest, seen: DeckVersion, number: int) -> HttpResponse:
    value = seen.value
    form = SlideForm(value.slides[number - 1], value.claim_of, request.POST)
    if not form.is_valid():
        return deck_response(request, seen, number, form=form, status=422)
    words = form.words
    try:
        change_slides(
            seen,
            Change.REWORDED,
            lambda slides: editing.reword_slide(slides, number, words),
            person(request),
            number,
        )
    except SlideEditRefused as refused:
        now = newest(seen.deck)
        kept = min(number, now.slide_count)
        return deck_response(request, now, kept, form=form, refusal=str(refused), status=409)
    messages.success(request, _("The slide was saved as a new version."))
    return redirect(address(seen.deck_id, number))


def _draw(request: HttpRequest, seen: DeckVersion, number: int) -> HttpResponse:
    words = " ".join(request.POST.get("seen", "").split())
    try:
        shown = have_drawn(seen, number, words, person(request))
    except (SlideEditRefused, DeckRefused) as refused:
        now = newest(seen.deck)
        kept = min(number, now.slide_count)
        return deck_response(request, now, kept, wished=words, refusal=str(refused), status=422)
    return redirect(address(seen.deck_id, shown))


def _do(request: HttpRequest, seen: DeckVersion, act: str, number: int) -> int:
    """Carry out the action; return the number of the slide to show then. Raises SlideEditRefused and Http404."""
    given, who = request.POST, person(request)
    if act == "theme":
        theme = theme_called(given.get("theme", ""))
        if theme is None:
            raise SlideEditRefused(_("This theme no longer exists. Choose another."))
        change_theme(seen, theme, who)
        return number
    if act == "restore":
        restore(seen, _number(given, "restored"), who)
        return number
    if act in ("picture", "drawn"):
        image = picture_sent(request) if act == "picture" else picture_drawn(seen.deck, given)
        change_slides(
            seen, Change.PICTURED, lambda slides: editing.set_slide_image(slides, number, image), who, number
        )
        return number
    if act not in _ACTS:
        raise Http404
    change, edit, goes_to = _ACTS[act](seen, given, number)
    now = change_slides(seen, change, edit, who, number)
    return min(max(goes_to, 1), now.slide_count)


_Planned = tuple[Change, Edit, int]


def _move(by: int) -> Callable[[DeckVersion, QueryDict, int], _Planned]:
    return lambda _seen, _given, number: (
        Change.MOVED,
        lambda slides: editing.move_slide(slides, number, by),
        number + by,
    )


def _add(_seen: DeckVersion, given: QueryDict, number: int) -> _Planned:
    layout, title = _layout(given), _("New slide")
    return Change.ADDED, lambda slides: editing.add_slide(slides, number, layout, title), number + 1


def _delete(_seen: DeckVersion, _given: QueryDict, number: int) -> _Planned:
    return Change.DELETED, lambda slides: editing.without(slides, number), number


def _relay(_seen: DeckVersion, given: QueryDict, number: int) -> _Planned:
    layout = _layout(given)
    return Change.LAID_OUT, lambda slides: editing.change_layout(slides, number, layout), number


def _rechart(_seen: DeckVersion, given: QueryDict, number: int) -> _Planned:
    kind = given.get("chart", "")
    if kind not in set(ChartKind):
        raise Http404
    return Change.LAID_OUT, lambda slides: editing.change_chart_kind(slides, number, ChartKind(kind)), number


def _split(_seen: DeckVersion, _given: QueryDict, number: int) -> _Planned:
    return Change.FITTED, lambda slides: editing.split_slide(slides, number), number


def _unpicture(_seen: DeckVersion, _given: QueryDict, number: int) -> _Planned:
    return Change.PICTURED, lambda slides: editing.set_slide_image(slides, number, None), number


def _state(seen: DeckVersion, given: QueryDict, number: int) -> _Planned:
    claim = seen.value.claim_of.get(_number(given, "claim"))
    if claim is None:
        raise SlideEditRefused(_("Choose a claim of the report."))
    return Change.REWORDED, lambda slides: editing.add_claim_passage(slides, number, claim), number


def _layout(given: QueryDict) -> Layout:
    """Return the layout. Raises Http404."""
    layout = given.get("layout", "")
    if layout not in set(Layout):
        raise Http404
    return Layout(layout)


_ACTS: Mapping[str, Callable[[DeckVersion, QueryDict, int], _Planned]] = {
    "up": _move(-1),
    "down": _move(1),
    "add": _add,
    "delete": _delete,
    "layout": _relay,
    "chart": _rechart,
    "split": _split,
    "unpicture": _unpicture,
    "claim": _state,
}
