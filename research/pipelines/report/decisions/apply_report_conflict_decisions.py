"""Apply people's decisions on conflicts between the analysis and the writing: a losing side is not written.

Needs the tenant set and the run's row locked.
"""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from citations.models import Claim, Contradiction, Resolution
from research.models import ReviewItem, ReviewStatus, Run
from research.models.schemas import RunOutcome, StoredDecision
from research.pipelines.common.cite_report_section_step import cite_beside
from research.pipelines.common.exclude_report_claims import note_left_out
from research.pipelines.report.decisions.standing_report_decisions import describe_removal
from research.pipelines.report.report_outline import number_sections, read_outline


def settle_conflicts(run: Run, items: Sequence[ReviewItem]) -> None:
    """Settle the conflicts. Edited: a side was chosen. Accepted: both are presented. Rejected: neither is used."""
    decided = [item for item in items if item.contradiction is not None and item.decided_by is not None]
    for item in decided:
        _store(item)
    lost = dict(pair for item in decided for pair in _find_losing_claims(item))
    if lost:
        _leave_unwritten(run, lost)


def _store(item: ReviewItem) -> None:
    """Mark the row as decided by a person, so that checking the report keeps it."""
    decision = StoredDecision.model_validate(item.decision or {})
    note = " ".join(decision.note.split())
    words = _describe_decision(item) % {"name": item.decided_by.get_username() if item.decided_by else ""}
    said = f"{words}: {note}" if note else f"{words}."
    Contradiction.objects.filter(pk=str(item.contradiction_id)).update(
        resolution=Resolution.HUMAN,
        winner=decision.winner if item.status == ReviewStatus.EDITED else None,
        resolved_by=item.decided_by,
        note=" ".join(filter(None, (item.shown.get("note", ""), said))),
    )


def _describe_decision(item: ReviewItem) -> str:
    match ReviewStatus(item.status):
        case ReviewStatus.EDITED:
            return _("%(name)s chose a side")
        case ReviewStatus.REJECTED:
            return _("%(name)s uses neither side")
        case _:
            return _("%(name)s has both sides presented")


def _find_losing_claims(item: ReviewItem) -> Iterator[tuple[UUID, str]]:
    """Yield the claims that are not written, each with the reason."""
    sides = [UUID(item.shown["claim_a"]), UUID(item.shown["claim_b"])]
    if item.status == ReviewStatus.REJECTED:
        yield from ((side, describe_removal(item)) for side in sides)
    elif item.status == ReviewStatus.EDITED:
        winner = StoredDecision.model_validate(item.decision).winner
        reason = _("%(name)s chose the other side of a conflict.")
        name = item.decided_by.get_username() if item.decided_by else ""
        yield from ((side, reason % {"name": name}) for side in sides if side != winner)


def _leave_unwritten(run: Run, lost: Mapping[UUID, str]) -> None:
    """Move the claims from the outline to the list of left-out statements, with the words that they are based on."""
    claims = list(Claim.objects.filter(pk__in=lost).order_by("position"))
    sections = [
        section.model_copy(update={"claims": [pk for pk in section.claims if pk not in lost]})
        for section in read_outline(run.outline)
    ]
    kept = [section for section in sections if section.claims]
    run.outline, run.total_sections = number_sections(kept), len(kept)
    Run.objects.filter(pk=run.pk).update(outline=run.outline, total_sections=run.total_sections)
    cite_beside(run.pk, claims)
    for claim in claims:
        Claim.objects.filter(pk=claim.pk).update(verification_note=lost[claim.pk])
    note_left_out(run.pk, [(claim.text, lost[claim.pk]) for claim in claims])
    if not kept:
        _answer_nothing(run)


def _answer_nothing(run: Run) -> None:
    """Write the short report without an answer, since every claim was set aside."""
    outcome = RunOutcome.model_validate(Run.objects.values_list("result", flat=True).get(pk=run.pk))
    outcome.insufficient = True
    outcome.reasons = [_("The review of the conflicts rejected both sides of each: no claim is left.")]
    run.result = outcome.model_dump(mode="json")
    Run.objects.filter(pk=run.pk).update(result=run.result)
