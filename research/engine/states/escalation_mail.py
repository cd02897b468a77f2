"""Mails the owner of a run about a question to a person, in the transaction that creates the question."""

from django.template.defaultfilters import truncatechars
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from research.accounts.notification_mail import link, post, reader_of
from research.models import PILOT_ENDS, Escalation, Fallback, Notice, Run
from research.runtime.logs import logger

log = logger(__name__)

SHORT = 80  # of a question in a subject


def mail_owner(run: Run, asked: Escalation, items: int) -> None:
    """Mail the owner once for each question, unless they have switched these mails off."""
    is_posted = _post(run, asked, items)
    log.info("person_asked", run=str(run.pk), rule=asked.rule, items=items, mail=is_posted)


def _post(run: Run, asked: Escalation, items: int) -> bool:
    reader = reader_of(run.owner, Notice.ASKED)
    if reader is None:
        return False
    with override(reader.language):
        topic = truncatechars(" ".join(run.topic.split()), SHORT)
        subject = _("Your decision is needed: %(topic)s") % {"topic": topic}
        return post(Notice.ASKED, str(asked.pk), reader.address, subject, _body(run, asked, items))


def _body(run: Run, asked: Escalation, items: int) -> str:
    until = date_format(asked.deadline, "DATETIME_FORMAT")
    lines = [
        _("You asked: %(topic)s") % {"topic": run.topic},
        _(asked.required_action),
        ngettext("There is %(count)d thing to decide.", "There are %(count)d things to decide.", items)
        % {"count": items},
        _("Without an answer until %(until)s (UTC): %(then)s")
        % {"until": until, "then": without_answer(asked)},
        link(run.get_absolute_url()),
    ]
    return "\n\n".join(lines) + "\n"


def without_answer(asked: Escalation) -> str:
    """Return a sentence that says what happens if nobody answers until the deadline."""
    words = {
        PILOT_ENDS: _("the table ends with the rows that are filled."),
        Fallback.FAIL: _("the run ends there; what it has is kept."),
        Fallback.DEGRADE: _("the run goes on, and both sides are presented."),
        Fallback.CONTINUE: _("the run goes on, and the report says what it lacks."),
    }
    return words[asked.without_answer]
