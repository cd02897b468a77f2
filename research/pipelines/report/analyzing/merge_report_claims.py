"""Merge claims of many sources into one list: those that agree are joined, the best answers first. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from citations.claim_grouping import group
from citations.claim_similarity import ComparedClaim
from citations.contradiction.contradiction_profiles import EmbeddingProfile
from citations.dates.find_dates import parse_iso
from research.extractive.select_answer_statements import ON_TOPIC, SelectedClaim, choose
from research.extractive.sentence_ranking import ScoredCandidate
from research.pipelines.report.analyzing.report_requested_subtopics import OFF_THE_QUESTION
from research.pipelines.report.reading.admit_report_notes import AdmittedClaim

OFF_TOPIC = "It is not on the question."


@dataclass(frozen=True, slots=True)
class NotedClaim:
    """An admitted claim with its source, and the date of what it says."""

    source: UUID
    claim: AdmittedClaim
    published: str = ""
    named: UUID | None = None  # another source, which a model named for it


@dataclass(frozen=True, slots=True)
class ScoredClaim:
    """A noted claim with the score of the passage on which it is based."""

    noted: NotedClaim
    scored: ScoredCandidate


@dataclass(frozen=True, slots=True)
class MergedClaim:
    """One claim of the future report: the wording that fits best, and all notes that agree with it."""

    members: tuple[ScoredClaim, ...]

    @property
    def first(self) -> ScoredClaim:
        return self.members[0]

    @property
    def text(self) -> str:
        return self.first.noted.claim.text


def weigh(noted: Sequence[NotedClaim], ranked: Sequence[ScoredCandidate]) -> list[ScoredClaim]:
    """Return the notes in the order of their places' ranks; those of one place in their own order."""
    by_place: dict[tuple[str, int, int], list[NotedClaim]] = {}
    for claim in noted:
        by_place.setdefault(claim.claim.sentence.key, []).append(claim)
    return [ScoredClaim(note, scored) for scored in ranked for note in by_place.get(scored.candidate.key, ())]


def on_topic(
    weighed: Sequence[ScoredClaim], asked: Collection[int] = ()
) -> tuple[list[ScoredClaim], list[ScoredClaim]]:
    """Split the notes into those on the question and the others. Notes on requested subtopics may be further off.

    `asked` are numbers of subtopics.
    """
    best = max((claim.scored.score for claim in weighed), default=0.0)
    kept: list[ScoredClaim] = []
    aside: list[ScoredClaim] = []
    for claim in weighed:
        share = OFF_THE_QUESTION if claim.noted.claim.subtopic in asked else ON_TOPIC
        (kept if claim.scored.score >= share * best else aside).append(claim)
    return kept, aside


def merge(weighed: Sequence[ScoredClaim], profile: EmbeddingProfile) -> list[MergedClaim]:
    """Merge claims that agree, at the place of the best of them."""
    placed = [claim for claim in weighed if claim.scored.vector is not None]
    if not placed:
        return []
    by_name = {str(number): scored_claim for number, scored_claim in enumerate(placed)}
    statements = {name: _statement(scored_claim.noted) for name, scored_claim in by_name.items()}
    vectors = np.stack(
        [scored_claim.scored.vector for scored_claim in placed if scored_claim.scored.vector is not None]
    )
    groups = group(statements, vectors, profile).groups
    return [MergedClaim(tuple(by_name[name] for name in names)) for names in groups]


def _statement(noted: NotedClaim) -> ComparedClaim:
    return ComparedClaim(noted.claim.text, parse_iso(noted.published) if noted.published else None)


def select_claims(merged: Sequence[MergedClaim], limit: int) -> list[MergedClaim]:
    """Select claims with at most `limit` quotes: the best first, varied, with quotes of different documents."""
    by_best: Mapping[tuple[str, int, int], MergedClaim] = {
        claim.first.scored.candidate.key: claim for claim in reversed(merged)
    }
    selected = choose([_build_selection(claim) for claim in merged], limit)
    return [_keep_selected_quotes(by_best[selection.best.candidate.key], selection) for selection in selected]


def _build_selection(merged: MergedClaim) -> SelectedClaim:
    return SelectedClaim(merged.first.scored, tuple(member.scored for member in merged.members[1:]))


def _keep_selected_quotes(merged: MergedClaim, selected: SelectedClaim) -> MergedClaim:
    keys = {sentence.candidate.key for sentence in selected.sentences}
    first, *further = merged.members
    return MergedClaim((first, *(member for member in further if member.scored.candidate.key in keys)))
