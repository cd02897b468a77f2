"""Turn citations and excerpts into evidence: one entry per page, weighed by its relevance to the answer.

Different spellings of one address count as one page. All excerpts attributed to a page stay together, in their original
order; its title and relevance are those of its most relevant entry.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from citations.credibility.credibility_brief_scores import is_evidence
from citations.text.claim_words_and_stems import content_stems
from research.pipelines.brief.tasks.brief_task_result import ReceivedExcerpt

Canonical = Callable[[str], str]
Likeness = Callable[[str, str], float]


class DropReason(StrEnum):
    """The reason why a page is not used as evidence."""

    NO_ADDRESS = "no_address"
    TOO_LITTLE = "too_little"


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """An excerpt of a page, with its location on the page and the title under which it was cited."""

    text: str
    context: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A cited page. `key` is its canonical address, which identifies it."""

    key: str
    url: str
    title: str
    passages: tuple[EvidencePassage, ...]
    relevance: float  # 0–1: as given by the task, else computed from the answer

    @property
    def words(self) -> str:
        return " ".join(passage.text for passage in self.passages)


@dataclass(frozen=True, slots=True)
class SiftedEvidence:
    """The pages used as evidence, most relevant first, and the rejected pages with the reason."""

    kept: tuple[EvidencePage, ...]
    dropped: tuple[tuple[EvidencePage, DropReason], ...]


def sift(
    pieces: Sequence[ReceivedExcerpt], answer: str, canonical: Canonical, alike: Likeness
) -> SiftedEvidence:
    """Separate evidence from other pages. Deterministic: pages of the same relevance stay in the order of citation."""
    pages = [_score_page(page, given, answer, alike) for page, given in _pages(pieces, canonical)]
    kept = [
        scored_page
        for scored_page in pages
        if scored_page.key and is_evidence(scored_page.relevance, scored_page.words)
    ]
    dropped = [
        (scored_page, DropReason.TOO_LITTLE if scored_page.key else DropReason.NO_ADDRESS)
        for scored_page in pages
        if scored_page not in kept
    ]
    return SiftedEvidence(tuple(sorted(kept, key=lambda scored_page: -scored_page.relevance)), tuple(dropped))


def _pages(
    pieces: Iterable[ReceivedExcerpt], canonical: Canonical
) -> list[tuple[EvidencePage, float | None]]:
    """Return the pages, each with the highest relevance that the task gave, or None if it gave none."""
    found: dict[str, list[ReceivedExcerpt]] = {}
    for piece in pieces:
        key = canonical(piece.url)
        found.setdefault(key or f"?{piece.url}", []).append(piece)
    return [_page("" if key.startswith("?") else key, group) for key, group in found.items()]


def _page(key: str, group: Sequence[ReceivedExcerpt]) -> tuple[EvidencePage, float | None]:
    best = max(group, key=lambda excerpt: (excerpt.relevance or 0.0, bool(excerpt.title)))
    given = [excerpt.relevance for excerpt in group if excerpt.relevance is not None]
    title = best.title or next((excerpt.title for excerpt in group if excerpt.title), "")
    page = EvidencePage(key, best.url, title, tuple(_passages(group)), 0.0)
    return page, max(given) if given else None


def _passages(group: Sequence[ReceivedExcerpt]) -> Iterable[EvidencePassage]:
    """Return each text once, with the location and title that any of its excerpts gives."""
    found: dict[str, EvidencePassage] = {}
    for piece in group:
        text = " ".join(piece.text.split())
        known = found.get(text, EvidencePassage(text))
        found[text] = EvidencePassage(text, known.context or piece.context, known.title or piece.title)
    return found.values()


def _score_page(page: EvidencePage, given: float | None, answer: str, alike: Likeness) -> EvidencePage:
    relevance = relevance_to(answer, page, alike) if given is None else given
    return EvidencePage(page.key, page.url, page.title, page.passages, round(relevance, 4))


def relevance_to(answer: str, page: EvidencePage, alike: Likeness) -> float:
    """Return the share of the page's words that are in the answer, or its similarity to the answer if higher (0–1)."""
    stems = content_stems(page.words)
    shared = len(stems & content_stems(answer)) / len(stems) if stems else 0.0
    return max(shared, alike(answer, page.words), 0.0)
