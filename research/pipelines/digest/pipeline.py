"""The pipeline of digests, which summarize a discussion in sentences that link to the posts behind them."""

from collections.abc import Iterator, Mapping

from research.engine.pipeline_registry import Handler, StepDraft
from research.models import AgentRole, Kind, Queue, Run, State
from research.pipelines.common.given_pipeline import FILES, GivenTextsPipeline
from research.pipelines.digest.compose_digest import write_by_rules
from research.pipelines.digest.digest_step_names import DigestStepName
from research.pipelines.digest.fetch_digest_discussion import fetch
from research.pipelines.digest.gather_digest_discussion import build_gathering_step, gather
from research.pipelines.digest.write_digest_by_model import write_by_model
from research.pipelines.table.table_engine import is_by_model


def _gather(run: Run) -> Iterator[StepDraft]:
    if run.config.get("provider") and not run.config.get("posts"):
        yield StepDraft("fetch", DigestStepName.FETCH, AgentRole.RESEARCHER, tool_name="search")
    else:
        yield build_gathering_step()


def _write(run: Run) -> Iterator[StepDraft]:
    if is_by_model(run):
        yield StepDraft("ask", DigestStepName.WRITE_BY_MODEL, AgentRole.WRITER)
    else:
        yield StepDraft("write", DigestStepName.WRITE_BY_RULES, AgentRole.WRITER, queue=Queue.READING)


class DigestPipeline(GivenTextsPipeline):
    kind = Kind.DIGEST
    handlers: Mapping[str, Handler] = {
        DigestStepName.FETCH: fetch,
        DigestStepName.GATHER: gather,
        DigestStepName.WRITE_BY_RULES: write_by_rules,
        DigestStepName.WRITE_BY_MODEL: write_by_model,
        **FILES,
    }
    steps = {State.ANALYZING: _gather, State.SYNTHESIZING: _write}
