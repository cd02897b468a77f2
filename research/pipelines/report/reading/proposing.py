"""Propose claims of one source: a model reads the passages that the searches found in it, and notes claims with quotes.

It sees nothing else and has no tool. The next step looks its notes up in the source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from research.agents.data_blocks import SourceText
from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepWork
from research.llm.budgets.degradations import DegradationCode
from research.models import AgentRole, Chunk, Queue, Run, SourceStatus
from research.pipelines.common.ask_model import ModelQuestion, ask
from research.pipelines.common.model_answers import ClaimsAnswer
from research.pipelines.common.stored_values import require_list
from research.pipelines.report.config import ReportConfig
from research.pipelines.report.step_names import ReportStepName

READ_CHARACTERS = 6_000  # of a source: with the instructions and the answer about 2 000 tokens
READ_SHALLOWLY = 2_500
LONGEST_PASSAGE, SHORTEST_PASSAGE = 4_000, 300
MOST_PASSAGES = 20
FEWEST_CLAIMS, MOST_CLAIMS = 2, 6  # of a source
CLAIMS_A_QUOTE = 3  # noted for each quote of the report: some fail the check, or repeat others
MOST_TOKENS = 900
LONGEST_NOTED = 1_200  # characters of a claim or a quote


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """A piece of the source that a search found; `start` is its offset in the frozen text."""

    text: str
    start: int
    section: str = ""


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A stretch of the source as the model sees it."""

    number: int
    text: str
    start: int
    section: str


@dataclass(frozen=True, slots=True)
class ReaderPromptInput:
    """The input of the prompt that reads a source."""

    topic: str
    subtopics: tuple[str, ...]
    passages: tuple[NumberedPassage, ...]
    most: int

    def question(self) -> ModelQuestion[ClaimsAnswer]:
        values = {
            "question": self.topic,
            "subtopics": [{"number": n, "name": name} for n, name in enumerate(self.subtopics, start=1)],
            "passages": [
                {"number": passage.number, "section": passage.section, "text": SourceText(passage.text)}
                for passage in self.passages
            ],
            "most": self.most,
        }
        return ModelQuestion(AgentRole.EXTRACTOR, "extractor/claims", values, ClaimsAnswer, MOST_TOKENS)


def reading_of(source_id: UUID, best_first: Sequence[int]) -> StepDraft:
    """Return the step that reads one source with a model.

    `best_first`: the starts of its passages, in order of their rank.
    """
    return StepDraft(
        f"claims.{source_id}",
        ReportStepName.PROPOSE_CLAIMS,
        AgentRole.EXTRACTOR,
        input={"source": str(source_id), "starts": list(best_first[:MOST_PASSAGES])},
        tool_name="summarize",
    )


async def propose_claims(work: StepWork) -> StepResult:
    source_id = UUID(str(work.input["source"]))
    told = await in_thread(lambda: _load_prompt_input(work, source_id))
    if not told.passages:
        return StepResult({"claims": 0})
    asked = await ask(work, told.question())
    proposed = [] if asked.answer is None else build_note_rows(asked.answer, told.passages, told.most)
    admission = StepDraft(
        f"admit.{source_id}",
        ReportStepName.ADMIT_CLAIMS,
        AgentRole.VERIFIER,
        queue=Queue.READING,
        input={"source": str(source_id), "most": told.most, "proposed": proposed, **asked.note},
        tool_name="cite",
    )
    return StepResult({"claims": len(proposed), **asked.note}, children=[admission], usage=asked.usage)


def build_note_rows(answer: ClaimsAnswer, passages: Sequence[NumberedPassage], most: int) -> list[JsonObject]:
    """Return the first claims, each with the offset at which its quote is said to stand; 0 for an unknown passage."""
    starts = {passage.number: passage.start for passage in passages}
    return [
        {
            "text": claim.text[:LONGEST_NOTED],
            "quote": claim.quote[:LONGEST_NOTED],
            "near": starts.get(claim.passage, 0),
            "subtopic": claim.subtopic,
            "answers": claim.answers,
        }
        for claim in answer.claims[:most]
        if claim.text.strip() and claim.quote.strip()
    ]


def claims_a_source(sources: int, quotes: int) -> int:
    """Return how many claims each source may give: enough for the report, fewer per source when sources are many."""
    wanted = -(-CLAIMS_A_QUOTE * quotes // max(1, sources))
    return min(max(wanted, FEWEST_CLAIMS), MOST_CLAIMS)


def passages_of(best_first: Sequence[SourceExcerpt], room: int) -> tuple[NumberedPassage, ...]:
    """Return the first stretches, as many as fit into `room` characters; a long one is cut."""
    passages: list[NumberedPassage] = []
    for number, stretch in enumerate(best_first, start=1):
        text = stretch.text[: min(room, LONGEST_PASSAGE)]
        if len(text) < min(len(stretch.text), SHORTEST_PASSAGE):
            break
        passages.append(NumberedPassage(number, text, stretch.start, stretch.section))
        room -= len(text)
    return tuple(passages)


def _load_prompt_input(work: StepWork, source_id: UUID) -> ReaderPromptInput:
    """Load the prompt's input with two queries for the needed columns: this runs once for each source."""
    starts = [int(str(start)) for start in require_list(work.input["starts"])]
    with tenant_context(work.tenant_id):
        run = Run.objects.filter(pk=work.run_id).values_list(
            "topic", "plan", "config", "sources_found", "degradations"
        )
        topic, plan, config, sources, given_up = run.get()
        chunks = Chunk.objects.filter(source=source_id, start_offset__in=starts)
        chunks = chunks.exclude(source__status=SourceStatus.EXCLUDED)
        rows = list(chunks.values_list("text", "start_offset", "section_header"))
    rows.sort(key=lambda row: starts.index(row[1]))
    is_shallow = any(degradation["code"] == DegradationCode.SHALLOW_EXTRACTION for degradation in given_up)
    return ReaderPromptInput(
        topic,
        tuple(subtopic["name"] for subtopic in (plan or {"subtopics": ()})["subtopics"]),
        passages_of([SourceExcerpt(*row) for row in rows], READ_SHALLOWLY if is_shallow else READ_CHARACTERS),
        claims_a_source(sources, ReportConfig.model_validate(config).most_quotes),
    )
