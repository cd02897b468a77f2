"""A claim of one version of a report, with everything that is compared with the other version."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citations.text.quote_normalizing import normalize

if TYPE_CHECKING:  # web processes start without it
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class ComparableClaim:
    """A claim to compare. `id` is unique within a version; `sources` names its sources, alike in both versions.

    `confidence` is 0–1, None if it was not computed; `vector` is of unit length, None without an embedding.
    """

    id: str
    text: str
    status: str = ""
    strength: str = ""
    confidence: float | None = None
    sources: frozenset[str] = frozenset()
    vector: "npt.NDArray[np.float32] | None" = field(default=None, compare=False)

    @property
    def wording(self) -> str:
        """A text that is equal for claims that differ in capitals, blanks and punctuation only."""
        return normalize(self.text)
