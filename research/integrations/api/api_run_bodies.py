"""The request bodies that start a run: one for each kind of the registry, distinguished by `kind`."""

from collections.abc import Iterable
from typing import Annotated, Literal

from django.http import HttpRequest
from pydantic import BaseModel, Field, create_model

from research.integrations.api.api_auth import caller_of
from research.integrations.api.api_json_bodies import Sent
from research.integrations.api.api_problems import FieldFault, Problem
from research.models import Run
from research.pipelines.pipeline_kinds import REFUSALS, AnyKind, kind_of, run_kinds
from research.pipelines.report.report_config import ConfigError, SettingProblem


class AskedRun(Sent):
    """The fields that all kinds share; `build_body_type` makes a model of each kind."""

    kind: str
    input: BaseModel
    config: BaseModel


def build_body_type() -> object:
    """Return the type of the request body, a union with one model per kind."""
    models = [_body_of(kind) for kind in run_kinds()]
    union: object = models[0]
    for model in models[1:]:
        union = union | model
    return Annotated[union, Field(discriminator="kind")]


def _body_of(kind: AnyKind) -> type[AskedRun]:
    name = kind.kind.value
    made: type[AskedRun] = create_model(
        f"{name.title()}Run",
        __base__=AskedRun,
        __doc__=f"A run of the kind {name}.",
        kind=(Literal[name], ...),  # type: ignore[arg-type]  # the name is a value
        input=(kind.input, ...),
        config=(kind.config, Field(default_factory=kind.config)),
    )
    return made


def start_asked(request: HttpRequest, asked: AskedRun) -> Run:
    """Start the requested run. Raises Problem with the reason if it cannot start."""
    config = asked.config.model_dump(mode="json", exclude_unset=True)
    try:
        return kind_of(asked.kind).start(owner=caller_of(request).user(), asked=asked.input, config=config)
    except REFUSALS as refusal:
        raise to_problem(refusal) from refusal


def to_problem(refusal: Exception) -> Problem:
    complaints = refusal.complaints if isinstance(refusal, ConfigError) else ()
    return Problem("refused", str(refusal), errors=list(_faults(complaints)))


def _faults(complaints: Iterable[SettingProblem]) -> Iterable[FieldFault]:
    for complaint in complaints:
        yield FieldFault(field=complaint.name, message=complaint.message)
