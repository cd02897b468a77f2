"""Remove claims from a report's text, and list each with the reason."""

from collections.abc import Sequence
from uuid import UUID

from citations.models import Claim, Section
from research.models import Run
from research.models.schemas import LeftOut, RunOutcome

TOO_FEW = "It has %(found)s of the %(wanted)s independent sources wanted for a claim."


def too_few_sources(found: int, wanted: int) -> str:
    """Return the reason for leaving out a claim with fewer sources than its run wants."""
    return TOO_FEW % {"found": found, "wanted": wanted}


def leave_out(run_id: UUID, dropped: Sequence[tuple[Claim, str]]) -> None:
    """Remove the claims from the report, each with its reason. Runs inside the step's transaction."""
    if not dropped:
        return
    ids = {claim.pk for claim, _ in dropped}
    for section in Section.objects.filter(claims__in=ids).distinct():
        section.body = without(section.body, ids)
        section.save(update_fields=["body", "updated_at"])
    for claim, reason in dropped:
        Claim.objects.filter(pk=claim.pk).update(section=None, number=None, verification_note=reason)
    note_left_out(run_id, [(claim.text, reason) for claim, reason in dropped])


def note_left_out(run_id: UUID, texts: Sequence[tuple[str, str]]) -> None:
    """List texts that are not in the report, each with its reason. Runs inside the step's transaction."""
    if not texts:
        return
    outcome = RunOutcome.model_validate(Run.objects.values_list("result", flat=True).get(pk=run_id))
    outcome.left_out += [LeftOut(text=text, reason=reason) for text, reason in texts]
    Run.objects.filter(pk=run_id).update(result=outcome.model_dump(mode="json"))


def without(
    section_body: dict[str, list[dict[str, list[dict[str, str]]]]], dropped: set[UUID]
) -> dict[str, object]:
    """Return the body without the dropped claims."""
    gone = {str(claim_id) for claim_id in dropped}
    return {
        "blocks": [
            {
                **block,
                "sentences": [
                    sentence for sentence in block["sentences"] if sentence.get("claim") not in gone
                ],
            }
            for block in section_body["blocks"]
        ]
    }
