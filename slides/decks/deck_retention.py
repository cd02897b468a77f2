"""Retention of the stored files, images and versions of decks. Needs the tenant set.

Files expire like those of reports, after the workspace's period for files. Other data of that age are deleted if they
are not needed: images of slides, which can be rendered again; pictures that are not shown anywhere; and, for decks
that were changed very often, the versions between the first and the newest ones.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from exports.files.export_expiry import expire_of
from research.accounts.workspace_retention_periods import file_days
from research.library.store_uploads import lock_uploads
from slides.models import Deck, DeckFile, DeckTheme, DeckVersion, Picture, RenderedSlide

KEPT_VERSIONS = 100  # newest versions of a deck; the first, which was made from the report, is kept as well


def expire_files() -> list[str]:
    """Mark the expired files, and return their object keys."""
    return expire_of(DeckFile.objects.all())


def forget_old() -> None:
    """Delete old rows; the cleanup deletes the stored bytes of all objects that no row names."""
    old = Q(created_at__lt=Now() - timedelta(days=file_days()))
    _between().filter(old).delete()
    RenderedSlide.objects.filter(old).delete()
    lock_uploads()  # prevents others from using an existing picture while it is deleted
    unseen = [row.pk for row in Picture.objects.filter(old) if not _is_shown(row.object_key)]
    Picture.objects.filter(pk__in=unseen).delete()


def _between() -> QuerySet[DeckVersion]:
    newest = DeckVersion.objects.filter(deck=OuterRef("deck")).order_by("-number").values("number")[:1]
    return DeckVersion.objects.filter(number__gt=1, number__lte=Subquery(newest) - KEPT_VERSIONS)


def _is_shown(key: str) -> bool:
    """Return True if a slide of any version or a theme's logo shows the picture."""
    on_slide = Q(slides__contains=[{"image": {"key": key}}])
    return (
        DeckVersion.objects.filter(on_slide | Q(theme__logo=key)).exists()
        or Deck.objects.filter(theme__logo=key).exists()
        or DeckTheme.objects.filter(logo__object_key=key).exists()
    )


def find_referenced_keys(keys: Iterable[str]) -> frozenset[str]:
    """Return those of the keys that a file, an image of a slide or a picture names."""
    wanted = list(keys)
    return frozenset().union(
        *(
            table.objects.filter(object_key__in=wanted).values_list("object_key", flat=True)
            for table in (DeckFile, RenderedSlide, Picture)
        )
    )
