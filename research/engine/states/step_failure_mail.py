"""Mails the owner of a run about its failures."""

from django.utils.translation import gettext as _
from django.utils.translation import override

from research.accounts.notification_mail import forget_unsent, link, post, reader_of
from research.engine.states.step_failures import DEFINITIONS
from research.models import Notice, Run

MAX_TOPIC = 200  # of a question in a mail


def mail_failure(run: Run, code: str, message: str, *, is_over: bool = False) -> bool:
    """Mail the owner once for each run and code, in this transaction, and once more if the run ends with that failure.

    An earlier mail that says that the run goes on, and is not sent yet, is discarded then. Return False if the
    failure's definition sends no mail, or the owner has no address or wants no such mail.
    """
    definition = DEFINITIONS.get(code)
    if definition is None or not definition.tell_a_person:
        return False
    reader = reader_of(run.owner, Notice.FAILURE)
    if reader is None:
        return False
    with override(reader.language):
        subject = _("A run failed") if is_over else _("A run needs your attention")
        body = body_of(run, code, message, is_over=is_over)
    ref = f"{run.pk}:{code}"
    if is_over:
        forget_unsent(Notice.FAILURE, ref)
        ref = f"{ref}:over"
    return post(Notice.FAILURE, ref, reader.address, subject, body)


def body_of(run: Run, code: str, message: str, *, is_over: bool) -> str:
    what_now = (
        _("It has ended. What was finished before is kept and can be read.")
        if is_over
        else _("It continued with reduced scope. Its report says what was left out.")
    )
    topic = run.topic if len(run.topic) <= MAX_TOPIC else f"{run.topic[:MAX_TOPIC]}…"
    return "\n\n".join((topic, f"{message} ({code})", what_now, link(f"/runs/{run.pk}/")))
