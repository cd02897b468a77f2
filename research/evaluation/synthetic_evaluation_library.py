"""Generate a large library for benchmarks of search: passages with vectors and words, the same every time.

Vectors lie in clusters as those of real texts do: a topic's centre, a document's point near it and a passage's near
that, all in a few dimensions that are projected into many, with a little noise. Words follow Zipf's law, and each
topic has some of its own. All tenants write about the same topics, which is the hard case: the nearest passages
overall mostly belong to other tenants.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

TOPICS = 1_000
LATENT = 48  # dimensions in which passages really differ: sentence embeddings have a few dozen
NEAR_TOPIC, NEAR_DOCUMENT, NOISE = 0.6, 0.6, 0.02  # standard deviations; the topics' centres have 1
PER_DOCUMENT = 40  # passages
VOCABULARY = 20_000
OWN_WORDS = 60  # per topic
OWN_SHARE = 0.25  # of a passage's words
PASSAGE_WORDS = 100
_SYLLABLES = [first + vowel for first, vowel in product("bdfgklmnprstvz", "aeiou")]

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MadePassage:
    document: int
    index: int  # within its document
    text: str
    vector: Vectors  # of unit length


def word(rank: int) -> str:
    """Return a pseudo-word of three syllables or more, a different one for each rank.

    Unlike English words, no two are reduced to the same stem.
    """
    digits = []
    rest = rank + len(_SYLLABLES) ** 2
    while rest:
        rest, digit = divmod(rest, len(_SYLLABLES))
        digits.append(_SYLLABLES[digit])
    return "".join(digits) + "x"


class MadeLibrary:
    """Passages of any number of tenants, and questions about them. `dimension` is that of the vectors."""

    def __init__(self, dimension: int = 384, seed: int = 14) -> None:
        chance = np.random.default_rng(seed)
        self._centres = chance.standard_normal((TOPICS, LATENT), np.float32)
        self._turn = chance.standard_normal((LATENT, dimension), np.float32) / np.float32(LATENT**0.5)
        self._words = np.array([word(rank) for rank in range(VOCABULARY)], dtype=object)
        heights = np.cumsum(1 / (np.arange(VOCABULARY) + 3))
        self._heights = heights / heights[-1]
        self._own = chance.integers(500, VOCABULARY, (TOPICS, OWN_WORDS))

    def passages(self, tenant: int, count: int) -> Iterator[MadePassage]:
        """Yield `count` passages of one tenant, document after document."""
        chance = np.random.default_rng([tenant, 1])
        for document in range(-(-count // PER_DOCUMENT)):
            size = min(PER_DOCUMENT, count - document * PER_DOCUMENT)
            topic = int(chance.integers(TOPICS))
            near = self._centres[topic] + NEAR_TOPIC * chance.standard_normal(LATENT, np.float32)
            places = near + NEAR_DOCUMENT * chance.standard_normal((size, LATENT), np.float32)
            vectors, texts = self._project_with_noise(places, chance), self._texts(topic, size, chance)
            for index in range(size):
                yield MadePassage(document, index, texts[index], vectors[index])

    def questions(self, count: int, seed: int = 1) -> Iterator[tuple[str, Vectors]]:
        """Yield questions as words and vectors: three words of a topic's own and three common ones."""
        chance = np.random.default_rng([seed, 2])
        for _ in range(count):
            topic = int(chance.integers(TOPICS))
            place = self._centres[topic] + NEAR_TOPIC * chance.standard_normal((1, LATENT), np.float32)
            asked = np.concatenate([chance.choice(self._own[topic], 3), self._common((3,), chance)])
            yield " ".join(self._words[asked]), self._project_with_noise(place, chance)[0]

    def _project_with_noise(self, places: Vectors, chance: np.random.Generator) -> Vectors:
        wide = places @ self._turn
        wide += np.float32(NOISE) * chance.standard_normal(wide.shape, np.float32)
        found: Vectors = wide / np.linalg.norm(wide, axis=1, keepdims=True)
        return found

    def _texts(self, topic: int, count: int, chance: np.random.Generator) -> Sequence[str]:
        shape = (count, PASSAGE_WORDS)
        own = chance.choice(self._own[topic], shape)
        ranks = np.where(chance.random(shape) < OWN_SHARE, own, self._common(shape, chance))
        return [" ".join(words) for words in self._words[ranks]]

    def _common(self, shape: tuple[int, ...], chance: np.random.Generator) -> npt.NDArray[np.int64]:
        return np.searchsorted(self._heights, chance.random(shape))
