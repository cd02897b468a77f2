"""The form of a schedule: when it runs, and who is notified."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.accounts.notification_mail import address_of, reader_of
from research.library.library_folders import library_folders
from research.models import Kind, Notice, Schedule
from research.pipelines.pipeline_kinds import kind_of
from research.pipelines.pipeline_playbooks import apply_playbook, has_playbook
from research.pipelines.report.send_report_instruction import InstructionRefused
from research.pipelines.table.table_config import MAX_ITEMS
from research.runs.schedules.run_schedule_due_times import BadTimes, Times, preview_due_times
from research.runs.start_and_cancel import GIVEN, MAX_TOPIC, MIN_TOPIC_LENGTH, InvalidTopic, validate_topic
from research.web.ask.ask_question_form import offer_folders
from research.web.ask.library_scope_field import ScopeField, as_choice
from research.web.site.line_list_form_field import LinesField

DAILY = "0 7 * * *"
SECONDS = {"hours": 3600, "days": 86_400, "weeks": 604_800}
MAX_CRON = 100
MAX_PLAYBOOK = 10_000
KINDS = [
    (Kind.REPORT.value, _("A report")),
    (Kind.TECHNICAL.value, _("A technical answer")),
    (Kind.TABLE.value, _("A table")),
]
FIELD_OF = {"interval": "every", "once": "once_at"}  # fields by the way in which the times are given
FIELDS = (
    *("name", "kind", "question", "items", "playbook"),
    *("how", "cron", "every", "unit", "once_at", "time_zone", "sends_mail"),
)
MAX_NAME = 80  # of a name that is derived from a question


class ScheduleForm(forms.Form):
    """The form for a schedule, which can be saved only after its next times have been shown.

    `shown` holds the signature of the settings whose times were shown.
    """

    name = forms.CharField(
        label=_("Name"), max_length=200, error_messages={"required": _("Give the schedule a name.")}
    )
    question = forms.CharField(
        label=_("Question"),
        error_messages={"required": _("Write a question first.")},
        widget=forms.Textarea(
            attrs={"rows": 3, "dir": "auto", "minlength": MIN_TOPIC_LENGTH, "maxlength": MAX_TOPIC}
        ),
    )
    kind = forms.ChoiceField(
        label=_("What each run makes"), required=False, choices=KINDS, initial=Kind.REPORT.value
    )
    items = LinesField(
        _("Rows of the table"),
        _("One per line, for tables only. The question says what to find for each."),
        MAX_ITEMS,
        str,
    )
    folders = ScopeField()
    playbook = forms.CharField(
        label=_("Playbook"),
        required=False,
        max_length=MAX_PLAYBOOK,
        help_text=_(
            "Instructions for each run, one per line: “not example.org”, “nothing before 2024”; for reports "
            "also “add a section on costs”."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    how = forms.ChoiceField(
        label=_("When"),
        choices=[
            ("cron", _("At set times (cron)")),
            ("interval", _("At regular intervals")),
            ("once", _("Once, at a set time")),
        ],
        widget=forms.RadioSelect,
        initial="cron",
    )
    cron = forms.CharField(
        label=_("Cron expression"),
        required=False,
        max_length=MAX_CRON,
        initial=DAILY,
        help_text=_(
            "minute hour day month weekday; “0 7 * * mon-fri” is at seven on working days. With six parts, the first is"
            " the second."
        ),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "off"}),
    )
    every = forms.IntegerField(label=_("Every"), required=False, min_value=1, max_value=10_000, initial=1)
    unit = forms.ChoiceField(
        label=_("Unit"),
        required=False,
        choices=[("hours", _("hours")), ("days", _("days")), ("weeks", _("weeks"))],
        initial="days",
    )
    once_at = forms.DateTimeField(
        label=_("Date and time"),
        required=False,
        input_formats=("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), initial="UTC")
    sends_mail = forms.BooleanField(label=_("Mail me what changed after each run"), required=False)
    shown = forms.CharField(required=False, max_length=300, widget=forms.HiddenInput)

    def __init__(self, owner: User, kind: str | None, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        self.fixed_kind = kind
        if kind is not None:  # the kind was chosen before, and the settings belong to it
            del self.fields["kind"]
        if kind not in (None, Kind.TABLE):
            del self.fields["items"]
        if kind is not None and not has_playbook(kind_of(kind)):
            del self.fields["playbook"]
        self.times: tuple[datetime, ...] = ()
        if not offer_folders(self):
            del self.fields["folders"]
        zone = self.fields["time_zone"]
        if isinstance(zone, forms.ChoiceField):
            zone.choices = [(name, name.replace("_", " ")) for name in sorted(available_timezones())]
        mail = self.fields["sends_mail"]
        if not address_of(owner):
            mail.disabled, mail.initial = True, False
            self.initial.pop("sends_mail", None)
            mail.help_text = gettext("Your account has no e-mail address, so no mail can be sent.")
        elif not reader_of(owner, Notice.SCHEDULE_RUN):
            mail.help_text = gettext(
                "Mail from schedules is turned off in your settings: none is sent until you turn it on."
            )

    def clean_question(self) -> str:
        try:
            return validate_topic(str(self.cleaned_data["question"]))
        except InvalidTopic as refusal:
            raise forms.ValidationError(str(refusal), code="invalid_topic") from refusal

    def clean(self) -> None:
        field = FIELD_OF.get(str(self.cleaned_data.get("how")), "cron")
        self._check_kind()
        if field != "cron" and not self.cleaned_data.get(field):
            if field not in self.errors:
                missing = (
                    gettext("Say how many.") if field == "every" else gettext("Enter a date and a time.")
                )
                self.add_error(field, missing)
            return
        if not {field, "time_zone", "how"} & set(self.errors):
            try:
                self.times = preview_due_times(self.build_schedule_times(), timezone.now())
            except BadTimes as bad:
                self.add_error(field, str(bad))

    def _check_kind(self) -> None:
        given = self.cleaned_data
        kind, playbook = given.get("kind") or self.fixed_kind or Kind.REPORT, str(given.get("playbook", ""))
        if kind == Kind.TABLE and not given.get("items") and "items" not in self.errors:
            self.add_error("items", gettext("A table needs at least one item."))
        try:
            apply_playbook(kind_of(kind), {}, playbook)
        except InstructionRefused as refusal:
            self.add_error("playbook", str(refusal))

    def build_schedule_times(self) -> Times:
        """Return the times that a form with valid fields describes."""
        given = self.cleaned_data
        if given["how"] == "interval":
            return Times(interval=timedelta(seconds=int(given["every"]) * SECONDS[given["unit"] or "days"]))
        if given["how"] == "once":
            local = given["once_at"].replace(tzinfo=ZoneInfo(str(given["time_zone"])))
            return Times(once=local.astimezone(UTC))
        return Times(cron=" ".join(str(given["cron"]).split()), zone=str(given["time_zone"]))

    @property
    def signature(self) -> str:
        """Return a string that identifies the settings that determine the times."""
        times = self.build_schedule_times()
        seconds = int(times.interval.total_seconds()) if times.interval else ""
        once = times.once.isoformat() if times.once else ""
        return f"{times.cron}|{seconds}|{once}|{self.cleaned_data['time_zone']}"

    @property
    def were_shown(self) -> bool:
        return str(self.cleaned_data.get("shown")) == self.signature

    def write_to(self, schedule: Schedule) -> None:
        """Write the values of a valid form to the schedule."""
        given, times = self.cleaned_data, self.build_schedule_times()
        schedule.name, schedule.topic = str(given["name"]).strip(), str(given["question"])
        if "folders" in given and searches_library(schedule):
            schedule.config = {**schedule.config, "folders": given["folders"]}
        schedule.kind = given.get("kind") or schedule.kind
        schedule.playbook = str(given.get("playbook", "")).strip()
        if schedule.kind == Kind.TABLE:
            schedule.input = {**schedule.input, "prompt": schedule.topic, "items": given["items"]}
        elif "kind" in given and schedule.kind == Kind.TECHNICAL:
            schedule.input = {"question": schedule.topic}
        schedule.cron, schedule.once_at = times.cron, times.once
        schedule.interval_seconds = int(times.interval.total_seconds()) if times.interval else None
        schedule.time_zone = str(given["time_zone"])
        schedule.sends_mail = bool(given["sends_mail"])
        schedule.enabled, schedule.problem = True, ""
        schedule.next_at = self.times[0]


def searches_library(schedule: Schedule) -> bool:
    return schedule.kind not in GIVEN and schedule.config.get("sources") != "web"


def initial_of(schedule: Schedule) -> dict[str, object]:
    every, unit = _in_units(schedule.interval_seconds)
    return {
        "name": schedule.name,
        "question": schedule.topic,
        "folders": as_choice(schedule.config.get("folders", []), library_folders()),
        "kind": schedule.kind,
        "items": "\n".join(schedule.input.get("items", [])),
        "playbook": schedule.playbook,
        "how": "cron" if schedule.cron else "once" if schedule.once_at else "interval",
        "once_at": schedule.once_at
        and schedule.once_at.astimezone(ZoneInfo(schedule.time_zone)).replace(tzinfo=None),
        "cron": schedule.cron or DAILY,
        "every": every,
        "unit": unit,
        "time_zone": schedule.time_zone,
        "sends_mail": schedule.sends_mail,
    }


def _in_units(seconds: int | None) -> tuple[int, str]:
    for unit, size in sorted(SECONDS.items(), key=lambda item: -item[1]):
        if seconds and seconds % size == 0:
            return seconds // size, unit
    return 1, "days"


def field_groups(form: ScheduleForm) -> Sequence[forms.BoundField]:
    return [form[name] for name in FIELDS if name in form.fields]
