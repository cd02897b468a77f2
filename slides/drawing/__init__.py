"""Charts of slides as SVG, with figures beside the marks, so that no information depends on colour alone."""

from slides.drawing.slide_chart_svg import svg_of

__all__ = ["svg_of"]
