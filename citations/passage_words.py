"""A passage as its words are looked up in it: prepared once, for the many words of a claim."""

from functools import cached_property, lru_cache

from citations.normalizing import Span
from citations.parts import Found
from citations.wording import Word, are_kin, sentence_spans, words

_KIN = 4  # letters that kin stems share at least (citations.wording)


class PassageWords:
    """The words of a passage by stem; of several, those nearest to where the claim is said go first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)

    @cached_property
    def sentences(self) -> tuple[tuple[Span, frozenset[str]], ...]:
        """Each sentence with its content stems, in order."""
        spans = sentence_spans(self.text)
        found: list[set[str]] = [set() for _ in spans]
        index = 0
        for word in self.words:
            while index < len(spans) and word.span.start >= spans[index].end:
                index += 1
            if index < len(spans) and word.is_content and len(word.text) > 1:
                found[index].add(word.stem)
        return tuple(zip(spans, map(frozenset, found), strict=True))

    @cached_property
    def stems(self) -> dict[str, list[Word]]:
        found: dict[str, list[Word]] = {}
        for word in self.words:
            found.setdefault(word.stem, []).append(word)
        return found

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for stem in self.stems:
            found.setdefault(stem[:_KIN], []).append(stem)
        return found

    def find(self, stem: str, window: Span) -> Found | None:
        """A word of this stem or of its family: inside the window where there is one, else the first."""
        for candidate in (stem, *self._kin(stem)):
            if places := self.stems.get(candidate):
                inside = (word for word in places if word.span.within(window))
                word = next(inside, places[0])
                return Found(word.text, word.span)
        return None

    def has(self, stem: str) -> bool:
        return stem in self.stems or next(iter(self._kin(stem)), None) is not None

    def _kin(self, stem: str) -> list[str]:
        return [each for each in self._by_start.get(stem[:_KIN], ()) if each != stem and are_kin(stem, each)]


@lru_cache(maxsize=512)
def passage_words(text: str) -> PassageWords:
    return PassageWords(text)
