"""Describes an entry of the log that is not a step: the event, its author, its text. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.contrib.auth.models import User
from django.utils.formats import date_format, number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exports.labels.document_labels import DEGRADATIONS, SHORTFALLS
from exports.stored.translate_exported_sentences import translate_stored_text
from research.models import Degradation, Escalation, Instruction, PlanVersion, ReviewDecision, Step
from research.web.review.review_labels import ANSWERS, FALLBACKS, PLAN_TRIGGERS, REVIEW_ACTS, RULES
from research.web.runs import transition_labels
from research.web.runs.steering_labels import INSTRUCTIONS
from research.web.runs.trace.log_page_timeline import Happened, TimelineEntry, TimelineEntryKind
from research.web.site.value_labels import STATES

Row = TypeVar("Row", bound=Happened)


@dataclass(frozen=True, slots=True)
class EntryText:
    """The description of an entry. `words` is a person's text, shown as a quote; `figures` are the values that
    decided.
    """

    title: str
    lines: tuple[str, ...] = ()
    by: str = ""
    words: str = ""
    figures: tuple[str, ...] = field(default=())


def tell(entry: TimelineEntry) -> EntryText:
    return _TELLERS[entry.what](entry)


def _move(entry: TimelineEntry) -> EntryText:
    """Describe why a state was left; name only the state if it was not left, or if an earlier version stored it."""
    row = _row(entry, Step)
    state = row.handler.removeprefix("state.")
    found = transition_labels.describe_transition(row.output, state)
    if found is not None:
        return EntryText(found.sentence, figures=tuple(f"{name}: {value}" for name, value in found.figures))
    name = str(STATES.get(state, state))
    return EntryText(_("In: %(state)s") % {"state": name} if entry.at is None else name)


def _question(entry: TimelineEntry) -> EntryText:
    row = _row(entry, Escalation)
    rule = str(RULES.get(row.rule, row.rule))
    until = date_format(row.deadline, "SHORT_DATETIME_FORMAT")
    else_ = FALLBACKS.get(row.without_answer, row.without_answer)
    lines = (
        row.required_action and _(row.required_action),
        _("Asked until %(until)s; without an answer %(then)s.") % {"until": until, "then": else_},
        str(ANSWERS.get(row.status, row.status)),
    )
    title = _("A person was asked: %(rule)s") % {"rule": rule}
    return EntryText(title, tuple(filter(None, lines)), by=_name(row.decided_by))


def _decision(entry: TimelineEntry) -> EntryText:
    row = _row(entry, ReviewDecision)
    act, detail = str(REVIEW_ACTS.get(row.act, row.act)), row.detail or {}
    about = (
        translate_stored_text(row.item.reason)
        if row.item
        else str(RULES.get(row.escalation.rule, row.escalation.rule))
    )
    lines = [about]
    if corrected := detail.get("text"):
        lines.append(_("Corrected to: %(text)s") % {"text": corrected})
    return EntryText(act, tuple(filter(None, lines)), by=_name(row.by), words=str(detail.get("note") or ""))


def _instruction(entry: TimelineEntry) -> EntryText:
    row = _row(entry, Instruction)
    status = capfirst(str(INSTRUCTIONS.get(row.status, row.status)))
    effects = row.effects if isinstance(row.effects, list) else []
    return EntryText(
        _("An instruction"),
        (status, *map(translate_stored_text, map(str, effects))),
        by=_name(row.author),
        words=row.text,
    )


def _plan(entry: TimelineEntry) -> EntryText:
    row = _row(entry, PlanVersion)
    subtopics = len(row.plan["subtopics"])
    count = ngettext("%(count)d subtopic", "%(count)d subtopics", subtopics) % {"count": subtopics}
    title = _("Plan %(number)s: %(count)s") % {"number": row.number, "count": count}
    lines = (capfirst(str(PLAN_TRIGGERS.get(row.trigger, row.trigger))), translate_stored_text(row.reason))
    return EntryText(title, tuple(filter(None, lines)), by=_name(row.made_by))


def _degradation(entry: TimelineEntry) -> EntryText:
    row = _row(entry, Degradation)
    title = str(DEGRADATIONS.get(row.code) or SHORTFALLS.get(row.code) or row.code)
    share = _("%(number)s%%") % {"number": number_format(row.quality_impact * 100, 0)}
    cost = _("share of quality: %(share)s") % {"share": share}
    return EntryText(title, (translate_stored_text(row.reason),), figures=(cost,))


_TELLERS: Mapping[TimelineEntryKind, Callable[[TimelineEntry], EntryText]] = {
    TimelineEntryKind.MOVE: _move,
    TimelineEntryKind.QUESTION: _question,
    TimelineEntryKind.DECISION: _decision,
    TimelineEntryKind.INSTRUCTION: _instruction,
    TimelineEntryKind.PLAN: _plan,
    TimelineEntryKind.DEGRADATION: _degradation,
}


def _row(entry: TimelineEntry, kind: type[Row]) -> Row:
    if not isinstance(entry.row, kind):
        raise TypeError(f"an entry of kind {entry.what} holds a {type(entry.row).__name__}")
    return entry.row


def _name(user: User | None) -> str:
    return user.get_username() if user is not None else ""
