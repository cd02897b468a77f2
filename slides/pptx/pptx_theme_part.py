"""The theme part of a PPTX: colours and fonts (ECMA-376-1, 20.1.6)."""

from collections.abc import Mapping
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from slides.theming.deck_colours import readable
from slides.theming.deck_theme_palettes import TEXT, palette_of
from slides.theming.deck_themes import Theme

_ARIAL = "020B0604020202020204"  # its PANOSE classification, by which a missing sans is replaced
_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_LINE = f'<a:ln w="{{}}" cap="flat" cmpd="sng" algn="ctr">{_FILL}<a:prstDash val="solid"/></a:ln>'
_FORMATS = (
    f'<a:fmtScheme name="Plumbline"><a:fillStyleLst>{_FILL * 3}</a:fillStyleLst>'
    f"<a:lnStyleLst>{''.join(map(_LINE.format, (9525, 19050, 28575)))}</a:lnStyleLst>"
    f"<a:effectStyleLst>{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst>"
    f"<a:bgFillStyleLst>{_FILL * 3}</a:bgFillStyleLst></a:fmtScheme>"
)
# The names by which shapes and texts refer to the colours of the scheme.
_NAMED = {"dk1": "tx1", "lt1": "bg1", "dk2": "tx2", "lt2": "bg2"}


def theme_xml(theme: Theme) -> bytes:
    """Return the theme, whose six colours are in the scheme and, by name, among the custom colours of the colour
    picker.

    Accents one to five, which a new chart uses first, are the theme's series; the sixth is its primary colour.
    """
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f"name={quoteattr(theme.name)}><a:themeElements>{_colours(theme)}{_fonts(theme)}{_FORMATS}</a:themeElements>"
        f"<a:objectDefaults/><a:extraClrSchemeLst/><a:custClrLst>{_own(theme)}</a:custClrLst></a:theme>"
    ).encode()


def colour_xml(theme: Theme, name: str) -> str:
    """Return a reference to a scheme colour for a colour of the palette, so that a change of theme changes it too."""
    wanted = str(getattr(palette_of(theme), name))
    slot = next((slot for slot, colour in scheme(theme).items() if colour.upper() == wanted.upper()), "")
    return f'<a:schemeClr val="{_NAMED.get(slot, slot)}"/>' if slot else _rgb(wanted)


@lru_cache(maxsize=64)
def scheme(theme: Theme) -> Mapping[str, str]:
    """Return the twelve colours of the scheme. Links are readable on the background and on panels."""
    palette = palette_of(theme)
    link = readable(palette.accent_on_panel, palette.ground, least=TEXT)
    accents = {f"accent{place}": colour for place, colour in enumerate(palette.series, 1)}
    return {
        "dk1": palette.text,
        "lt1": palette.ground,
        "dk2": palette.muted,
        "lt2": palette.panel,
        **{f"accent{place}": palette.fill for place in range(len(accents) + 1, 6)},
        **accents,
        "accent6": palette.fill,
        "hlink": link,
        "folHlink": link,
    }


def _colours(theme: Theme) -> str:
    order = ("dk1", "lt1", "dk2", "lt2", *(f"accent{place}" for place in range(1, 7)), "hlink", "folHlink")
    held = scheme(theme)
    listed = "".join(f"<a:{name}>{_rgb(held[name])}</a:{name}>" for name in order)
    return f"<a:clrScheme name={quoteattr(theme.name)}>{listed}</a:clrScheme>"


def _own(theme: Theme) -> str:
    own = {
        "Primary": theme.primary,
        "Secondary": theme.secondary,
        "Accent": theme.accent,
        "Background": theme.background,
        "Text": theme.text,
        "Light text": theme.text_light,
    }
    return "".join(f'<a:custClr name="{name}">{_rgb(colour)}</a:custClr>' for name, colour in own.items())


def _rgb(colour: str) -> str:
    return f'<a:srgbClr val="{colour.removeprefix("#").upper()}"/>'


def _fonts(theme: Theme) -> str:
    kinds = (("majorFont", theme.heading_font), ("minorFont", theme.body_font))
    listed = "".join(
        f'<a:{kind}><a:latin typeface={quoteattr(font)} panose="{_ARIAL}" pitchFamily="34" charset="0"/>'
        f'<a:ea typeface=""/><a:cs typeface=""/></a:{kind}>'
        for kind, font in kinds
    )
    return f"<a:fontScheme name={quoteattr(theme.name)}>{listed}</a:fontScheme>"
