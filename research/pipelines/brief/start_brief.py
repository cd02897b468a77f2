"""Start a brief. The result is parsed before anything is stored, so that faults are reported at once."""

from collections.abc import Mapping
from typing import Literal

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from exports.document.document_tree import Document
from research.models import Kind, Run
from research.pipelines.brief.brief_config import BriefConfig, BriefContext, complete_context
from research.pipelines.brief.brief_title import name_of
from research.pipelines.brief.research_brief import ResearchBrief, to_research_brief
from research.pipelines.brief.stored_brief import own_of
from research.pipelines.brief.tasks.brief_task_result import BriefInputRefused
from research.pipelines.brief.tasks.parse_brief_task_result import read_bytes, read_result
from research.pipelines.common.pipeline_input_lists import Formats
from research.pipelines.pipeline_kinds import RunKind
from research.pipelines.report.report_config import validate_values
from research.runs.start_and_cancel import MAX_TOPIC, RunActionRefused, start_run


class BriefRefused(RunActionRefused):
    """Raised for input from which no brief can be made. `code` identifies the fault for programs."""

    def __init__(self, refusal: BriefInputRefused) -> None:
        super().__init__(str(refusal))
        self.code = refusal.code


class BriefInput(BaseModel):
    """A finished task's result as JSON, and its context."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    result: dict[str, JsonValue] = Field(
        description="As returned by Parallel, or in the flat format of docs/briefs.md."
    )
    context: BriefContext = BriefContext()


class BriefOptions(BaseModel):
    """The options of a brief."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: Literal["auto", "extractive"] = "auto"
    exports: Formats = ()
    reviews: Literal["ask", "never"] = "never"  # a brief asks nobody


def start_brief(
    *,
    owner: User,
    asked: BriefInput,
    config: Mapping[str, object],
    client_key: str | None = None,
    arrived: str = "upload",
) -> Run:
    """Start a run that makes a brief.

    Raises BriefRefused if the input is not the result of a finished task; ConfigError, InvalidTopic and StartRefused.
    """
    try:
        result = read_result(asked.result)
    except BriefInputRefused as refusal:
        raise BriefRefused(refusal) from refusal
    context = complete_context(asked.context, asked.result)
    given = {**config, "result": asked.result, "context": context.model_dump(mode="json")}
    checked = validate_values(BriefConfig, {**given, "arrived": arrived})
    topic = title_of(context.original_query, result.answer)
    return start_run(
        owner=owner,
        kind=Kind.BRIEF,
        topic=topic,
        config=checked.model_dump(mode="json", exclude_defaults=True),
        client_key=client_key,
    )


def title_of(query: str, answer: str) -> str:
    """Return the query as a title; if there is none, a short title from the answer."""
    if query.strip():
        return query.strip()[:MAX_TOPIC]
    return name_of(answer) or _("A brief")


def read_file(name: str, data: bytes) -> BriefInput:
    """Read a result, or an object with `result` and `context`, from a file. Raises BriefRefused, ConfigError."""
    try:
        given = read_bytes(data)
    except BriefInputRefused as refusal:
        raise BriefRefused(refusal) from refusal
    values = given if isinstance(given.get("result"), Mapping) else {"result": given}
    return validate_values(BriefInput, values)


def read_research_brief(run: Run) -> ResearchBrief | None:
    """Return the brief of a run; None before it is written."""
    own = own_of(run)
    return to_research_brief(own, own.brief) if own and own.brief else None


def add_research_brief(document: Document) -> dict[str, JsonValue]:
    """Return the fields that the command line prints in addition to the answer. Needs the tenant set."""
    brief = read_research_brief(Run.objects.get(pk=document.run_id))
    return {"brief": brief.model_dump(mode="json") if brief else None}


KIND = RunKind(
    kind=Kind.BRIEF,
    config=BriefOptions,
    input=BriefInput,
    start=start_brief,
    read_file=read_file,
    further_json=add_research_brief,
)
