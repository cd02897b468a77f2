"""A run of a schedule, of any kind: asked with what the schedule keeps, and told what its playbook says."""

from django.contrib.auth.models import User

from research.engine.pipeline_registry import Json
from research.models import Item, Kind, Relation, Run, Schedule
from research.pipelines.kinds import kind_of
from research.pipelines.report.instruct import MOST_QUEUED, InstructionRefused, tell, validate_instruction
from research.runs.rerun import anew
from research.runs.start_and_cancel import StartRefused, start_run

COMPARED = (Kind.REPORT, Kind.TABLE, Kind.TECHNICAL)  # whose runs show what changed since the one before


def start_scheduled(schedule: Schedule, owner: User, parent: Run | None, client_key: str) -> Run:
    """The first run has no parent where the schedule was not made from one. Raises one of `REFUSALS`."""
    kind = kind_of(schedule.kind)
    is_compared = parent is not None and schedule.kind in COMPARED
    relation = Relation.RERUN if is_compared else None
    parent = parent if is_compared else None
    config = anew(schedule.config, schedule.kind)
    if schedule.input:
        run = kind.start(
            owner=owner, asked=kind.read_input(schedule.input), config=config, client_key=client_key
        )
        run.parent, run.relation, run.schedule = parent, relation or "", schedule
        run.save(update_fields=["parent", "relation", "schedule", "updated_at"])
    else:
        run = start_run(
            owner=owner,
            kind=schedule.kind,
            topic=schedule.topic,
            config=config,
            client_key=client_key,
            parent=parent,
            relation=relation,
            schedule=schedule,
        )
    _tell_playbook(schedule, run, owner)
    return run


def _tell_playbook(schedule: Schedule, run: Run, owner: User) -> None:
    for number, line in enumerate(split_playbook(schedule.playbook)):
        try:
            tell(run.pk, owner, line, key=f"playbook.{number}")
        except InstructionRefused as refusal:
            raise StartRefused(str(refusal)) from refusal


def input_of_run(run: Run) -> tuple[dict[str, Json], dict[str, Json]]:
    """What a schedule keeps to ask a run's question again: its input, and its configuration. Needs the tenant set.

    Only a table has something besides topic and configuration: its rows, with the columns that go with them.
    """
    if run.kind != Kind.TABLE:
        return {}, dict(run.config)
    items = list(Item.objects.filter(run=run).order_by("index").values_list("input", flat=True))
    own = {name: run.config[name] for name in ("fields", "template") if name in run.config}
    left = ("fields", "template", "rows", "beside")
    config = {name: value for name, value in run.config.items() if name not in left}
    return {"prompt": run.topic, "items": items, **own}, config


def split_playbook(playbook: str) -> list[str]:
    """Its instructions, one a line. Raises InstructionRefused for one that cannot be told, or too many."""
    lines = [validate_instruction(line) for line in playbook.splitlines() if line.strip()]
    if len(lines) > MOST_QUEUED:
        message = f"A playbook has at most {MOST_QUEUED} instructions; these are {len(lines)}."
        raise InstructionRefused(message)
    return lines
