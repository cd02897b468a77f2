"""Pages and documents that are read at one time and stored together."""

import pytest

from research.db.tenancy import tenant_context
from research.models import Chunk, LibraryChunk, Run, Source, SourceStatus
from research.pipelines.report.reading.extract_report_pages import ExtractedPage, store_read
from research.pipelines.report.reading.read_report_documents import DocumentReading, store_documents
from tests.people import join
from tests.worlds import add_content

pytestmark = pytest.mark.django_db
TEXT = "Words enough for a passage."


@pytest.fixture
def run():
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        yield Run.objects.create(owner=ada.user, topic="Why?")


def read(run: Run, path: str, text: str = TEXT, **columns: object) -> ExtractedPage:
    """A source whose page was read: its row as it is stored at the step's end."""
    content = add_content(text)
    source = Source.objects.create(run=run, url=f"https://{path}.example", canonical_url=path, **columns)
    source.content, source.content_hash = content, content.sha256
    same = {"chunk_index": 0, "start_offset": 0, "end_offset": len(text), "token_count": 5}
    return ExtractedPage(
        source, content.sha256, [Chunk(source=source, run=run, text=text, text_hash="h", **same)]
    )


def read_statuses(run: Run) -> dict[str, str]:
    return {source.url[8:-8]: source.status for source in Source.objects.filter(run=run)}


def count_processed(run: Run) -> int:
    return Run.objects.get(pk=run.pk).sources_processed


def read_document(run: Run, name: str, passages: int = 2) -> DocumentReading:
    source = Source.objects.create(run=run, url=f"https://{name}.example", canonical_url=name)
    source.status = SourceStatus.PROCESSED
    places = {"token_count": 5, "text_hash": "h"}
    made = [
        LibraryChunk(chunk_index=i, text=f"{name} {i}", start_offset=9 * i, end_offset=9 * i + 8, **places)
        for i in range(passages)
    ]
    return DocumentReading(source, made)


def list_chunks(source: Source) -> list[tuple[int, str]]:
    return list(source.chunks.order_by("chunk_index").values_list("chunk_index", "text"))


def test_of_pages_with_one_text_the_first_is_read_and_counted(run):
    store_read([read(run, "a"), read(run, "b"), read(run, "c", "Other words altogether.")])
    assert read_statuses(run) == {"a": "processed", "b": "duplicate", "c": "processed"}
    assert Source.objects.get(url="https://b.example").duplicate_of.url == "https://a.example"
    assert (count_processed(run), Chunk.objects.filter(run=run).count()) == (2, 2)


def test_a_text_that_the_run_has_from_before_is_no_second_one(run):
    store_read([read(run, "a")])
    store_read([read(run, "b")])
    assert read_statuses(run) == {"a": "processed", "b": "duplicate"}
    assert count_processed(run) == 1


def test_what_the_run_was_told_to_leave_out_meanwhile_stays_out(run):
    late = read(run, "a")
    Source.objects.filter(pk=late.source.pk).update(status=SourceStatus.EXCLUDED)
    store_read([late, read(run, "b")])
    assert read_statuses(run) == {"a": "excluded", "b": "processed"}
    assert count_processed(run) == 1
    assert not late.source.chunks.exists()


def test_however_many_end_together_they_cost_the_same_statements(run, django_assert_num_queries):
    pages = [read(run, f"page{number}", f"Words of {number}.") for number in range(6)]
    with django_assert_num_queries(4):
        store_read(pages)


def test_passages_of_documents_follow_those_that_their_source_has(run):
    first, other = read_document(run, "a", 1), read_document(run, "b")
    store_documents([first])
    more = DocumentReading(first.source, read_document(run, "later", 3).passages)
    store_documents([other, more])
    assert list_chunks(first.source) == [(0, "a 0"), (1, "later 1"), (2, "later 2")]
    assert list_chunks(other.source) == [(0, "b 0"), (1, "b 1")]
    assert count_processed(run) == 2


def test_a_document_that_is_left_out_meanwhile_stays_out_and_other_columns_stay_as_they_are(run):
    late, other = read_document(run, "a"), read_document(run, "b")
    Source.objects.filter(pk=late.source.pk).update(status=SourceStatus.EXCLUDED)
    Source.objects.filter(pk=other.source.pk).update(must_read=True)
    store_documents([late, other])
    assert read_statuses(run) == {"a": "excluded", "b": "processed"}
    assert not late.source.chunks.exists()
    assert Source.objects.get(pk=other.source.pk).must_read
    assert count_processed(run) == 1


def test_however_many_documents_end_together_they_cost_the_same_statements(run, django_assert_num_queries):
    documents = [read_document(run, f"page{number}") for number in range(6)]
    with django_assert_num_queries(7):
        store_documents(documents)
