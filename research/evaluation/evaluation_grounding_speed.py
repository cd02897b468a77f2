"""Benchmarks of grounding on generated text, which is the same every time.

Embeddings are computed beforehand, from hashed words, and not counted: the time of a comparison does not depend on
what the vectors mean.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from citations.anchoring import QuotableText, anchor
from citations.claim_grouping import group
from citations.claim_similarity import ComparedClaim
from citations.verification import CitedPassage, verify
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import HashEmbedder

PASSAGE = 1_000  # characters, about
_KINDS = "small old public coastal rural private northern steel mobile shared winter floating".split()
_THINGS = (
    "heat pump,water tower,night train,paper mill,tide gauge,grain dryer,cable ferry,peat bog,wind farm,cold store,"
    "school kitchen,fish ladder,signal box,dye works,salt pan,boat lift,rain barrel,reading room,milk round,toll road"
).split(",")
_PLACES = (
    "Norway,Zurich,Kiruna,Portugal,Ghent,Leeds,Graz,Lyon,Oulu,Split,Bern,Turin,Cork,Bergen,Malmö,Gdańsk,Porto,Riga,"
    "the Nordhaus valley,the upper basin,the eastern district,the old harbour,the river delta,the border region"
).split(",")
_VERBS = ("rose to", "fell to", "stayed above", "reached", "was measured at", "did not exceed")
_UNITS = ("percent", "kWh", "million euros", "hours", "tonnes a year", "°C")
_MEASURES = ("output", "cost", "share of running time", "yield", "demand", "loss")
_ENDINGS = (
    "although the winter was mild",
    "according to the operator",
    "which the audit confirmed",
    "in a survey of eleven sites",
    "before the new rules applied",
)
_SEEDED = random.Random  # makes text, guards nothing


@dataclass(frozen=True, slots=True)
class Anchoring:
    """Milliseconds to anchor one quote in a prepared text and in a new one."""

    quote: str  # exact, normalized, close, absent
    warm_ms: float
    cold_ms: float


def sentence(rng: random.Random) -> str:
    thing = f"{rng.choice(_KINDS)} {rng.choice(_THINGS)}"
    subject = f"The {rng.choice(_MEASURES)} of the {thing} in {rng.choice(_PLACES)}"
    figure = f"{rng.choice(_VERBS)} {rng.randint(2, 9_999):,} {rng.choice(_UNITS)}"
    return f"{subject} {figure} in {rng.randint(1990, 2026)}, {rng.choice(_ENDINGS)}."


def text(rng: random.Random, characters: int) -> str:
    """Return generated sentences of at least this many characters in total."""
    sentences = []
    length = 0
    while length < characters:
        sentences.append(sentence(rng))
        length += len(sentences[-1]) + 1
    return " ".join(sentences)


def claims_with_passages(count: int, seed: int = 11) -> Iterator[tuple[str, str]]:
    """Yield claims with passages: a third contained in their passage, a third with other figures, a third unrelated."""
    rng = _SEEDED(seed)
    for number in range(count):
        passage = text(rng, PASSAGE)
        claim = rng.choice(passage.split(". ")).rstrip(".") + "."
        yield (claim, claim.replace("1", "7").replace("3", "4"), sentence(rng))[number % 3], passage


def verifications_per_second(count: int) -> float:
    pairs = list(claims_with_passages(count))
    likeness = NearestSentence(HashEmbedder())
    likeness.prepare((claim for claim, _ in pairs), (passage for _, passage in pairs))
    for claim, passage in claims_with_passages(3, seed=14):  # what is loaded once a process is loaded by then
        verify(claim, [CitedPassage(passage)])
    seconds = _seconds(
        lambda: [verify(claim, [CitedPassage(words)], similarity=likeness) for claim, words in pairs]
    )
    return count / seconds


def time_grouping(count: int) -> float:
    """Return the seconds to group `count` claims, about a quarter of which repeat earlier ones in other words."""
    rng = _SEEDED(12)
    texts: list[str] = []
    for _ in range(count):
        texts.append(_reword_sentence(rng, texts) if texts and rng.random() < 0.25 else sentence(rng))
    statements: Mapping[str, ComparedClaim] = {
        str(index): ComparedClaim(each) for index, each in enumerate(texts)
    }
    vectors = HashEmbedder().embed(_gists(texts))
    return _seconds(lambda: group(statements, vectors))


def _gists(texts: Sequence[str]) -> list[str]:
    """Return the texts without words that more than a twentieth of them contain.

    Embeddings, too, tell sentences of one pattern apart.
    """
    words = [text.split() for text in texts]
    frequency = Counter(word for each in words for word in set(each))
    return [" ".join(word for word in each if frequency[word] <= len(texts) / 20) for each in words]


def _reword_sentence(rng: random.Random, texts: Sequence[str]) -> str:
    return rng.choice(texts).replace("The ", "In the report, the ", 1).replace(" was measured at ", " was ")


def time_anchoring(characters: int) -> list[Anchoring]:
    rng = _SEEDED(13)
    source = text(rng, characters)
    place = source.index(". ", characters * 2 // 3) + 2
    words = source[place : place + 200]
    quotes = {
        "exact": words,
        "normalized": words.upper().replace(" ", "\n"),
        "elided": f"{words[:90].rsplit(' ', 1)[0]} … {words[110:].split(' ', 1)[1]}",
        "close": "".join("#" if index % 20 == 10 else each for index, each in enumerate(words)),
        "absent": " ".join(reversed(text(rng, 200).split())),
    }
    return [_time_quote(name, quote, source) for name, quote in quotes.items()]


def _time_quote(name: str, quote: str, source: str) -> Anchoring:
    prepared = QuotableText(source)
    anchor(quote, prepared)
    warm = min(_seconds(lambda: anchor(quote, prepared)) for _ in range(3))
    cold = min(_seconds(lambda: anchor(quote, source)) for _ in range(3))
    return Anchoring(name, warm * 1000, cold * 1000)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
