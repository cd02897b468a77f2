"""The theme of a PPTX: its colours and fonts where PowerPoint looks for them (ECMA-376-1, 20.1.6)."""

from xml.sax.saxutils import quoteattr

from slides.themes import Theme

_ARIAL = "020B0604020202020204"  # its PANOSE: what stands in for a missing sans
_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_LINE = f'<a:ln w="{{}}" cap="flat" cmpd="sng" algn="ctr">{_FILL}<a:prstDash val="solid"/></a:ln>'
_FORMATS = (
    f'<a:fmtScheme name="Plumbline"><a:fillStyleLst>{_FILL * 3}</a:fillStyleLst>'
    f"<a:lnStyleLst>{''.join(map(_LINE.format, (9525, 19050, 28575)))}</a:lnStyleLst>"
    f"<a:effectStyleLst>{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst>"
    f"<a:bgFillStyleLst>{_FILL * 3}</a:bgFillStyleLst></a:fmtScheme>"
)


def theme_xml(theme: Theme) -> bytes:
    """The six colours are in the scheme and, by their names, among the colours of its own that a picker offers.

    What a new chart takes first, the accents one to five, are the theme's series; the sixth is its primary colour.
    """
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f"name={quoteattr(theme.name)}><a:themeElements>{_colours(theme)}{_fonts(theme)}{_FORMATS}</a:themeElements>"
        f"<a:objectDefaults/><a:extraClrSchemeLst/><a:custClrLst>{_own(theme)}</a:custClrLst></a:theme>"
    ).encode()


def _colours(theme: Theme) -> str:
    named = {
        "dk1": theme.text, "lt1": theme.background, "dk2": theme.text_light, "lt2": theme.secondary,
        **{f"accent{place}": colour for place, colour in enumerate(series_of(theme), 1)},
        "accent6": theme.primary, "hlink": theme.text, "folHlink": theme.text,
    }  # fmt: skip
    listed = "".join(f"<a:{name}>{_rgb(colour)}</a:{name}>" for name, colour in named.items())
    return f"<a:clrScheme name={quoteattr(theme.name)}>{listed}</a:clrScheme>"


def series_of(theme: Theme) -> tuple[str, ...]:
    return (theme.accent, theme.primary, theme.text_light, theme.text, theme.accent)


def _own(theme: Theme) -> str:
    own = {
        "Primary": theme.primary, "Secondary": theme.secondary, "Accent": theme.accent,
        "Background": theme.background, "Text": theme.text, "Light text": theme.text_light,
    }  # fmt: skip
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
