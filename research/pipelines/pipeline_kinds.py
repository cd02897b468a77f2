"""The kinds of run: the input, the configuration and the start of each.

Code that starts runs of any kind (the command line, the API, MCP) uses this registry. A kind is registered beside its
recipe in `AppConfig.ready`:

    register_kind(Kind.REPORT, "research.pipelines.report.start_report.KIND")

    KIND = RunKind(                      # at the end of research/pipelines/report/start_report.py
        kind=Kind.REPORT,
        config=ReportConfig,             # pydantic; unknown names are refused
        input=ReportInput,               # pydantic; what is asked, with its limits
        start=start_report,              # a `Starter`
        question_field="question",       # of the input, that words alone can fill; "" where there is none
        read_file=read_studies,          # optional: a file as a person has it, to the input
        printed=answer_in_words,         # optional: the finished run for a terminal
        further_json=add_own_parts,      # optional: what `--json` prints beside the answer
    )

The web process imports the module: functions import numpy, models and clients of other servers themselves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Generic, Protocol, TypeVar

from django.contrib.auth.models import User
from django.utils.module_loading import import_string
from pydantic import BaseModel, WithJsonSchema

from exports.document.document_tree import Document
from research.models import Kind, Run
from research.pipelines.pipeline_paths import list_registered_kinds, path_of
from research.pipelines.report.report_config import ConfigError, validate_values
from research.runs.start_and_cancel import MAX_TOPIC, MIN_TOPIC_LENGTH, RunActionRefused

Input = TypeVar("Input", bound=BaseModel)
Asked = TypeVar("Asked", bound=BaseModel, contravariant=True)

# Errors that a starter may raise; str() of each is for the caller. A kind's own errors are subclasses of these.
REFUSALS = (ConfigError, RunActionRefused)
# A question or a prompt; `start_run` checks it with better messages than pydantic.
Topic = Annotated[
    str, WithJsonSchema({"type": "string", "minLength": MIN_TOPIC_LENGTH, "maxLength": MAX_TOPIC})
]


class Starter(Protocol[Asked]):
    """Create the run and wake a worker, inside the caller's `tenant_context`.

    The configuration is checked here. A repeated `client_key` returns the first run. Raises one of `REFUSALS`, and has
    stored nothing then.
    """

    def __call__(
        self, *, owner: User, asked: Asked, config: Mapping[str, object], client_key: str | None = None
    ) -> Run: ...


@dataclass(frozen=True, slots=True)
class RunKind(Generic[Input]):
    """One kind of run, for callers that start runs of any kind."""

    kind: Kind
    config: type[BaseModel]
    input: type[Input]
    start: Starter[Input]
    question_field: str = ""  # field of the input that holds the question
    read_file: Callable[[str, bytes], Input] | None = None  # name and bytes; None: JSON of the input alone
    printed: Callable[[Document], str] | None = (
        None  # formats the answer; needs the tenant set; None: its claims and sources
    )
    # Returns what `--json` prints beside the answer; needs the tenant set; None: nothing.
    further_json: Callable[[Document], Mapping[str, object]] | None = None

    def read_input(self, values: Mapping[str, object]) -> Input:
        """Validate the input. Raises ConfigError that names each invalid field."""
        return validate_values(self.input, values)

    def start_with(
        self, owner: User, values: Mapping[str, object], config: Mapping[str, object], key: str | None = None
    ) -> Run:
        """Start a run from unchecked input. Raises one of `REFUSALS`."""
        return self.start(owner=owner, asked=self.read_input(values), config=config, client_key=key)


AnyKind = RunKind[BaseModel]  # looked up by name: its input comes from `read_input`


def kind_of(kind: str) -> AnyKind:
    """Return the kind. Raises ConfigError if it is not registered."""
    path = path_of(kind)
    if path is None:
        there_are = ", ".join(list_registered_kinds())
        raise ConfigError(f"Runs of the kind “{kind}” can't be started here; there are: {there_are}.")
    entry: AnyKind = import_string(path)
    return entry


def run_kinds() -> list[AnyKind]:
    """Return all registered kinds, in the order of `Kind`."""
    return [kind_of(kind) for kind in Kind if path_of(kind)]
