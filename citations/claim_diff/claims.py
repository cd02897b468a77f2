"""A claim of one version of a report, with all that is laid against the other version's."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citations.text.normalizing import normalize

if TYPE_CHECKING:  # the web process starts without it
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class ComparableClaim:
    """`id` tells claims of one version apart. `sources` names what it stands on, alike in both versions.

    `confidence` is 0–1, None where it was not computed; `vector` is of unit length, None where there is no embedding.
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
        """Equal for texts that differ in capitals, blanks and signs only."""
        return normalize(self.text)
