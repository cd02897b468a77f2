"""Add a model's notes to the answer that rules found. Pure.

The rules' claims, their order and their sections stay. A note that says the same as one of them is further evidence for
it. Any other note is added after them if the model says that it answers the question, it can be read alone, and its
score is near enough to the question: as near as the rules' own details must be. The limit is lower only if there are
enough claims before it and the model did not mark most of its notes as answers.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from citations.claim_grouping import group
from citations.claim_similarity import ComparedClaim
from citations.contradiction.contradiction_profiles import EmbeddingProfile
from citations.dates.find_dates import parse_iso
from research.extractive.answer_sections import DETAIL_FLOOR
from research.extractive.select_answer_statements import FLOOR, FURTHER_LEADING, join_duplicates, repeats
from research.extractive.sentence_ranking import ScoredCandidate
from research.extractive.standalone_sentences import clean, flaw
from research.models.base_models import new_id
from research.models.schemas import LeftOut
from research.pipelines.report.analyzing.merge_report_claims import OFF_TOPIC, NotedClaim, ScoredClaim
from research.pipelines.report.analyzing.report_requested_subtopics import OFF_THE_QUESTION
from research.pipelines.report.analyzing.store_report_analysis import ClaimFinding
from research.pipelines.report.report_analysis_evidence import Evidence

ENOUGH = 5  # claims: after so many a note may be less near to the question
MAX_ADDED = 10
ANSWERING_AT_MOST = 0.5  # largest share of a run's notes marked as answers for the mark to mean anything
ENOUGH_SAID = "The report says enough on the question without it."
NOT_ALONE = "It cannot be read without its neighbours."


@dataclass(frozen=True, slots=True)
class SupplementedFindings:
    """The rules' findings, with more evidence, and those that were added to them."""

    findings: tuple[ClaimFinding, ...]
    added: tuple[ClaimFinding, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def all_findings(self) -> list[ClaimFinding]:
        return [*self.findings, *self.added]


def add_notes(
    findings: Sequence[ClaimFinding],
    weighed: Sequence[ScoredClaim],
    profile: EmbeddingProfile,
    *,
    heading_of: Callable[[ScoredClaim], str],
    asked: Collection[int] = (),
    most: int = MAX_ADDED,
) -> SupplementedFindings:
    """Add the notes to the rules' findings.

    `findings` are the rules' own, the best first; `weighed` are the notes, likewise. `heading_of` returns the heading
    that a note belongs under; `asked` are numbers of subtopics that the run was asked to cover besides.
    """
    best = max((finding.scored.score for finding in findings), default=0.0)
    members = _group_notes_by_finding(findings, weighed, profile)
    supported = [_with_evidence(own_finding, members[number]) for number, own_finding in enumerate(findings)]
    joined = {id(note) for notes in members.values() for note in notes}
    is_wide = len(findings) >= ENOUGH and tells_apart([scored_claim.noted for scored_claim in weighed])
    floor = FLOOR if is_wide else DETAIL_FLOOR
    added: list[tuple[ScoredClaim, str]] = []
    left_out = []
    for note in weighed:
        if id(note) in joined or _is_repeated(note.scored, findings, added):
            continue
        claim, least = note.noted.claim, OFF_THE_QUESTION if note.noted.claim.subtopic in asked else floor
        text = readable_text(note)
        if not claim.answers or note.scored.score < least * best:
            left_out.append(LeftOut(text=claim.text, reason=OFF_TOPIC))
        elif not text:
            left_out.append(LeftOut(text=claim.text, reason=NOT_ALONE))
        elif len(added) < most:
            added.append((note, text))
        else:
            left_out.append(LeftOut(text=text, reason=ENOUGH_SAID))
    made = (_build_finding(note, text, heading_of(note)) for note, text in added)
    return SupplementedFindings(tuple(supported), tuple(made), tuple(left_out))


def readable_text(note: ScoredClaim) -> str:
    """Return the model's words, else those of the source, if they can be read alone; empty if neither can."""
    candidate = note.scored.candidate
    text = clean(note.noted.claim.text, candidate.media_type)
    if not flaw(text):
        return text
    return "" if candidate.flaw else candidate.shown


def tells_apart(noted: Collection[NotedClaim]) -> bool:
    """Return True if the model's mark that a note answers means anything: it does not mark most of its notes."""
    return sum(claim.claim.answers for claim in noted) <= ANSWERING_AT_MOST * len(noted)


def evidence_of(noted: NotedClaim) -> Evidence:
    claim = noted.claim
    return Evidence(noted.source, claim.start, claim.end, noted.named, claim.similarity)


def _group_notes_by_finding(
    findings: Sequence[ClaimFinding], weighed: Sequence[ScoredClaim], profile: EmbeddingProfile
) -> dict[int, list[ScoredClaim]]:
    """Group the notes by the finding that says the same."""
    rows: dict[str, tuple[ComparedClaim, np.ndarray]] = {}
    for number, finding in enumerate(findings):
        if finding.scored.vector is not None:
            rows[f"finding {number}"] = (ComparedClaim(finding.text), finding.scored.vector)
    for number, note in enumerate(weighed):
        if note.scored.vector is not None:
            rows[f"note {number}"] = (_statement(note.noted), note.scored.vector)
    members: dict[int, list[ScoredClaim]] = {number: [] for number in range(len(findings))}
    if not rows:
        return members
    statements = {name: statement for name, (statement, _vector) in rows.items()}
    for names in group(
        statements, np.stack([vector for _statement, vector in rows.values()]), profile
    ).groups:
        places = [int(name.split()[1]) for name in names if name.startswith("finding")]
        notes = [weighed[int(name.split()[1])] for name in names if name.startswith("note")]
        if places:
            members[places[0]] += notes
    return members


def _statement(noted: NotedClaim) -> ComparedClaim:
    return ComparedClaim(noted.claim.text, parse_iso(noted.published) if noted.published else None)


def _with_evidence(finding: ClaimFinding, notes: Sequence[ScoredClaim]) -> ClaimFinding:
    """Return the finding with a quote of each further source that says it, at most as many as rules would cite."""
    places = list(finding.evidence)
    for note in notes:
        known = {place.source for place in places}
        if note.noted.source not in known and len(known) <= FURTHER_LEADING:
            places.append(evidence_of(note.noted))
    return replace(finding, evidence=tuple(places))


def _is_repeated(
    scored: ScoredCandidate, findings: Sequence[ClaimFinding], added: Sequence[tuple[ScoredClaim, str]]
) -> bool:
    """Return True if the candidate has the position of one of them, or adds nothing to it."""
    known = [*(finding.scored for finding in findings), *(note.scored for note, _text in added)]
    return any(repeats(scored, other) or len(join_duplicates([other, scored])) == 1 for other in known)


def _build_finding(note: ScoredClaim, text: str, heading: str) -> ClaimFinding:
    candidate = note.scored.candidate
    is_in_own_words = text == candidate.shown
    whole = Evidence(note.noted.source, candidate.start, candidate.end, note.noted.named)
    return ClaimFinding(
        id=new_id(),
        text=text,
        scored=note.scored,
        heading=heading,
        evidence=(whole if is_in_own_words else evidence_of(note.noted),),
        is_noted=True,
    )
