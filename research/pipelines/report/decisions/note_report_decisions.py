"""Add people's decisions to a report's shortcomings. Needs the tenant set."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from citations.models import Warning, WarningKind, WarningSeverity
from research.engine.states.state_escalation import LOW_CONFIDENCE
from research.engine.states.state_review_items import ON_REQUEST
from research.models import Escalation, EscalationStatus, Run
from research.pipelines.common.choose_rules_or_model import Engine, engine_of
from research.pipelines.report.decisions.standing_report_decisions import load_accepted_gaps

LITTLE_TRUSTED = "W019"
LOOKED = ("low_verification_confidence", ON_REQUEST)
DECIDED = (EscalationStatus.APPROVED, EscalationStatus.REVISED)


def with_decisions(run: Run, found: Iterable[Warning], quality: float | None) -> list[Warning]:
    """Return unsaved rows: gaps with the person who accepted them, and a warning if a model's text is trusted little
    and nobody reviewed it.

    `quality` 0–100 is the mean confidence of the report's claims.
    """
    accepted = load_accepted_gaps(run.pk)
    rows = list(found)
    for row in rows:
        if said := accepted.get((row.code, row.text)):
            row.advice = f"{row.advice} {said}".strip()
    return [*rows, *_little_trusted(run, quality)]


def _little_trusted(run: Run, quality: float | None) -> Iterator[Warning]:
    if quality is None or quality >= 100 * LOW_CONFIDENCE or engine_of(run) is Engine.EXTRACTIVE:
        return
    asked = Escalation.objects.filter(run=run, rule__in=LOOKED, status__in=DECIDED)
    if not asked.exists():
        text = _(
            "The report's overall confidence is low (%(mean).2f of 1), and nobody has reviewed its claims."
        )
        yield Warning(
            run=run,
            code=LITTLE_TRUSTED,
            kind=WarningKind.QUALITY,
            severity=WarningSeverity.MEDIUM,
            text=text % {"mean": quality / 100},
            advice=_("Read its sources before you rely on it."),
        )
