"""Subjects that a run leaves out: they are neither searched for nor reported, and what is about them is listed.

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.extractive.answer_document_cards import Cards
from research.extractive.candidate_sentences import Candidate
from research.extractive.sentence_ranking import ScoredCandidate
from research.extractive.terms import STOP_WORDS, term_set
from research.models.schemas import LeftOut, Plan

ABOUT = 0.5  # share of the words of a heading or title about a subject
MAX_LISTED = 20  # sentences
REASON = "It speaks of “{}”, which this report leaves out."


@dataclass(frozen=True, slots=True)
class ExcludedSubjects:
    """The subjects, each with the words that must all occur in a text about it."""

    subjects: tuple[tuple[str, frozenset[str]], ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> ExcludedSubjects:
        known = ((name, term_set([name]) - STOP_WORDS) for name in names)
        return cls(tuple((name, words) for name, words in known if words))

    def find_mentioned_subject(self, text: str, headings: Sequence[str] = ()) -> str:
        """Return the first subject that the text speaks of, or that a heading above it is about; "" for none."""
        if not self.subjects:
            return ""
        text_terms, above = term_set([text]), [term_set([heading]) - STOP_WORDS for heading in headings]
        for name, words in self.subjects:
            if words <= text_terms or any(
                words <= heading_words and len(words) >= ABOUT * len(heading_words) for heading_words in above
            ):
                return name
        return ""

    def of_sentence(self, candidate: Candidate, cards: Cards) -> str:
        card = cards.by_id.get(candidate.document_id)
        headings = [*candidate.section.split(" > "), *([card.title] if card else [])]
        return self.find_mentioned_subject(
            f"{candidate.lead_text} {candidate.text}", [heading for heading in headings if heading]
        )

    def part(
        self, ranked: Sequence[ScoredCandidate], cards: Cards
    ) -> tuple[list[ScoredCandidate], list[LeftOut]]:
        """Split into the candidates that may be said, and the best of the others with the reason."""
        kept, left_out = [], []
        for item in ranked:
            if subject := self.of_sentence(item.candidate, cards):
                if not item.candidate.flaw:
                    left_out.append(LeftOut(text=item.candidate.shown, reason=REASON.format(subject)))
            else:
                kept.append(item)
        return kept, left_out[:MAX_LISTED]

    def without(self, plan: Plan) -> Plan:
        """Return the plan without subtopics on them; the first one is the question itself and stays."""
        first, *others = plan.subtopics
        kept = [first, *(subtopic for subtopic in others if not self.find_mentioned_subject(subtopic.name))]
        names = {subtopic.name for subtopic in plan.subtopics} - {subtopic.name for subtopic in kept}
        outline = [section for section in plan.outline if (section.subtopic or section.heading) not in names]
        return plan.model_copy(update={"subtopics": kept, "outline": outline})
