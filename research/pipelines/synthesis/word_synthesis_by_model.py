"""Word a synthesis with a model.

Its claims are bound to existing rows, which determine their strength, and judged by the rows' findings. If the model
fails, rules write the synthesis.
"""

from dataclasses import dataclass

from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import AgentRole, Run
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.synthesis.admit_synthesis_claims import (
    AdmittedSynthesis,
    SynthesisAnswer,
    admit_claims,
)
from research.pipelines.synthesis.gather_synthesis_studies import rows_of, study_text
from research.pipelines.synthesis.store_synthesis import build_synthesis_result
from research.pipelines.synthesis.synthesis_config import SynthesisConfig
from research.pipelines.synthesis.synthesis_result import Synthesis
from research.pipelines.synthesis.write_synthesis_sections import SourcedStudy, sections_of

PROMPT = "writer/synthesis"
MAX_TOKENS = 3_000
MAX_ROW_LENGTH, MAX_PROMPT_LENGTH = 1_500, 80_000  # characters


@dataclass(frozen=True, slots=True)
class SynthesisPromptInput:
    run: Run
    config: SynthesisConfig
    rows: list[SourcedStudy]


async def write_by_model(work: StepWork) -> StepResult:
    """Write the synthesis with a model, or by rules if no claim of the model is bound to a study.

    Raises ModelError for a failure that a retry may fix.
    """
    prompt_input = await in_thread(lambda: _load_prompt_context(work))
    values = values_of(prompt_input)
    response = await ask(
        work, ModelQuestion(AgentRole.WRITER, PROMPT, values, SynthesisAnswer, MAX_TOKENS, "synthesis")
    )
    admitted = (
        admit_claims(response.answer, prompt_input.rows) if response.answer else AdmittedSynthesis((), (), ())
    )
    version = render(PROMPT, values, fence_for(work, "synthesis")).prompt.version
    own = Synthesis(rejected=list(admitted.rejected), proposed_gaps=list(admitted.gaps))
    if admitted.parts:
        own = own.model_copy(update={"prompt_version": f"{PROMPT} {version}"})
    by_rules = tuple(sections_of(prompt_input.rows))

    def build_result() -> StepResult:
        parts = admitted.parts or by_rules
        return build_synthesis_result(
            work,
            prompt_input.run,
            prompt_input.config,
            prompt_input.rows,
            parts,
            own,
            response.usage,
            response.note,
            instead=by_rules,
        )

    return await in_thread(build_result)


def _load_prompt_context(work: StepWork) -> SynthesisPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = SynthesisConfig.model_validate(run.config)
        return SynthesisPromptInput(run, config, rows_of(run, config))


def values_of(prompt_input: SynthesisPromptInput) -> dict[str, object]:
    """Return the values of the prompt, with each row in the words of its source, shortened if the table is long."""
    each = min(MAX_ROW_LENGTH, MAX_PROMPT_LENGTH // max(1, len(prompt_input.rows)))
    return {
        "topic": prompt_input.run.topic,
        "studies": [
            {"number": number, "text": SourceText(study_text(row.study)[0].text[:each])}
            for number, row in enumerate(prompt_input.rows, 1)
        ],
    }
