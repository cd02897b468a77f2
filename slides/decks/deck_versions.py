"""The versions of a deck: each change makes a new one, and any can be restored. Needs the tenant set."""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from slides.deck import Slide
from slides.decks.edit_slides import SlideEditRefused
from slides.decks.stored_deck import plain, renumber_slides, slides_of
from slides.models import Change, Deck, DeckVersion
from slides.theming.deck_themes import Theme

Slides = tuple[Slide, ...]


def newest(deck: Deck) -> DeckVersion:
    """Return the newest version. Raises DeckVersion.DoesNotExist before the deck is made."""
    return DeckVersion.objects.select_related("deck", "deck__run").filter(deck=deck).latest("number")


def change_slides(
    seen: DeckVersion,
    change: Change,
    act: Callable[[Slides], Slides],
    person: User | None,
    slide: int | None = None,
) -> DeckVersion:
    """Make a new version by applying `act` to the version that the person saw, unless that changes nothing.

    Raises SlideEditRefused, also if somebody else changed the deck in the meantime.
    """
    before = slides_of(seen.slides)
    after = act(before)
    if after == before:
        return seen
    return _add_version(seen, person, change=change, slides=renumber_slides(after), slide=slide)


def change_theme(seen: DeckVersion, theme: Theme, person: User) -> DeckVersion:
    """Change the theme. Raises SlideEditRefused if somebody else changed the deck in the meantime."""
    if theme == seen.theme_value:
        return seen
    return _add_version(seen, person, change=Change.THEMED, theme=plain(theme))


def restore(seen: DeckVersion, number: int, person: User) -> DeckVersion:
    """Restore an earlier version as the newest one. Raises SlideEditRefused."""
    old = DeckVersion.objects.filter(deck_id=seen.deck_id, number=number).first()
    if old is None:
        raise SlideEditRefused(_("There is no version %(number)d of this deck.") % {"number": number})
    kept = {"slides": slides_of(old.slides), "theme": old.theme, "title": old.title}
    return _add_version(seen, person, change=Change.RESTORED, slide=old.number, **kept)


def _add_version(seen: DeckVersion, person: User | None, **columns: object) -> DeckVersion:
    with transaction.atomic():
        Deck.objects.select_for_update(no_key=True).get(pk=seen.deck_id)
        if newest(seen.deck).number != seen.number:
            raise SlideEditRefused(
                _(
                    "The deck has been changed in the meantime, by somebody else or in another window. What "
                    "you entered is still below: look at the newest version and save it again."
                )
            )
        slides = columns.pop("slides", None)
        kept = slides if isinstance(slides, tuple) else slides_of(seen.slides)
        given = {"title": seen.title, "theme": seen.theme} | columns
        row = DeckVersion(
            deck=seen.deck,
            number=seen.number + 1,
            slides=kept,
            slide_count=len(kept),
            made_by=person,
            **given,
        )
        row.save(force_insert=True)
        return row
