"""Splits slides with too much content, without cutting or shrinking text."""

from slides.fitting.by_layout import is_a_whole
from slides.fitting.deck_fitting import fit, fit_slide
from slides.fitting.report import FitReport, Over, SlideFit

__all__ = ["FitReport", "Over", "SlideFit", "fit", "fit_slide", "is_a_whole"]
