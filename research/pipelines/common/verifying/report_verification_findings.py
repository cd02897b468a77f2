"""The findings of checking a written report: each claim judged and weighed, and the contradictions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from citations.credibility.credibility import Credibility
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.common.settle_report_disputes import DisputeRows, find_disputes
from research.pipelines.common.verifying.check_report_claims import CheckedClaim, JudgedClaim, judge, weigh
from research.pipelines.common.verifying.rate_report_sources import credibilities
from research.pipelines.common.verifying.read_report_to_verify import ReportDraft


@dataclass(frozen=True, slots=True)
class VerificationFindings:
    """The findings of the check. `checked` is in the order of the draft's claims."""

    draft: ReportDraft
    checked: tuple[CheckedClaim, ...]
    disputes: DisputeRows
    credibility: Mapping[UUID, Credibility]  # by source
    today: date

    @property
    def judged_claims(self) -> tuple[JudgedClaim, ...]:
        return tuple(claim.judged for claim in self.checked)

    @property
    def refused_claims(self) -> tuple[JudgedClaim, ...]:
        """The claims that may not stay in the report."""
        return tuple(judged for judged in self.judged_claims if not judged.is_kept)

    @property
    def kept_claims(self) -> tuple[CheckedClaim, ...]:
        return tuple(claim for claim in self.checked if claim.judged.is_kept)


def unheard(judged: JudgedClaim) -> JudgedClaim:
    """Return the judged claim unchanged: no second opinion is asked for."""
    return judged


def find(
    draft: ReportDraft, today: date, hear: Callable[[JudgedClaim], JudgedClaim] = unheard
) -> VerificationFindings:
    """Judge and weigh every claim of the draft. `hear` returns a judged claim after a second opinion."""
    disputes = find_disputes(draft.claims, draft.citations, draft.origins, today, draft.decided)
    alike = NearestSentence(builtin_embedder())  # embeds only claims not in their source's words
    judged = [hear(judge(claim, draft, alike)) for claim in draft.claims]
    credibility = credibilities(judged, draft.origins, today)
    checked = (
        weigh(judged_claim, draft, disputes.conflict_of(judged_claim.claim.pk), credibility, alike, today)
        for judged_claim in judged
    )
    return VerificationFindings(draft, tuple(checked), disputes, credibility, today)
