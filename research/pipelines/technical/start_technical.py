"""Start a technical run, for any caller."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from pydantic import BaseModel, ConfigDict

from exports.document.document_tree import Document
from research.models import Kind, Relation, Run
from research.pipelines.pipeline_kinds import RunKind, Topic
from research.pipelines.report.start_report import with_sources_checked
from research.pipelines.technical.technical_config import (
    TechnicalConfig,
    config_of,
    parse_config,
    to_run_config,
)
from research.runs.start_and_cancel import start_run


class TechnicalInput(BaseModel):
    """The input of a technical run; all settings have defaults (`TechnicalConfig`)."""

    model_config = ConfigDict(extra="forbid")

    question: Topic


def start_technical(
    *,
    owner: User,
    asked: TechnicalInput,
    config: Mapping[str, object],
    client_key: str | None = None,
    parent: Run | None = None,
) -> Run:
    """Start a run, as a follow-up of `parent` if given. A repeated request id returns the existing run.

    Raises ConfigError, InvalidTopic and StartRefused.
    """
    checked = with_sources_checked(parse_config(config))
    request = f"request:{checked.request_id}"[:100] if checked.request_id else None
    return start_run(
        owner=owner,
        kind=Kind.TECHNICAL,
        topic=asked.question,
        config=to_run_config(checked),
        client_key=client_key or request,
        parent=parent,
        relation=Relation.FOLLOW_UP if parent else None,
    )


def answer_in_words(document: Document) -> str:
    """Render the answer in the requested format. Needs the tenant set."""
    from research.pipelines.technical.answer.technical_answer import read_answer
    from research.pipelines.technical.answer.technical_answer_text import format_answer
    from research.pipelines.technical.answer.technical_answer_tree import answer_of

    run = Run.objects.get(pk=document.run_id)
    return format_answer(answer_of(document, read_answer(run.outcome)), config_of(run).format)


KIND = RunKind(
    kind=Kind.TECHNICAL,
    config=TechnicalConfig,
    input=TechnicalInput,
    start=start_technical,
    question_field="question",
    printed=answer_in_words,
)
