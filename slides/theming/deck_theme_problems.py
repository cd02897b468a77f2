"""Checks a theme, and describes its problems and their automatic corrections to its author."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from slides.theming.deck_colours import contrast, is_colour
from slides.theming.deck_theme_palettes import NoSeries, palette_of
from slides.theming.deck_themes import Theme

COLOURS: dict[str, Promise] = {
    "primary": gettext_lazy("primary colour"),
    "secondary": gettext_lazy("secondary colour"),
    "accent": gettext_lazy("accent colour"),
    "background": gettext_lazy("background"),
    "text": gettext_lazy("text colour"),
    "text_light": gettext_lazy("light text colour"),
}


@dataclass(frozen=True, slots=True)
class ThemeProblem:
    """A problem of one of the theme's fields. A `grave` one must be fixed; otherwise a shade of the colour is used."""

    field: str
    message: str
    is_grave: bool = False


def complaints(theme: Theme) -> tuple[ThemeProblem, ...]:
    """Return the problems; none if the theme passes both checks without corrections."""
    return tuple(_unusable(theme)) or tuple(_check_contrast(theme))


def _unusable(theme: Theme) -> Iterator[ThemeProblem]:
    for field, words in COLOURS.items():
        if not is_colour(getattr(theme, field)):
            yield ThemeProblem(
                field, _("The %(colour)s must be written as #RRGGBB.") % {"colour": words}, True
            )
            return
    for field in ("heading_font", "body_font"):
        if not getattr(theme, field).strip():
            yield ThemeProblem(field, _("Name a font."), True)
    try:
        palette_of(theme)
    except NoSeries:
        said = _(
            "Against this background, five colours for charts can't be told apart: choose a lighter or "
            "darker one."
        )
        yield ThemeProblem("background", said, True)


def _check_contrast(theme: Theme) -> Iterator[ThemeProblem]:
    palette = palette_of(theme)
    for field, shade in (
        ("text", palette.text),
        ("text_light", palette.muted),
        ("accent", palette.accent_text),
    ):
        colour = getattr(theme, field)
        if shade != colour:
            said = _(
                "The %(colour)s has %(ratio)s:1 on the background, below 4.5:1: text is set in %(shade)s."
            )
            ratio = number_format(contrast(colour, theme.background), 1)
            yield ThemeProblem(field, said % {"colour": COLOURS[field], "ratio": ratio, "shade": shade})
    if palette.fill != theme.primary:
        said = _(
            "White text on the primary colour is below 4.5:1: what carries text is filled with %(shade)s."
        )
        yield ThemeProblem("primary", said % {"shade": palette.fill})
    if palette.series[0] != theme.accent:
        said = _("The accent colour is below 3:1 on the background: charts take %(shade)s.")
        yield ThemeProblem("accent", said % {"shade": palette.series[0]})
