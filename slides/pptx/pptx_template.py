"""Builds a template for each theme: one master and eight layouts, on python-pptx's empty package."""

from functools import lru_cache
from io import BytesIO

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as PresentationType
from pptx.util import Emu

from slides.deck import Layout
from slides.pptx.pptx_drawing import PX
from slides.pptx.pptx_layout_xml import layout_xml, master_body, text_styles
from slides.pptx.pptx_pictures import put_logo
from slides.pptx.pptx_theme_part import theme_xml
from slides.slide_layouts import BOXES, HEIGHT, WIDTH, PlaceholderRole
from slides.theming.deck_themes import Theme

_APP = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>Plumbline</Application></Properties>"
)


def template(theme: Theme, logo: bytes | None = None) -> PresentationType:
    """Return a 16:9 presentation without slides, which its caller may fill.

    Layouts that have a place for the logo show it.
    """
    made = Presentation(BytesIO(_template(theme)))
    if logo is not None:
        for layout in made.slide_layouts:
            if box := BOXES[Layout(layout.name.lower())].get(PlaceholderRole.LOGO):
                put_logo(layout, logo, box, theme.name)
    return made


@lru_cache(maxsize=16)
def _template(theme: Theme) -> bytes:
    made = Presentation()
    made.slide_width, made.slide_height = Emu(WIDTH * PX), Emu(HEIGHT * PX)
    made.element.sldSz.attrib.pop("type", None)
    _leave_out_what_is_the_defaults(made)
    master = made.slide_master
    for beyond in list(made.slide_layouts)[len(Layout) :]:
        made.slide_layouts.remove(beyond)
    for layout, kept in zip(Layout, list(made.slide_layouts), strict=True):
        kept.part._element = parse_xml(layout_xml(layout, theme))
    master.element.replace(master.element.cSld, parse_xml(master_body(theme)))
    master.element.replace(master.element.find(_TX_STYLES), parse_xml(text_styles(theme)))
    master.part.part_related_by(RT.THEME)._blob = theme_xml(theme)
    written = BytesIO()
    made.save(written)
    return written.getvalue()


_TX_STYLES = "{http://schemas.openxmlformats.org/presentationml/2006/main}txStyles"


def _leave_out_what_is_the_defaults(made: PresentationType) -> None:
    """Remove the default package's printer settings, its thumbnail, and the titles of its layouts in the properties."""
    package, presentation = made.part.package, made.part
    for owner, kinds in ((presentation, (RT.PRINTER_SETTINGS,)), (package, (RT.THUMBNAIL,))):
        for key, relation in list(owner._rels.items()):
            if relation.reltype in kinds:
                owner._rels.pop(key)
    for relation in package._rels.values():
        if relation.reltype == RT.EXTENDED_PROPERTIES and isinstance(relation.target_part, Part):
            relation.target_part._blob = _APP
