"""Scholarly works as several indexes have them, and what must come of each."""

from dataclasses import dataclass, field, replace

from research.models import SourceType
from research.search.search_protocol import SearchHit
from tests.search.apis.server import Made


@dataclass(frozen=True)
class MadeWork(Made):
    """`copy` is where anyone may read it; its publisher is its `domain`."""

    doi: str = ""
    landing: str = ""
    copy: str = ""
    kind: SourceType = field(default=SourceType.ACADEMIC)

    @property
    def hit(self) -> SearchHit:
        return replace(super().hit, full_text=self.copy)

    @property
    def places(self) -> dict[str, list[int]]:
        """Its abstract as an inverted index."""
        words = self.text.split()
        return {word: [at for at, one in enumerate(words) if one == word] for word in words}


def work(number: int) -> MadeWork:
    """A journal's, open to all."""
    doi = f"10.5555/heat.{number}"
    return MadeWork(
        f"https://doi.org/{doi}", f"Heat pumps, part {number}", f"We measured {number} heat pumps in the cold.",
        _day(number), domain="journal.example", doi=doi, landing=f"https://journal.example/articles/{number}",
        copy=f"https://journal.example/pdf/{number}.pdf",
    )  # fmt: skip


def preprint(number: int) -> MadeWork:
    """arXiv's."""
    page = f"https://arxiv.org/abs/2405.{number:05}"
    return MadeWork(
        page, f"Heat pumps, part {number}", f"We simulate {number} heat pumps.", _day(number), domain="arxiv.org",
        landing=page, copy=page.replace("/abs/", "/pdf/"),
    )  # fmt: skip


def _day(number: int) -> str:
    return f"2024-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
