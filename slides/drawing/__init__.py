"""Charts of slides as SVG, with their figures beside what is drawn: nothing is told by colour alone."""

from slides.drawing.svg import svg_of

__all__ = ["svg_of"]
