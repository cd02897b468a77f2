"""Write schedules and start their runs, of any kind, with the schedule's input and playbook."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.engine.pipeline_registry import Json
from research.models import Item, Kind, Relation, Run, Schedule
from research.pipelines.pipeline_kinds import AnyKind, kind_of
from research.pipelines.pipeline_playbooks import apply_playbook, split_playbook
from research.pipelines.report.report_config import validate_values
from research.pipelines.report.send_report_instruction import InstructionRefused, tell
from research.pipelines.report.start_report import with_sources_checked
from research.runs.rerun import configure_rerun
from research.runs.schedules.run_schedule_beat import update_copy
from research.runs.schedules.run_schedule_due_times import BadTimes, Times, preview_due_times
from research.runs.start_and_cancel import RunActionRefused, StartRefused, start_run, validate_topic

COMPARED = (
    Kind.REPORT,
    Kind.TABLE,
    Kind.TECHNICAL,
)  # kinds whose runs show what changed since the previous one
SCHEDULABLE = (*COMPARED, Kind.DIGEST)  # others return the same for the same input
MAX_NAME, MAX_PLAYBOOK = 200, 10_000


class ScheduleRefused(RunActionRefused):
    """Raised if a schedule is not possible; str(error) tells its author why. Nothing was changed."""


def _parse_moment(value: object) -> object:
    """Parse an ISO 8601 moment with its offset. Raises ValueError."""
    if not isinstance(value, str):
        return value
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("Give the date and time with its offset, such as 2027-03-03T09:30:00+01:00.")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("It is outside of the years 1 to 9999 in UTC.") from error


class ScheduleTimes(BaseModel):
    """The start times of its runs: one of `cron`, `every_minutes` and `once_at`."""

    model_config = ConfigDict(extra="forbid")

    cron: str = Field(
        "", max_length=100, description="minute hour day month weekday; a sixth before is the second"
    )
    every_minutes: int | None = Field(None, ge=15, le=366 * 24 * 60)
    once_at: Annotated[AwareDatetime, BeforeValidator(_parse_moment)] | None = None
    time_zone: str = Field(
        "UTC", max_length=60, description="The time zone of `cron`, such as Europe/Zurich."
    )


class ScheduleRequest(BaseModel):
    """A schedule as an API client requests it. `kind`, `input` and `config` are as for a run."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field("", max_length=MAX_NAME, description="Empty: the beginning of the question.")
    kind: Kind = Kind.REPORT
    input: dict[str, JsonValue]
    config: dict[str, JsonValue] = Field(default_factory=dict)
    times: ScheduleTimes
    playbook: str = Field(
        "",
        max_length=MAX_PLAYBOOK,
        description="Instructions for each run, one a line: a report is told them when it starts; runs of other kinds"
        " leave out sites and keep to dates.",
    )
    sends_mail: bool = False


def write_schedule(schedule: Schedule, owner: User, wanted: ScheduleRequest) -> Schedule:
    """Store and enable the schedule as requested. Raises one of `REFUSALS`. Needs the tenant set."""
    kind = kind_of(wanted.kind)
    if wanted.kind not in SCHEDULABLE:
        raise ScheduleRefused(
            _("Runs of this kind always give the same result for the same input, so they can’t be scheduled.")
        )
    question, config = kind.read_input(wanted.input), _check_config(kind, wanted.config)
    words = str(getattr(question, kind.question_field)) if kind.question_field else wanted.name
    topic, times = validate_topic(words), _read_times(wanted.times)
    try:
        apply_playbook(kind, config, wanted.playbook)
    except InstructionRefused as refusal:
        raise ScheduleRefused(str(refusal)) from refusal
    schedule.name = wanted.name.strip() or topic[:80]
    schedule.kind, schedule.topic, schedule.config = wanted.kind, topic, config
    is_plain = wanted.kind == Kind.REPORT  # its topic and configuration are enough
    schedule.input = {} if is_plain else question.model_dump(mode="json", exclude_unset=True)
    schedule.playbook, schedule.sends_mail = wanted.playbook.strip(), wanted.sends_mail
    schedule.cron, schedule.once_at, schedule.time_zone = times.cron, times.once, times.zone
    schedule.interval_seconds = int(times.interval.total_seconds()) if times.interval else None
    schedule.owner, schedule.enabled, schedule.problem = owner, True, ""
    schedule.next_at = times.next(timezone.now())
    schedule.save()
    update_copy(schedule)
    return schedule


def _check_config(kind: AnyKind, values: Mapping[str, object]) -> dict[str, Json]:
    """Return the checked configuration. Raises ConfigError."""
    config = validate_values(kind.config, values)
    if isinstance(config, SourceSettings):
        config = with_sources_checked(config)
    checked: dict[str, Json] = config.model_dump(mode="json", exclude_unset=True)
    return checked


def _read_times(wanted: ScheduleTimes) -> Times:
    """Return the checked times. Raises ScheduleRefused."""
    ways = [bool(wanted.cron.strip()), wanted.every_minutes is not None, wanted.once_at is not None]
    if sum(ways) != 1:
        raise ScheduleRefused(_("Say when in one way: cron, every_minutes or once_at."))
    interval = None if wanted.every_minutes is None else timedelta(minutes=wanted.every_minutes)
    cron = " ".join(wanted.cron.split())
    times = Times(cron=cron, interval=interval, once=wanted.once_at, zone=wanted.time_zone)
    try:
        preview_due_times(times, timezone.now())
    except BadTimes as bad:
        raise ScheduleRefused(str(bad)) from bad
    return times


def start_scheduled(schedule: Schedule, owner: User, parent: Run | None, client_key: str) -> Run:
    """Start a run of the schedule.

    The first one has no parent unless the schedule was made from a run. Raises one of `REFUSALS`.
    """
    kind = kind_of(schedule.kind)
    is_compared = parent is not None and schedule.kind in COMPARED
    relation = Relation.RERUN if is_compared else None
    parent = parent if is_compared else None
    try:
        config = apply_playbook(kind, configure_rerun(schedule.config, schedule.kind), schedule.playbook)
    except InstructionRefused as refusal:
        raise StartRefused(str(refusal)) from refusal
    if schedule.input:
        words = {kind.question_field: schedule.topic} if kind.question_field else {}
        asked = kind.read_input({**schedule.input, **words})
        run = kind.start(owner=owner, asked=asked, config=config, client_key=client_key)
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
    if schedule.kind == Kind.REPORT:
        _tell_playbook(schedule, run, owner)
    return run


def _tell_playbook(schedule: Schedule, run: Run, owner: User) -> None:
    for number, line in enumerate(split_playbook(schedule.playbook)):
        try:
            tell(run.pk, owner, line, key=f"playbook.{number}")
        except InstructionRefused as refusal:
            raise StartRefused(str(refusal)) from refusal


def input_of_run(run: Run) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return the input and configuration with which a schedule repeats a run. Needs the tenant set.

    Only a table has input besides topic and configuration: its rows, with the columns that go with them.
    """
    if run.kind != Kind.TABLE:
        return {}, dict(run.config)
    items = list(Item.objects.filter(run=run).order_by("index").values_list("input", flat=True))
    own = {name: run.config[name] for name in ("fields", "template") if name in run.config}
    left = ("fields", "template", "rows", "beside")
    config = {name: value for name, value in run.config.items() if name not in left}
    return {"prompt": run.topic, "items": items, **own}, config
