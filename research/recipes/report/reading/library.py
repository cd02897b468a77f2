"""Reading a source: its frozen text is there already; the passages that the search found become citable chunks."""

from uuid import UUID

from django.db.models.functions import Now

from research.library.sources import chunk_rows, most_chunks
from research.lifecycle.recipe import StepResult, StepWork
from research.models import Chunk, LibraryChunk, Run, Source, SourceStatus
from research.recipes.report.collecting.library import hits_of
from research.recipes.report.engine import Engine, engine_of
from research.recipes.report.reading.proposing import reading_of
from research.tenancy import tenant_context


def read_source(work: StepWork) -> StepResult:
    source_id = UUID(str(work.input["source"]))
    with tenant_context(work.tenant_id):
        source = Source.objects.get(pk=source_id)
        best = sorted(hits_of(work.run_id, source.library_document_id), key=lambda hit: -hit.score)
        wanted = {hit.chunk for hit in best[: most_chunks()]}
        passages = list(LibraryChunk.objects.filter(pk__in=wanted).order_by("chunk_index"))
        engine = engine_of(Run.objects.get(pk=work.run_id))

    def save() -> None:
        Chunk.objects.bulk_create(chunk_rows(source, passages), ignore_conflicts=True)
        Source.objects.filter(pk=source_id).update(status=SourceStatus.PROCESSED, processed_at=Now())
        processed = Source.objects.filter(run_id=work.run_id, status=SourceStatus.PROCESSED).count()
        Run.objects.filter(pk=work.run_id).update(sources_processed=processed)

    starts = list(dict.fromkeys(hit.start for hit in best))
    children = [reading_of(source_id, starts)] if engine is Engine.MODEL else []
    return StepResult(
        {"chunks": len(passages)}, save=save, children=children, activity=f"Reading “{source}”"[:300]
    )
