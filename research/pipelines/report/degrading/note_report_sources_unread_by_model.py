"""Record sources that no model read because the tokens for reading were spent: the rest is kept for writing."""

from research.llm.budgets.budget_degradations import Loss, Shortfall, forget_loss, record_loss
from research.llm.model_errors import Trouble
from research.models import Run, Step, StepStatus
from research.pipelines.report.report_step_names import READING

IMPACT = 0.15  # of a report none of whose sources a model read


def note_unread_by_model(run: Run) -> None:
    """Record or clear, once reading is over, the loss of sources that no model read for lack of tokens.

    Needs the tenant set.
    """
    steps = Step.objects.filter(
        run=run, handler__in=READING, status=StepStatus.COMPLETED, output__has_key="claims"
    )
    total = steps.count()
    unread = steps.filter(output__fallback__code=Trouble.BUDGET_TOKENS.value).count()
    if unread:
        record_loss(run.pk, loss_of(unread, total))
    else:
        forget_loss(run.pk, Shortfall.READING_CUT_SHORT)


def loss_of(unread: int, total: int) -> Loss:
    """Return the loss. Pure."""
    words = (
        f"The tokens for reading were spent: a model read {total - unread} of {total} sources, rules read the others. "
        "What was left is kept for writing and checking."
    )
    return Loss(Shortfall.READING_CUT_SHORT, IMPACT * unread / total, words)
