"""A table that is asked for in words alone: a model proposes its rows and columns, or lists in the sources name them;
its owner changes and starts it.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from exports.stored.translate_exported_sentences import translate_stored_text
from research.engine.states.transitions import lock_run
from research.llm.model_settings import engine
from research.models import (
    Escalation,
    EscalationStatus,
    Item,
    ItemStatus,
    Kind,
    PlanTrigger,
    ReviewAct,
    Run,
    State,
)
from research.models.schemas import StoredDecision
from research.pipelines.table.decomposing.table_request_decomposition import MAX_PROPOSED
from research.pipelines.table.items.initial_table_rows import new_items, set_rows
from research.pipelines.table.plan_table import plan_of
from research.pipelines.table.start_table import begin_run, validate_config, validate_inputs
from research.pipelines.table.table_columns import LISTED, TableField, complaints
from research.pipelines.table.table_config import PILOT_ITEMS, TableConfig
from research.pipelines.table.table_refusals import TableRefused
from research.pipelines.table.table_row_credits import reserve_rows, store_estimate
from research.review.decide_review_items import DecisionRefused, decide_whole
from research.runs.run_plan_versions import keep_version
from research.runs.start_and_cancel import describe_searched_library

__all__ = ["TableRefused", "begin_proposed", "is_proposal", "list_rows", "propose_table"]


def list_rows(
    *,
    owner: User,
    prompt: str,
    fields: Sequence[TableField] = (),
    config: Mapping[str, object] | None = None,
    client_key: str | None = None,
) -> Run:
    """Create a run that finds its rows in lists of the sources; it then waits for its owner. Given columns stay.

    Credits for the rows are reserved when they are known and approved. Raises TableRefused, InvalidTopic and
    StartRefused as `start_table` does.
    """
    listed = TableField(name=LISTED, title=_("Listed as"))
    asked = {"proposal": "list", "plan_approval": "ask", "rows": 0}
    columns = (listed, *(field for field in fields if field.name != LISTED))
    return begin_run(owner, prompt, validate_config(columns, "", {**(config or {}), **asked}), client_key)


def propose_table(
    *,
    owner: User,
    prompt: str,
    inputs: Sequence[str] = (),
    config: Mapping[str, object] | None = None,
    client_key: str | None = None,
) -> Run:
    """Create a run whose rows and columns a model names; it then waits for its owner. Items that are given stay.

    Raises TableRefused where no model is configured; InvalidTopic and StartRefused as `start_run` does.
    """
    if engine() == "extractive":
        raise TableRefused(_("No model is configured: name the rows and columns yourself."))
    rows = validate_inputs(inputs) if inputs else []
    asked = {"proposal": "model", "plan_approval": "ask", "rows": len(rows) or MAX_PROPOSED}
    checked = validate_config((), "", {**(config or {}), **asked})
    with transaction.atomic():
        run = begin_run(owner, prompt, checked, client_key)
        if rows and not Item.objects.filter(run=run).exists():
            Item.objects.bulk_create(new_items(run, checked, rows))
            Run.objects.filter(pk=run.pk).update(items_total=len(rows))
    return run


def is_proposal(run: Run) -> bool:
    """Its rows and columns are a model's, or were found in lists, and wait for its owner."""
    return run.state == State.HUMAN_REVIEW_PLAN and _is_unfilled(run)


def _is_unfilled(run: Run) -> bool:
    is_proposed = run.kind == Kind.TABLE and run.config.get("proposal", "given") != "given"
    return is_proposed and not Item.objects.filter(run=run).exclude(status=ItemStatus.PENDING).exists()


def begin_proposed(
    run_id: UUID,
    who: User,
    *,
    inputs: Sequence[str] | None = None,
    fields: Sequence[TableField] | None = None,
    template: str = "",
    config: Mapping[str, object] | None = None,
    is_pilot: bool = False,
) -> Run:
    """Fill the table with these rows and columns, or with those of the proposal that are not given.

    Raises TableRefused and StartRefused.
    """
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or not is_proposal(run):
            raise TableRefused(_("This proposal has been decided already."))
        proposed = TableConfig.model_validate(run.config)
        if inputs is None:
            inputs = list(Item.objects.filter(run=run).order_by("index").values_list("input", flat=True))
        fields = proposed.fields if fields is None else fields
        rows = validate_inputs(inputs)
        if wrong := complaints(fields):
            raise TableRefused(" ".join(map(translate_stored_text, wrong)))
        checked = validate_config(fields, template, {**run.config, **(config or {})})
        reserve_rows(run, checked, len(rows))
        run.config = checked.model_dump(mode="json", exclude_defaults=True)
        held_from = PILOT_ITEMS if is_pilot else None
        changed = set_rows(run, rows, fields, template.strip() or proposed.template, held_from)
        store_estimate(run, run.config)
        Run.objects.filter(pk=run.pk).update(searched=describe_searched_library(run.kind, run.config))
        keep_version(run, plan_of(run.topic, changed), PlanTrigger.EDIT, "", who)
        _consent(run, who)
    return run


def _consent(run: Run, who: User) -> None:
    asked = Escalation.objects.filter(run=run, status=EscalationStatus.OPEN).order_by("-created_at").first()
    if asked is None:
        raise TableRefused(_("This proposal has been decided already."))
    try:
        decide_whole(asked.pk, who, ReviewAct.ACCEPT, StoredDecision())
    except DecisionRefused as refused:
        raise TableRefused(str(refused)) from refused
