"""Maps values to positions in a drawing. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinearScale:
    """A linear scale that includes zero, because the length of a bar represents its value."""

    low: float
    high: float
    start: float  # position of `low`, px
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def zero(self) -> float:
        return self.at(0.0)


def scale_of(values: Iterable[float], start: float, end: float, room_below: float = 0.0) -> LinearScale:
    """Return the scale. `room_below` is the px reserved for figures below negative bars, if there are any."""
    listed = list(values)
    low, high = min([0.0, *listed]), max([0.0, *listed])
    if low == high:
        high = 1.0
    return LinearScale(low, high, start + (room_below if low < 0 else 0.0), end)
