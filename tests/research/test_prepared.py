"""Statements that are prepared once a connection."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, DataError, IntegrityError, connection, transaction

from config.databases import database_settings
from research.db import bulk_sql as statements
from research.db.bulk_sql import insert_rows, open_prepared_cursor, rows_of, texts, update_rows
from research.db.tenancy import tenant_context
from research.models import Content, LibraryChunk, LibraryDocument, Run, Source
from tests.people import Person, join
from tests.worlds import add_content

pytestmark = pytest.mark.django_db
ONE = "SELECT kind FROM unnest(%(numbers)s::bigint[], %(kinds)s::text[]) AS one(number, kind) WHERE number = %(number)s"


def run_prepared(number: int, **lists: list[str | None]) -> list[object]:
    with open_prepared_cursor() as cursor:
        cursor.execute(
            ONE, {"number": number, "numbers": texts([1, 2]), "kinds": texts(["a", None]), **lists}
        )
        return [row[0] for row in cursor.fetchall()]


def count_prepared_statements() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%AS one(number, kind)%%'"
        )
        return cursor.fetchone()[0]


def test_it_is_read_and_planned_once_whatever_its_values():
    before = count_prepared_statements()
    assert [run_prepared(1), run_prepared(2), run_prepared(1, numbers=texts([1, 2**40]))] == [
        ["a"],
        [None],
        ["a"],
    ]
    assert count_prepared_statements() - before <= 1  # one, or there already


def test_a_plan_for_a_few_rows_is_not_kept_for_many(monkeypatch):
    """PostgreSQL itself would keep it until the table is analysed."""

    def plan() -> str:
        with connection.cursor() as cursor:
            found = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%%FROM growing WHERE %%'"
            cursor.execute(found)
            cursor.execute(f"EXPLAIN EXECUTE {cursor.fetchone()[0]}('7')")
            return " ".join(row[0] for row in cursor.fetchall())

    def ask() -> None:
        with open_prepared_cursor() as cursor:
            cursor.execute("SELECT word FROM growing WHERE number = %(number)s::int", {"number": "7"})

    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE growing (number int, word text) ON COMMIT DROP")
        cursor.execute("CREATE INDEX ON growing (number)")
        cursor.execute("INSERT INTO growing VALUES (7, 'a')")
        cursor.execute("ANALYZE growing")
        for _ in range(8):
            ask()
        assert "Seq Scan" in plan()
        cursor.execute("INSERT INTO growing SELECT number, 'b' FROM generate_series(1, 20000) AS number")
        assert "Seq Scan" in plan()
    monkeypatch.setattr(statements, "PLANS_KEPT_S", -1.0)
    ask()
    assert "Index" in plan()


def test_behind_a_pooler_nothing_is_prepared_and_all_works(monkeypatch):
    connection.ensure_connection()
    before = count_prepared_statements()
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    ways = "SELECT %(number)s::bigint AS one, 'one(number, kind)'"
    with open_prepared_cursor() as cursor:
        cursor.execute(ways, {"number": 3})
        assert cursor.fetchone()[0] == 3
    assert count_prepared_statements() == before


def test_a_server_of_ones_own_says_whether_it_bears_it(tmp_path):
    def threshold(url: str) -> int | None:
        aliases = database_settings(app_url=url, owner_url="", sockets=tmp_path, pool_size=0)
        return aliases["default"]["OPTIONS"].get("prepare_threshold")

    server = "postgresql://app:word@db.example:5432/plumbline"
    assert (threshold(""), threshold(server), threshold(f"{server}?prepare_threshold=5")) == (5, None, 5)


def test_what_the_server_refuses_is_an_error_like_any(django_assert_num_queries):
    with django_assert_num_queries(1), pytest.raises(DataError), open_prepared_cursor() as cursor:
        cursor.execute("SELECT %(text)s::text::uuid", {"text": "no id"})


def test_lists_of_anything_go_as_text():
    one = uuid4()
    assert texts([one, None, 3, True]) == [str(one), None, "3", "True"]


def test_rows_come_as_django_would_load_them():
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        made = Run.objects.create(owner=ada.user, topic="Why?", config={"depth": ["quick"]})
        [row] = rows_of(Run, "WHERE id = %(id)s", {"id": made.pk}, frozenset({"topic"}))
        known = Run.objects.get(pk=made.pk)
        names = [field.attname for field in Run._meta.concrete_fields]
        assert row.get_deferred_fields() == {"topic"}
        assert [getattr(row, name) for name in names] == [getattr(known, name) for name in names]


@pytest.fixture
def tenant():
    ada = join("ada")
    with tenant_context(ada.tenant.pk):
        yield ada


# What an array's words could be taken for, or the words of a statement.
ODD = ("NULL", "", '{"a",b}', "a\\b", "it's 100 %s", 'say "%(x)s"', "a,b\n\tc", "日本 e\u0301 😀")


def passages(count: int = len(ODD), **columns: object) -> list[LibraryChunk]:
    """Return passages of a new document, not saved yet."""
    document = LibraryDocument.objects.create(
        folder="a", path="a", content=add_content("Words."), status="ready"
    )
    same = {"text_hash": "h", "token_count": 1, "embedding_model": "m"} | columns
    places = [{"chunk_index": n, "start_offset": n, "end_offset": n + 1} for n in range(count)]
    return [
        LibraryChunk(document=document, text=ODD[n % len(ODD)], **one, **same) for n, one in enumerate(places)
    ]


def test_rows_are_inserted_word_for_word(tenant):
    box = {"page": 1, "x": 0.5, "y": 1.0, "width": 2.0, "height": 3.25}
    made = passages(
        boxes=[box], embedding=[0.25] * 384, page_number=None, is_quote=True, entities=["a", None, 1]
    )
    insert_rows(made)
    found = list(LibraryChunk.objects.order_by("chunk_index"))
    assert [(one.pk, one.text) for one in found] == [
        (one.pk, text) for one, text in zip(made, ODD, strict=True)
    ]
    assert all((one.page_number, one.is_quote) == (None, True) for one in found)
    assert all((one.boxes, one.entities) == ([box], ["a", None, 1]) for one in found)
    assert list(found[0].embedding) == [0.25] * 384
    assert found[0].created_at is not None
    assert all(not chunk._state.adding for chunk in made)


def test_rows_that_are_there_are_passed_over_where_that_is_wanted(tenant):
    made = passages(2)
    insert_rows(made[:1])
    insert_rows(made, unless_there=True)
    assert LibraryChunk.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(made[:1])


def test_what_is_too_long_is_refused_and_not_cut(tenant):
    with pytest.raises(DataError), transaction.atomic():
        insert_rows(passages(1, text_hash="h" * 65))
    assert not LibraryChunk.objects.exists()


def test_bytes_and_no_rows_at_all(tenant):
    insert_rows([])
    new = Content(
        raw_sha256="a",
        extractor="test 1",
        sha256="a",
        text="A.",
        media_type="text/plain",
        minhash=b"\x00\xff\\",
    )
    insert_rows([new])
    assert bytes(Content.objects.get(pk=new.pk).minhash) == b"\x00\xff\\"


def sources(person: Person, *titles: str) -> list[Source]:
    run = Run.objects.create(owner=person.user, topic="Why?")
    return [
        Source.objects.create(
            run=run, url=f"https://a.example/{number}", canonical_url=f"a.example/{number}", title=title
        )
        for number, title in enumerate(titles)
    ]


def test_rows_are_written_as_django_would_save_them(tenant, django_assert_num_queries):
    made = sources(tenant, *ODD)
    for number, one in enumerate(made):
        one.title, one.quality_score = one.title[::-1], number / 8
    made[-1].published_date, made[0].duplicate_of = "2026-11-25", made[1]
    with django_assert_num_queries(1):
        update_rows(made)
    found = {source.pk: source for source in Source.objects.all()}
    for source in made:
        same = [field.attname for field in Source._meta.concrete_fields]
        assert [getattr(found[source.pk], name) for name in same] == [getattr(source, name) for name in same]


def test_a_row_that_is_gone_is_not_written_in_silence(tenant):
    here, gone = sources(tenant, "here", "gone")
    Source.objects.filter(pk=gone.pk).delete()
    with pytest.raises(DatabaseError, match="Of 2 rows only 1"), transaction.atomic():
        update_rows([here, gone])


def test_what_a_column_does_not_hold_is_no_less_an_error_for_many(tenant):
    made = sources(tenant, "a", "b")
    made[1].language = "english"
    with pytest.raises(DataError), transaction.atomic():
        update_rows(made)
