"""A run over a small library, and a hand that uses tools for it."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from django.conf import settings
from django.test import override_settings

from research.accounts.people import PersonalAccount
from research.agents.tools.tool_catalogue import catalogue
from research.agents.tools.tool_interface import AnyTool, ToolCode, ToolError, ToolOutput, Use
from research.db.tenancy import tenant_context
from research.models import (
    AgentMessage,
    AgentRole,
    Content,
    MessageStatus,
    Run,
    Source,
    SourceStatus,
    Step,
    StepStatus,
)
from research.parsing.parsed_near_duplicates import signature
from tests.pipelines.conftest import account, library, module_database

HEAT = "seasonal performance factor of a heat pump"
__all__ = [
    "account",
    "module_database",
    "library",
]  # fixtures: a database for the module, with a library in it


@dataclass(frozen=True)
class Hand:
    """Uses tools on behalf of a step, and writes searches down as the toolbox does."""

    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    key: str = "1.collecting/agent"
    fence: int = 1
    tools: Mapping[str, AnyTool] = field(default_factory=catalogue)

    def use(
        self, name: str, role: AgentRole = AgentRole.RESEARCHER, key: str = "turn.1.call.1", **given
    ) -> ToolOutput:
        """Raises ToolError."""
        return asyncio.run(self.tools[name].use(json.dumps(given), Use(self, role, key)))

    def error(self, name: str, **given: object) -> ToolCode:
        return self.failure(name, **given).code

    def failure(self, name: str, **given: object) -> ToolError:
        with pytest.raises(ToolError) as caught:
            self.use(name, **given)
        return caught.value

    def search(self, *queries: str, **rest: object) -> list:
        """Search results, remembered by the run."""
        found = self.use("search", queries=queries, **rest)
        self.note("search", found)
        return found.results

    def note(self, tool: str, got: ToolOutput | None = None, **rest: object) -> AgentMessage:
        """The row of a call, as the toolbox writes it: completed with what came of it, else still open."""
        done = (
            {"status": MessageStatus.COMPLETED, "result": {"output": got.model_dump(mode="json")}}
            if got
            else {}
        )
        with tenant_context(self.tenant_id):
            return AgentMessage.objects.create(
                run_id=self.run_id,
                step_id=self.step_id,
                trace_id="t",
                sender="researcher",
                recipient=f"tool:{tool}",
                type="task",
                **{"key": f"{tool}.{AgentMessage.objects.count()}", **done, **rest},
            )

    def store(self, *queries: str) -> list[str]:
        """Handles of the sources that a search found, kept with their best passages."""
        results = self.search(*queries)
        return [self.use("store", source=result.id, chunks=result.passages).source for result in results]

    def sources(self, **filters: object) -> list[Source]:
        with tenant_context(self.tenant_id):
            return list(Source.objects.filter(run_id=self.run_id, **filters).order_by("created_at"))


@pytest.fixture
def make_hand(account: PersonalAccount, library: str) -> Callable[..., Hand]:
    def make(**config: object) -> Hand:
        with tenant_context(account.tenant_id):
            run = Run.objects.create(
                owner=account.user, topic="Which heat pump?", config={"folders": [library], **config}
            )
            step = Step.objects.create(
                run=run, key="1.collecting/agent", step_index=900, handler="test.agent",
                agent_role=AgentRole.RESEARCHER, status=StepStatus.COMPLETED,
            )  # fmt: skip
        return Hand(account.tenant_id, run.pk, step.pk)

    return make


@pytest.fixture
def hand(make_hand: Callable[..., Hand]) -> Hand:
    return make_hand()


@pytest.fixture
def handles(hand: Hand) -> list[str]:
    """Handles of stored sources."""
    return hand.store(HEAT, "tomatoes and water")


def handle_of(hand: Hand, title: str) -> str:
    return next(f"src-{source.pk.hex[-12:]}" for source in hand.sources() if title in source.title)


def add_source(hand: Hand, name: str, text: str, **facts: object) -> str:
    with tenant_context(hand.tenant_id):
        content = Content.objects.create(
            raw_sha256=f"{hand.run_id}{name}"[:64],
            extractor="test 1",
            sha256=name,
            text=text,
            media_type="text/plain",
            word_count=len(text.split()),
            minhash=signature(text).tobytes(),
            tables=facts.pop("tables", []),
            blocks=facts.pop("blocks", []),
        )
        source = Source.objects.create(
            run_id=hand.run_id, content=content, canonical_url=name, status=SourceStatus.PROCESSED, **facts
        )
    return f"src-{source.pk.hex[-12:]}"


@contextmanager
def limits(**given: int) -> Iterator[None]:
    """Limits of PLUMBLINE_LIMITS, for tools that are made within."""
    table = {**settings.PLUMBLINE_LIMITS, **{name: (number,) for name, number in given.items()}}
    with override_settings(PLUMBLINE_LIMITS=table):
        yield
