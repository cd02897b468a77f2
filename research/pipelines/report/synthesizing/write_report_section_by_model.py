"""Write a section with a model: from numbered claims only, each sentence checked before it enters the report."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.models import Claim
from research.agents.agent_prompt_data_blocks import SourceText
from research.agents.tools.agent_notebook import read_plan
from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import AgentRole, Run
from research.models.schemas import Plan
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.report_model_answers import SectionAnswer
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_length import most_words, share, word_count
from research.pipelines.report.report_outline import ANSWER, OutlinedSection, read_outline
from research.pipelines.report.synthesizing.compose_report_section import (
    ClaimContext,
    ComposedSection,
    compose,
)
from research.pipelines.report.synthesizing.report_section_claims import with_windows
from research.pipelines.report.synthesizing.store_report_section import WrittenSection

WORDS = 200  # of a section that is not in the plan
MAX_TOKENS = 3_000
NOTHING = SectionAnswer(paragraphs=[])


@dataclass(frozen=True, slots=True)
class PlanItem:
    """An item of the plan in the run's workspace, for the prompt: prompts hold no rows."""

    text: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class SectionPromptInput:
    """The input of the section writer's prompt.

    In a revision the writer must be strict, since it said what the sources do not say.
    """

    run: Run
    planned: OutlinedSection
    words: int
    most_words: int
    others: tuple[str, ...]
    claims: tuple[ClaimContext, ...]
    plan: tuple[PlanItem, ...]
    left_out: tuple[UUID, ...] = ()  # claims that must leave the section

    def question(self) -> ModelQuestion[SectionAnswer]:
        values = {
            "question": self.run.topic,
            "heading": self.planned.heading,
            "words": self.words,
            "others": self.others,
            "plan": self.plan,
            "claims": [{"number": claim.number, "text": SourceText(claim.text)} for claim in self.claims],
            "is_strict": self.run.revision_count > 0,
        }
        return ModelQuestion(AgentRole.WRITER, "writer/section", values, SectionAnswer, MAX_TOKENS)

    def compose_section(self, draft: SectionAnswer) -> ComposedSection:
        is_answer = self.planned.role == ANSWER
        return compose(draft, self.claims, self.planned.heading, self.most_words, is_ordered=is_answer)


async def compose_section(work: StepWork) -> StepResult:
    index = int(str(work.input["section"]))
    told = await in_thread(lambda: _load_prompt_input(work, index))
    asked = await ask(work, told.question())
    composed = await asyncio.to_thread(told.compose_section, asked.answer or NOTHING)
    output = {
        "claims": len(told.claims),
        "unknown": composed.unknown,
        "reworded": composed.reworded,
        "dropped": composed.dropped,
        "added": len(composed.added),
        **asked.note,
    }
    activity = f"Writing “{told.planned.heading}”"[:300]
    written = WrittenSection(index, told.planned, composed, told.left_out, told.words)
    return StepResult(output, save=lambda: written.store(told.run), activity=activity, usage=asked.usage)


def _load_prompt_input(work: StepWork, index: int) -> SectionPromptInput:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        outline = read_outline(run.outline)
        planned = outline[index]
        claims, whole = with_windows(run, planned), _words_of(outline)
        items = read_plan(work.run_id)
    words = {section.heading: section.target_words for section in Plan.model_validate(run.plan).outline}
    config = ReportConfig.model_validate(run.config)
    limit = share(most_words(config), word_count(claim.text for claim in claims.stated), whole)
    target = words.get(planned.heading, WORDS) if config.words is None else limit
    return SectionPromptInput(
        run=run,
        planned=planned,
        words=min(target, limit),
        most_words=limit,
        others=tuple(section.heading for section in outline if section is not planned),
        claims=claims.stated,
        plan=tuple(PlanItem(item.text, item.is_done) for item in items),
        left_out=claims.left_out,
    )


def _words_of(outline: Sequence[OutlinedSection]) -> int:
    """Return the number of words of all claims together. Needs the tenant set."""
    claims = Claim.objects.filter(pk__in=[pk for section in outline for pk in section.claims])
    return word_count(claims.values_list("text", flat=True))
