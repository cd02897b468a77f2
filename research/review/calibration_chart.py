"""The calibration plot: the position of each of its ten bars and its interval, and a summary in words.

Lengths are units of a drawing that is WIDTH wide. The y axis is the accepted share, the x axis the confidence.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from citations.credibility.confidence_calibration import BINS, Bin, Calibration
from exports.labels.format_document_values import percent

WIDTH, HEIGHT = 480, 260
LEFT, TOP, BOTTOM, RIGHT = 46, 12, 34, 14  # margins; half of the last label stands beside the plot
ACROSS, UP = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
STEP = ACROSS / BINS
TICKS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class CalibrationBar:
    """The bar of a bin with verdicts, and the line of its interval."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    high: float
    low: float
    n: int


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Plot:
    """The plot. Confidence and verdicts agree on the line from (left, foot) to (right, top)."""

    columns: tuple[CalibrationBar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    summary: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    foot: int = HEIGHT - BOTTOM


def plot(found: Calibration) -> Plot:
    across = tuple(
        Tick(_x(number / BINS), HEIGHT - BOTTOM + 15, _figure(number / BINS)) for number in range(BINS + 1)
    )
    up = tuple(Tick(LEFT - 5, _y(tick) + 4, percent(tick)) for tick in TICKS)
    return Plot(tuple(_columns(found)), across, up, summary(found))


def summary(found: Calibration) -> str:
    if found.expected_error is None or found.brier is None:
        return _("Nobody has reviewed a claim with a confidence yet.")
    words = ngettext(
        "%(n)d verdict, %(accepted)d accepted; expected calibration error %(error)s, Brier score %(brier)s.",
        "%(n)d verdicts, %(accepted)d accepted; expected calibration error %(error)s, Brier score %(brier)s.",
        found.n,
    )
    figures = {"error": _figure(found.expected_error, 3), "brier": _figure(found.brier, 3)}
    return words % {"n": found.n, "accepted": found.accepted, **figures}


def _columns(found: Calibration) -> Iterator[CalibrationBar]:
    for bucket in found.bins:
        if bucket.share is not None and bucket.interval is not None:
            yield _column(bucket, bucket.share, bucket.interval)


def _column(bucket: Bin, share: float, interval: tuple[float, float]) -> CalibrationBar:
    low, high = interval
    return CalibrationBar(
        x=_x(bucket.low) + STEP * 0.15,
        y=_y(share),
        width=STEP * 0.7,
        height=UP * share,
        middle=_x(bucket.low) + STEP / 2,
        high=_y(high),
        low=_y(low),
        n=bucket.n,
    )


def _x(confidence: float) -> float:
    return round(LEFT + ACROSS * confidence, 2)


def _y(share: float) -> float:
    return round(TOP + UP * (1 - share), 2)


def _figure(value: float, decimals: int = 1) -> str:
    return number_format(value, decimals)
