"""Note the claims of one source: a model reads the passages that the searches found in it, and notes claims with
quotes, which are looked up in the source at once.

The model sees nothing else and has no tool.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from research.agents.agent_prompt_data_blocks import SourceText
from research.db.bulk_sql import rows_of
from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import JsonObject, StepDraft, StepResult, StepUsage, StepWork
from research.engine.worker_computing_threads import in_computing_thread
from research.llm.budgets.budget_degradations import DegradationCode
from research.models import AgentRole, Chunk, LibraryChunk, Run, Source, SourceStatus
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.pipeline_input_values import require_list
from research.pipelines.common.report_model_answers import ClaimsAnswer
from research.pipelines.common.report_source_readings import is_text_loaded, prepare_reading
from research.pipelines.report.degrading.save_report_tokens import give_up
from research.pipelines.report.reading.admit_report_notes import ProposedClaim
from research.pipelines.report.reading.store_report_notes import admit_notes, is_lately_useful
from research.pipelines.report.report_config import ReportConfig
from research.pipelines.report.report_step_names import ReportStepName

READ_CHARACTERS = 6_000  # of a source: with the instructions and the answer about 2 000 tokens
READ_SHALLOWLY = 2_500
MAX_PASSAGE, MIN_PASSAGE = 4_000, 300
MAX_PASSAGES = 20
MIN_CLAIMS, MAX_CLAIMS = 2, 6  # of a source
CLAIMS_A_QUOTE = 3  # noted for each quote of the report: some fail the check, or repeat others
MAX_TOKENS = 900
MAX_NOTED = 1_200  # characters of a claim or a quote


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
        return ModelQuestion(AgentRole.EXTRACTOR, "extractor/claims", values, ClaimsAnswer, MAX_TOKENS)


@dataclass(frozen=True, slots=True)
class Reader:
    """The input that the prompts for all sources of a run share."""

    topic: str
    subtopics: tuple[str, ...]
    sources: int  # that the run has found
    most: int  # claims of a source
    is_shallow: bool  # tokens run short

    def prompt(self, best_first: Sequence[SourceExcerpt]) -> ReaderPromptInput:
        passages = passages_of(best_first, READ_SHALLOWLY if self.is_shallow else READ_CHARACTERS)
        return ReaderPromptInput(self.topic, self.subtopics, passages, self.most)


def load_reader(run_id: UUID) -> Reader:
    """Return the reader for the run's current state: the tokens used so far decide how much of a source is read.

    Needs the tenant set.
    """
    [run] = rows_of(Run, "WHERE id = %(id)s", {"id": run_id})
    quotes = ReportConfig.model_validate(run.config).most_quotes
    return Reader(
        run.topic,
        tuple(subtopic["name"] for subtopic in (run.plan or {"subtopics": ()})["subtopics"]),
        run.sources_found,
        claims_a_source(run.sources_found, quotes),
        is_shallow=give_up(run, DegradationCode.SHALLOW_EXTRACTION),
    )


def draft_reading_step(source_id: UUID, best_first: Sequence[int]) -> StepDraft:
    """Return the step that reads with a model a source whose passages the run has already.

    `best_first`: the starts of its passages, in order of their rank.
    """
    return StepDraft(
        f"claims.{source_id}",
        ReportStepName.NOTE_CLAIMS,
        AgentRole.EXTRACTOR,
        input={"source": str(source_id), "starts": list(best_first[:MAX_PASSAGES])},
        tool_name="summarize",
    )


async def note_claims(work: StepWork) -> StepResult:
    """Note the claims of a source that the run took from an earlier one."""
    reader, source, excerpts = await in_thread(lambda: _load_source(work))
    notes = await take_notes(work, reader, source, excerpts)
    return StepResult(notes.output, usage=notes.usage)


def _load_source(work: StepWork) -> tuple[Reader, Source, list[SourceExcerpt]]:
    starts = [int(str(start)) for start in require_list(work.input["starts"])]
    with tenant_context(work.tenant_id):
        reader = load_reader(work.run_id)
        source = Source.objects.get(pk=str(work.input["source"]))
        chunks = Chunk.objects.filter(source=source, start_offset__in=starts)
        rows = list(chunks.values_list("text", "start_offset", "section_header"))
    if source.status == SourceStatus.EXCLUDED:
        return reader, source, []
    return reader, source, [SourceExcerpt(*row) for row in sorted(rows, key=lambda row: starts.index(row[1]))]


@dataclass(frozen=True, slots=True)
class SourceNotes:
    """The claims that a model noted of a source, as the step's output, and the usage."""

    output: JsonObject = field(default_factory=dict)
    usage: StepUsage = StepUsage()


async def take_notes(
    work: StepWork, reader: Reader, source: Source, best_first: Sequence[SourceExcerpt]
) -> SourceNotes:
    """Have a model note the claims of a source, and look them up in its text. Nothing is noted without passages."""
    told = reader.prompt(best_first[:MAX_PASSAGES])
    if not told.passages:
        return SourceNotes()
    wanted = partial(is_lately_useful, work.tenant_id, work.run_id)
    asked = await ask(work, replace(told.question(), is_wanted=wanted))
    proposed = [] if asked.answer is None else build_notes(asked.answer, told.passages, told.most)
    admitted = await in_computing_thread(
        lambda: _admit(work.tenant_id, source, proposed, told.most * reader.sources)
    )
    return SourceNotes({**admitted, **asked.note}, asked.usage)


def _admit(tenant_id: UUID, source: Source, proposed: Sequence[ProposedClaim], most: int) -> JsonObject:
    if is_text_loaded(source):
        return admit_notes(proposed, prepare_reading(source), most)
    with tenant_context(tenant_id):
        reading = prepare_reading(source)
    return admit_notes(proposed, reading, most)


def build_notes(answer: ClaimsAnswer, passages: Sequence[NumberedPassage], most: int) -> list[ProposedClaim]:
    """Return the first claims, each with the offset of the passage named for its quote; 0 for an unknown passage."""
    starts = {passage.number: passage.start for passage in passages}
    return [
        ProposedClaim(
            claim.text[:MAX_NOTED],
            claim.quote[:MAX_NOTED],
            starts.get(claim.passage, 0),
            claim.subtopic,
            claim.answers,
        )
        for claim in answer.claims[:most]
        if claim.text.strip() and claim.quote.strip()
    ]


def claims_a_source(sources: int, quotes: int) -> int:
    """Return how many claims each source may give: enough for the report, fewer per source when sources are many."""
    wanted = -(-CLAIMS_A_QUOTE * quotes // max(1, sources))
    return min(max(wanted, MIN_CLAIMS), MAX_CLAIMS)


def excerpts_of(best_first: Iterable[LibraryChunk]) -> list[SourceExcerpt]:
    return [SourceExcerpt(chunk.text, chunk.start_offset, chunk.section_header) for chunk in best_first]


def passages_of(best_first: Sequence[SourceExcerpt], room: int) -> tuple[NumberedPassage, ...]:
    """Return the first stretches, as many as fit into `room` characters; a long one is cut."""
    passages: list[NumberedPassage] = []
    for number, stretch in enumerate(best_first, start=1):
        text = stretch.text[: min(room, MAX_PASSAGE)]
        if len(text) < min(len(stretch.text), MIN_PASSAGE):
            break
        passages.append(NumberedPassage(number, text, stretch.start, stretch.section))
        room -= len(text)
    return tuple(passages)
