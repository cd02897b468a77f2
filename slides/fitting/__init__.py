"""Splits slides with too much content, without cutting or shrinking text."""

from slides.fitting.deck_fitting import fit, fit_slide
from slides.fitting.deck_fitting_report import FitReport, Over, SlideFit
from slides.fitting.split_slides import is_a_whole

__all__ = ["FitReport", "Over", "SlideFit", "fit", "fit_slide", "is_a_whole"]
