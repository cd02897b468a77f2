"""An index of a passage's words, built once for the many words of a claim."""

from functools import cached_property, lru_cache

from citations.entailment.claim_parts import MatchedWords
from citations.text.claim_words_and_stems import SHARED_START, Word, are_kin, sentence_spans, words
from citations.text.quote_span import Span


class PassageWords:
    """The words of a passage by stem; of several, those nearest to the claim's place come first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)
        self._content = [word for word in self.words if word.is_content and len(word.text) > 1]
        self._families: dict[str, list[str]] = {}

    @cached_property
    def sentences(self) -> tuple[tuple[Span, frozenset[str]], ...]:
        """Each sentence with its content stems, in order."""
        spans = sentence_spans(self.text)
        found: list[set[str]] = [set() for _ in spans]
        index = 0
        for word in self._content:
            while word.start >= spans[index].end:
                index += 1
            found[index].add(word.stem)
        return tuple(zip(spans, map(frozenset, found), strict=True))

    @cached_property
    def stems(self) -> dict[str, list[Word]]:
        found: dict[str, list[Word]] = {}
        for word in self.words:
            found.setdefault(word.stem, []).append(word)
        return found

    def find(self, stem: str, window: Span) -> MatchedWords | None:
        """Return a word of this stem or of its family: inside the window if possible, else the first."""
        for candidate in (stem,) if stem in self.stems else self._kin(stem):
            if places := self.stems.get(candidate):
                inside = (word for word in places if word.span.within(window))
                word = next(inside, places[0])
                return MatchedWords(word.text, word.span)
        return None

    def has(self, stem: str) -> bool:
        return stem in self.stems or bool(self._kin(stem))

    @cached_property
    def content_places(self) -> dict[str, list[int]]:
        """The positions of each content stem, counted in content words."""
        found: dict[str, list[int]] = {}
        for place, word in enumerate(self._content):
            found.setdefault(word.stem, []).append(place)
        return found

    def _kin(self, stem: str) -> list[str]:
        if stem not in self._families:
            start = stem[:SHARED_START]
            alike = [each for each in self.stems if each.startswith(start) and each != stem]
            self._families[stem] = [each for each in alike if are_kin(stem, each)]
        return self._families[stem]


@lru_cache(maxsize=512)
def passage_words(text: str) -> PassageWords:
    return PassageWords(text)
