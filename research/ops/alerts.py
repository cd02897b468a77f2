"""Alerts for operators: thresholds on metrics, each with instructions (docs/operating.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from research.ops.queue_heartbeat import SILENT_AFTER_S

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from research.ops.metrics import MetricSample


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A rule that raises an alert for each part of a metric above `above`."""

    name: str
    figure: str
    above: float
    text: "_StrPromise"


@dataclass(frozen=True, slots=True)
class Alert:
    rule: AlertRule
    label: str
    value: float


RULES: tuple[AlertRule, ...] = (
    AlertRule(
        "queue_is_silent",
        "queue_silence_seconds",
        SILENT_AFTER_S,
        _(
            "No worker has responded on this queue for a minute: its workers or Celery beat are down or overloaded."
        ),
    ),
    AlertRule(
        "steps_wait",
        "steps_ready_oldest_seconds",
        120,
        _(
            "Steps are waiting for a worker on this queue: add workers, or find out why the existing ones are busy."
        ),
    ),
    AlertRule(
        "leases_expire",
        "leases_expired",
        0,
        _(
            "Workers died or lost their connection. The sweeper frees their steps within 15 s; "
            "if this message stays, the sweeper is not running."
        ),
    ),
    AlertRule(
        "messages_wait",
        "messages_unsent_oldest_seconds",
        60,
        _("Messages to workers are not being sent: the message broker is down, or the relay is not running."),
    ),
    AlertRule(
        "mail_waits", "mail_unsent", 50, _("Mail is not being sent: check PLUMBLINE_MAIL_URL and the log.")
    ),
    AlertRule(
        "runs_fail",
        "run_failures_day",
        10,
        _("Many runs failed for the same reason within a day."),
    ),
    AlertRule(
        "models_fail",
        "model_failures_hour",
        100,
        _("Many calls of models failed for the same reason within an hour: see the provider’s status."),
    ),
)


def alerts(figures: Iterable["MetricSample"], rules: Iterable[AlertRule] = RULES) -> list[Alert]:
    """Return the alerts in the order of the rules, one for each part of a metric that is too high."""
    found = list(figures)
    return [
        Alert(rule, figure.label, figure.value)
        for rule in rules
        for figure in found
        if figure.name == rule.figure and figure.value > rule.above
    ]
