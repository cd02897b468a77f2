"""The pipeline of a synthesis, which summarizes a table of studies in claims that are bound to its rows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from research.engine.pipeline_registry import Handler, Policy, StepDraft
from research.models import AgentRole, Kind, Queue, Run, State
from research.pipelines.common.given_pipeline import FILES, GivenTextsPipeline
from research.pipelines.synthesis.gather_synthesis_studies import gather
from research.pipelines.synthesis.store_synthesis import write_by_rules
from research.pipelines.synthesis.synthesis_step_names import SynthesisStepName
from research.pipelines.synthesis.word_synthesis_by_model import write_by_model
from research.pipelines.table.table_engine import is_by_model


def _gather(run: Run) -> Iterator[StepDraft]:
    yield StepDraft("gather", SynthesisStepName.GATHER, AgentRole.EXTRACTOR, queue=Queue.READING)


def _write(run: Run) -> Iterator[StepDraft]:
    is_drafted = bool(run.config.get("text") or run.config.get("sections"))
    if is_by_model(run) and not is_drafted:
        yield StepDraft("ask", SynthesisStepName.WRITE_BY_MODEL, AgentRole.WRITER)
    else:
        yield StepDraft("write", SynthesisStepName.WRITE_BY_RULES, AgentRole.WRITER, queue=Queue.READING)


class SynthesisPipeline(GivenTextsPipeline):
    kind = Kind.SYNTHESIS
    handlers: Mapping[str, Handler] = {
        SynthesisStepName.GATHER: gather,
        SynthesisStepName.WRITE_BY_RULES: write_by_rules,
        SynthesisStepName.WRITE_BY_MODEL: write_by_model,
        **FILES,
    }
    steps = {State.ANALYZING: _gather, State.SYNTHESIZING: _write}

    def policy(self, run: Run) -> Policy:
        return replace(super().policy(run), makes_no_claims=bool(run.config.get("text")))
