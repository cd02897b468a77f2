"""The interface between a kind of run and the engine, with an example of a pipeline.

A recipe names the states it uses, the steps of each, and the handlers that do them:

    class ReportPipeline:
        kind = Kind.REPORT
        states = (State.PLANNING, State.COLLECTING, ..., State.VERIFYING)
        handlers = {"report.plan": plan, "report.search": search}

        def policy(self, run: Run) -> Policy: ...  # thresholds that its configuration sets
        def steps_for(self, run: Run, state: State) -> list[StepDraft]: ...  # the state's work; may be empty

    register_path(Kind.REPORT, "research.pipelines.report.pipeline.ReportPipeline")       # in AppConfig.ready

    def search(work: StepWork) -> StepResult:     # sync (runs in a thread) or `async def`
        with tenant_context(work.tenant_id):      # own short transactions for reading; none is open otherwise
            ...
        def save() -> None:                       # rows that belong to the result
            Source.objects.bulk_create(...)
        return StepResult({"found": 12}, save=save, children=[StepDraft("fetch.ab12", "report.fetch", ...)],
                          then=StepDraft("rank", "report.rank", ...))

A handler that waits for models or pages is `async`; one that reads rows or computes is not. An async one that
must read rows does so in `asyncio.to_thread`, and closes that thread's connection itself.

`save` runs inside the transaction that finishes the step (tenant set, run row locked): all of it or
nothing. It may be called again after a rollback, so it must not change what it captured. Steps of a kind that end
together can store their rows with the same statements (batch_save.py). `children` are inserted in the same
transaction and are ready at once. Without `then` they become siblings of the step (a step that waits for it
waits for them too); with `then` that step waits for all of them and reads their outputs from
`work.children()`. A child that failed counts as finished. Decisions that depend on rows which other steps change
as well, such as which item of a table is next, are made by `follow` in that same transaction.

Keys are paths from the stored plan, unique within one visit of a state: the lifecycle puts
`<visit>.<state>/` before them. A draft whose key exists already is not inserted again. A draft with `stage`
belongs to a state still to come: it runs at once, and that state waits for it when the run gets there.

An expected failure is raised as `StepError(code, message)` (see step_failures.py): its definition says how often
it is tried again. Any other exception is a bug, recorded with its traceback in the step. What follows a step that has
failed for good, whatever the reason, `FollowsFailures` decides. A state that needs no
work returns no steps and is left at once if one of its exits holds.

Serving a run in this process until it ends or waits for a person: `research.engine.step_runner.drive`.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import lru_cache
from threading import Thread
from typing import Protocol, TypeAlias, runtime_checkable
from uuid import UUID

from django.utils.module_loading import import_string

from research.db.tenancy import tenant_context
from research.models import AgentRole, Kind, Queue, Run, State, Step

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
JsonObject: TypeAlias = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class StepDraft:
    """A step to be inserted: a unit of work that a user would recognise, 300 s at the longest.

    Anything paid or fetched before the step was killed is stored separately, and found when it starts again.
    """

    key: str
    handler: str
    agent_role: AgentRole
    queue: Queue = Queue.AGENTS
    input: JsonObject = field(default_factory=dict)
    tool_name: str = ""
    agent_id: str = ""
    stage: State | None = None  # a state to come, if the work may start before the run gets there


@dataclass(frozen=True, slots=True)
class StepUsage:
    """The usage of a step. A cost of None is unknown, not zero."""

    tokens_input: int = 0
    tokens_output: int = 0
    cost_usd: Decimal | None = None
    cost_credits: Decimal = Decimal(0)

    def __add__(self, other: "StepUsage") -> "StepUsage":
        is_known = self.cost_usd is not None and other.cost_usd is not None
        return StepUsage(
            self.tokens_input + other.tokens_input,
            self.tokens_output + other.tokens_output,
            (self.cost_usd or Decimal(0)) + (other.cost_usd or Decimal(0)) if is_known else None,
            self.cost_credits + other.cost_credits,
        )


@dataclass(frozen=True, slots=True)
class Following:
    """Steps that follow a step, like its own `children` and `then`."""

    children: Sequence[StepDraft] = ()
    then: StepDraft | None = None


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a handler; stored in one transaction."""

    output: JsonObject = field(default_factory=dict)
    save: Callable[[], None] | None = None
    children: Sequence[StepDraft] = ()
    then: StepDraft | None = None
    # Replaces `children` and `then` if the next steps depend on rows that other steps change too, or if several
    # groups follow, each with a step that waits for it: called after `save`, in the same transaction.
    follow: Callable[[], Following | Sequence[Following]] | None = None
    activity: str = ""  # the new `Run.current_activity`; empty: unchanged
    usage: StepUsage = StepUsage()


@dataclass(frozen=True, slots=True)
class ChildStep:
    """A finished child, as the step that waited for it sees it."""

    key: str
    handler: str
    status: str  # completed, failed or skipped
    input: JsonObject
    output: JsonObject
    error_code: str
    error_message: str


CHILD_COLUMNS = tuple(field.name for field in fields(ChildStep))


def never_stopped() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class StepWork:
    """A claimed step, as its handler sees it. No transaction is open while the handler works."""

    step_id: UUID
    run_id: UUID
    tenant_id: UUID
    key: str  # with the visit: "2.collecting/search.1"
    handler: str
    input: JsonObject
    attempt: int  # from 1
    fence: int
    is_stopped: Callable[[], bool] = never_stopped  # True: the result is no longer wanted; return soon

    def children(self) -> list[ChildStep]:
        """Return the results of the steps that this one waited for, in the order in which they were created."""
        with tenant_context(self.tenant_id):
            return self.children_here()

    def children_here(self) -> list[ChildStep]:
        """Return the `children`, for a caller that has entered the workspace's context."""
        rows = Step.objects.filter(parent_id=self.step_id).order_by("step_index")
        return [ChildStep(*row) for row in rows.values_list(*CHILD_COLUMNS)]


AsyncHandler: TypeAlias = Callable[[StepWork], Coroutine[None, None, StepResult]]
SyncHandler: TypeAlias = Callable[[StepWork], StepResult]
Handler: TypeAlias = SyncHandler | AsyncHandler


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds of a run that follow from its configuration."""

    minimum_sources: int = 1
    published_from: str = ""  # ISO 8601, as precise as given: the range in which sources should lie
    published_to: str = ""
    source_kinds: int = 0  # number of possible kinds of source; 0: any
    source_quality: float = 0.6  # minimum of the sources' mean quality
    sources_there_are: int = 0  # all documents, if only a library is searched; 0: unknown
    auto_approve: bool = True  # the plan needs no consent
    asks_people: bool = True  # if not, review states are skipped and the fallbacks apply
    asks_about_doubts: bool = True  # if not, only about plans that are expensive or under review
    search_is_exhausted: bool = False  # another search finds nothing more
    can_search_wider: bool = True  # by another plan
    may_look_again: bool = False  # parts of the question are open and were not searched again
    is_looking_again: bool = False  # the current search and its reading are for such parts only
    may_seek_support: bool = False  # claims lack evidence after the check, and it was not looked for yet
    is_quoted: bool = False  # claims are quotes; no model writes
    makes_no_claims: bool = False  # it shows a given text and has no claims to check
    # The writer would write the same again, so that the findings of the check stay marked.
    is_written_once: bool = False


class Pipeline(Protocol):
    """One kind of run. Its methods are called in a short transaction with the run's row locked."""

    @property
    def kind(self) -> Kind: ...

    @property
    def states(self) -> Sequence[State]:
        """The working states that it uses, with those of review and recovery; the others are skipped."""

    @property
    def handlers(self) -> Mapping[str, Handler]: ...

    def policy(self, run: Run) -> Policy: ...

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]: ...


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A step that has failed for good."""

    key: str
    handler: str
    input: JsonObject
    code: str
    message: str


@runtime_checkable
class FollowsFailures(Protocol):
    """A pipeline in which something follows also from steps that failed for good."""

    def follow_failed(self, run: Run, failed: Sequence[FailedStep]) -> Sequence[Following]:
        """Return what follows each of the steps, in the transaction that records their failures.

        The run's row is locked.
        """


class UnknownPipeline(LookupError):
    """Raised if no pipeline is registered for the kind."""


_recipes: dict[str, Pipeline] = {}
_paths: dict[str, str] = {}


def register(recipe: Pipeline) -> None:
    """Register a pipeline for its kind. A later registration of the kind replaces it."""
    _recipes[recipe.kind] = recipe


def register_path(kind: str, path: str) -> None:
    """Register a kind by the dotted path of its class, which is imported at first use because that may take a
    second.
    """
    _paths[kind] = path


def pipeline_for(kind: str) -> Pipeline:
    """Return the pipeline of a kind. Raises UnknownPipeline."""
    if kind not in _recipes:
        if kind not in _paths:
            raise UnknownPipeline(f"runs of kind {kind} can't be started here")
        recipe: Pipeline = import_string(_paths[kind])()
        register(recipe)
    return _recipes[kind]


def load_soon(kind: str) -> None:
    """Start to import a kind while a person reads a question, so that the decision need not wait for the
    import.
    """
    if kind in _paths and kind not in _recipes:
        Thread(target=pipeline_for, args=(kind,), name=f"loads {kind}", daemon=True).start()


def pipeline_of_run(tenant_id: UUID, run_id: UUID) -> Pipeline:
    """Return the pipeline of a run. Raises Run.DoesNotExist, and UnknownPipeline for an unknown kind."""
    return pipeline_for(facts_of_run(tenant_id, run_id).kind)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The kind, owner and setting of sources of a run, which never change."""

    kind: str
    owner_id: int
    sources: str | None  # the setting, of kinds that have it: library, web or both


@lru_cache(maxsize=1_000)
def facts_of_run(tenant_id: UUID, run_id: UUID) -> RunFacts:
    """Return a run's facts: cached, since each message about a run needs them and they never change.

    Raises Run.DoesNotExist.
    """
    with tenant_context(tenant_id):
        return RunFacts(*Run.objects.values_list("kind", "owner_id", "config__sources").get(pk=run_id))


def load_pipelines() -> None:
    """Import all pipelines that are registered by path, before the first run needs one."""
    for kind in _paths:
        pipeline_for(kind)
