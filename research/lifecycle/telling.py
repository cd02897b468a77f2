"""Telling the owner of a run by mail that a person is asked. Inside the transaction that asks."""

from research.lifecycle.logs import logger
from research.models import Escalation, Run

log = logger(__name__)

SHORT = 80  # characters of a question in a subject


def tell_owner(run: Run, asked: Escalation, items: int) -> None:
    log.info("person_asked", run=str(run.pk), rule=asked.rule, items=items)
