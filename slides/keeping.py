"""Which stored bytes decks still need, and which files have had their time. Needs the tenant set."""

from collections.abc import Iterable

from exports.expiring import expire_of
from slides.models import DeckFile, Picture, RenderedSlide


def expire_files() -> list[str]:
    """The keys of the files that ended."""
    return expire_of(DeckFile.objects.all())


def named_keys(keys: Iterable[str]) -> frozenset[str]:
    """Those of the keys that a file, an image of a slide or a picture is kept under."""
    wanted = list(keys)
    return frozenset().union(
        *(
            table.objects.filter(object_key__in=wanted).values_list("object_key", flat=True)
            for table in (DeckFile, RenderedSlide, Picture)
        )
    )
