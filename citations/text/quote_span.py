"""Ranges of a text, in code points. The web process loads this module, which imports nothing heavy."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range [start, end) of Unicode code points in a text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def cut(self, text: str) -> str:
        return text[self.start : self.end]

    def within(self, other: "Span") -> bool:
        return other.start <= self.start and self.end <= other.end
