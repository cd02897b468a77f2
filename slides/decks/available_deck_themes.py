"""The themes from which a tenant can choose: built-in ones and its own. Needs the tenant set."""

from uuid import UUID

from slides.models import DeckTheme
from slides.theming.deck_themes import BUILT_IN, Theme


def themes() -> list[Theme]:
    own = DeckTheme.objects.select_related("logo").order_by("name")
    return [*BUILT_IN, *(row.value for row in own)]


def theme_called(id_: str) -> Theme | None:
    """Return a theme by its id: the name of a built-in one, or the key of one of the tenant's own."""
    built_in = {theme.id: theme for theme in BUILT_IN}
    if id_ in built_in:
        return built_in[id_]
    try:
        row = DeckTheme.objects.select_related("logo").filter(pk=UUID(id_)).first()
    except ValueError:
        return None
    return row.value if row else None
