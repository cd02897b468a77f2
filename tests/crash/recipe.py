"""The run under test: the toy of the lifecycle's tests, with the parts that cost money or leave files.

It fetches pages into the object store, cuts them into passages, and asks a model about each: through the product's
own gateway, store and tables. What comes out is the same on every way through, and ends in one digest.

Configuration: `subtopics`, `width` (pages of each), `passages` of each page, `work_s` (of each step), `slow`: seconds
by the end of a step's key, `bombs`: the same, how often it dies; `meet`: steps whose key contains it wait for each
other, so that they end at the same moment; `asks`: the plan waits for a person's consent; `copies`: reading keeps bytes
too.
"""

import hashlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.utils import timezone
from pydantic import BaseModel

from exports.formats.export_formats import WRITERS, Format
from research.db.tenancy import in_tenant, tenant_context
from research.engine.pipeline_registry import Handler, Policy, StepDraft, StepResult, StepWork, register
from research.library.library_manifest import Details
from research.library.pages_saved_in_library import SavedPage
from research.library.prepare_library_documents import PreparedDocument, PreparedPassage
from research.library.retrieval.passage_embedding import NOTHING
from research.library.sources_from_library import chunk_rows
from research.library.store_library_documents import chunk_row
from research.llm.call_types import Call, Message, Prompt, Speaker
from research.llm.gateway import complete
from research.models import AgentRole, Chunk, Kind, Queue, Run, Source, SourceStatus, State
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.parsing.parsed_passage_chunks import ChunkDraft
from research.storage.object_store import get_object, put_object
from tests.engine.toy import ROLE, ToyPipeline, config_of, note_execution

# A file of words: what is tried is how it is kept, not what writes it.
WRITERS[Format.CSV] = replace(WRITERS[Format.CSV], path="tests.exports.writers.plain")
ROOM_S = 3.0  # how long those who meet wait for each other


class Said(BaseModel):
    """The model's answer: the same for the same page, whoever asks when."""

    text: str


class CrashPipeline(ToyPipeline):
    kind = Kind.DIGEST
    states = (*ToyPipeline.states, State.HUMAN_REVIEW_PLAN)

    def policy(self, run: Run) -> Policy:
        return replace(super().policy(run), auto_approve=not run.config.get("asks"))

    @property
    def handlers(self) -> Mapping[str, Handler]:
        own = {
            "plan": plan,
            "search": search,
            "fetch": fetch,
            "read": read,
            "split": split,
            "ask": ask,
            "sum": add_up,
        }
        return {f"crash.{name}": handler for name, handler in own.items()}

    def steps_for(self, run: Run, state: State) -> Sequence[StepDraft]:
        match state:
            case State.PLANNING:
                return [StepDraft("plan", "crash.plan", AgentRole.PLANNER)]
            case State.COLLECTING:
                names = [f"topic{number}" for number in range(run.config["subtopics"])]
                return [
                    StepDraft(f"search.{name}", "crash.search", ROLE, input={"name": name}) for name in names
                ]
            case State.ANALYZING:
                return [StepDraft("split", "crash.split", ROLE)]
        return []


def behave(work: StepWork) -> Mapping[str, object]:
    """Leave a trace that no kill can take back, take the time that real work would, or die of it."""
    note_execution(Path(os.environ["TOY_LOG"]), work)
    config = config_of(work)
    slow = [s for ending, s in dict(config.get("slow", {})).items() if work.key.endswith(ending)]
    time.sleep(slow[0] if slow else float(str(config.get("work_s", 0))))
    if (meet := str(config.get("meet", ""))) and meet in work.key:
        meet_others(work, meet)
    for ending, times in dict(config.get("bombs", {})).items():
        if work.key.endswith(ending) and work.attempt <= times:
            os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does to who takes all memory
    return config


def meet_others(work: StepWork, name: str) -> None:
    """Wait until a second one has come, though not for ever."""
    room = Path(os.environ["TOY_LOG"]).with_name(f"{work.run_id}.{name.replace('/', '.')}")
    room.mkdir(exist_ok=True)
    (room / str(os.getpid())).touch()
    until = time.monotonic() + ROOM_S
    while len(list(room.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.005)


def plan(work: StepWork) -> StepResult:
    config = behave(work)
    names = [f"topic{number}" for number in range(int(str(config["subtopics"])))]
    subtopics = [{"name": name, "queries": [name], "target_sources": 1} for name in names]

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        run.plan = {"goal": run.topic, "subtopics": subtopics, "confidence": 0.9}
        run.save(update_fields=["plan"])

    return StepResult({"subtopics": len(subtopics)}, save=save, activity="Planned")


def search(work: StepWork) -> StepResult:
    config, name = behave(work), str(work.input["name"])
    numbers = range(int(str(config["width"])))
    drafts = [
        StepDraft(f"fetch.{name}.{number}", "crash.fetch", ROLE, input={"name": name, "number": number})
        for number in numbers
    ]
    return StepResult({"found": len(drafts)}, children=drafts)


def page_text(name: str, number: int, passages: int, edition: str) -> str:
    return "\n\n".join(
        f"Passage {one} of page {number} says what is known of {name}{edition}." for one in range(passages)
    )


def fetch(work: StepWork) -> StepResult:
    config, name, number = behave(work), str(work.input["name"]), int(str(work.input["number"]))
    url, text = (
        f"https://{name}.example/{number}",
        page_text(name, number, int(str(config.get("passages", 3))), str(config.get("edition", ""))),
    )
    key = put_object(work.tenant_id, text.encode())

    def save() -> None:
        row = Source(run_id=work.run_id, url=url, canonical_url=url, subtopic=name)
        Source.objects.bulk_create([row], ignore_conflicts=True)  # collecting may be tried again

    inputs = {"url": url, "object": key, "number": number}
    read_it = StepDraft(
        f"read.{name}.{number}", "crash.read", AgentRole.EXTRACTOR, Queue.READING, inputs, stage=State.READING
    )
    return StepResult({"url": url}, save=save, children=[read_it])


def read(work: StepWork) -> StepResult:
    """Bytes → frozen text, saved page and chunks; no child process and no vectors, which have tests of their own."""
    config = behave(work)
    url, key = str(work.input["url"]), str(work.input["object"])
    if config.get("copies"):
        put_object(work.tenant_id, f"copy of {url}{work.run_id}".encode())
    page = SavedPage(url, Details(url=url), prepare_document(key, get_object(key).decode()))
    with tenant_context(work.tenant_id):
        source = Source.objects.get(run_id=work.run_id, canonical_url=url)
        row = page.save(url, url, NOTHING)
    passages = [chunk_row(row, passage, NOTHING) for passage in page.read.passages[:50]]
    return StepResult(
        {"words": page.read.word_count},
        save=partial(keep, source, row.content_id, chunk_rows(source, passages)),
    )


def prepare_document(key: str, text: str) -> PreparedDocument:
    parts, start = [], 0
    for index, words in enumerate(text.split("\n\n")):
        draft = ChunkDraft(
            index, start, start + len(words), "", BlockKind.PARAGRAPH, None, len(words.split())
        )
        parts.append(PreparedPassage(draft, words, digest(words)))
        start += len(words) + 2
    document = ReadDocument(text, "text/plain")
    return PreparedDocument(
        raw_sha256=digest(text), raw_key=key, raw_size=len(text), document=document, sha256=digest(text),
        minhash=b"\0" * 512, passages=tuple(parts), word_count=document.word_count,
    )  # fmt: skip


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def keep(source: Source, content_id: object, chunks: list[Chunk]) -> None:
    Chunk.objects.bulk_create(chunks)
    Source.objects.filter(pk=source.pk).update(
        status=SourceStatus.PROCESSED, content=content_id, processed_at=timezone.now(), word_count=len(chunks)
    )


def split(work: StepWork) -> StepResult:
    behave(work)
    with tenant_context(work.tenant_id):
        urls = Source.objects.filter(run_id=work.run_id).order_by("canonical_url")
        asks = [
            StepDraft(f"ask.{number}", "crash.ask", AgentRole.WRITER, input={"url": url})
            for number, url in enumerate(urls.values_list("canonical_url", flat=True))
        ]
    return StepResult(children=asks, then=StepDraft("sum", "crash.sum", ROLE))


async def ask(work: StepWork) -> StepResult:
    await in_tenant(work.tenant_id, partial(behave, work))
    words = f"key: {work.run_id}/{work.key}\nWhat does {work.input['url']} say?"
    prompt = Prompt("crash/ask", "v1", (Message(Speaker.USER, words),))
    said = await complete(Call(work, AgentRole.WRITER, prompt, Said, "ask", 200))
    return StepResult({"said": said.parsed.text if said.parsed else ""})


def add_up(work: StepWork) -> StepResult:
    behave(work)
    with tenant_context(work.tenant_id):
        chunks = Chunk.objects.filter(run_id=work.run_id).order_by("source__canonical_url", "chunk_index")
        read = list(chunks.values_list("source__canonical_url", "text_hash"))
    said = [str(child.output.get("said")) for child in work.children()]
    report = digest(f"{read} {said}")

    def save() -> None:
        run = Run.objects.get(pk=work.run_id)
        run.result = {"summary": [report]}
        run.save(update_fields=["result"])

    return StepResult({"report": report}, save=save)


register(CrashPipeline())
