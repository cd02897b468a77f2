"""The search over the library finds by words, by meaning, and by the document that a question names."""

import pytest
from django.db import connection

from research.db.tenancy import tenant_context
from research.extractive.answer_document_cards import Cards
from research.extractive.question.parsed_question import analyse
from research.extractive.term_rarity import Rarity
from research.library.library_scope import LibraryScope
from research.library.retrieval.hybrid_retrieval import (
    QueryVector,
    cards,
    documents,
    nearest,
    rarity,
    rarity_of_all,
    retrieve,
    understand,
)
from research.models import LibraryChunk, LibraryDocument
from research.parsing.vectors.embed_texts import builtin_embedder
from research.pipelines.pipeline_in_foreground import open_library


def embed_query(text: str) -> QueryVector:
    embedder = builtin_embedder()
    [vector] = embedder.embed([text])
    return QueryVector(embedder.model_id, vector)


@pytest.fixture
def inside(account, library):
    with tenant_context(account.tenant_id):
        yield


@pytest.fixture
def search(inside, library):
    def find(text: str, **scope: object) -> list[str]:
        """Titles or paths of the documents of the passages found, best first."""
        within = LibraryScope(folders=(library,), **scope)
        question = analyse(text)
        rare = rarity(question, within)
        hits = retrieve(question, embed_query(text), within, known=cards(within), rare=rare)
        names = dict(LibraryDocument.objects.values_list("pk", "path"))
        return [names[hit.document] for hit in hits]

    return find


def test_words_find_the_passage_that_holds_them(search):
    assert search("How many hours of sun do tomatoes need?")[0] == "gardening.html"


def test_meaning_finds_a_passage_without_its_words(search):
    assert search("chilly weather performance of laboratory machines")[0] in {
        "lab-limits-2022.md",
        "field-trial-2024.md",
    }


def test_the_named_edition_comes_before_the_other(search):
    found = search("What does the Building Policy Guide 1.0 say about the subsidy?")
    assert found.index("policy-guide-1.0.txt") < found.index("policy-guide-2.0.txt")


def test_a_question_about_all_changes_finds_every_passage_of_the_changelog(account, tmp_path):
    releases = [
        f"## {major}.{minor}.0\n\n- Added valve {major}{minor}.\n" for major in range(6) for minor in range(8)
    ]
    (tmp_path / "boilerlib-changelog.md").write_text("# Boilerlib changelog\n\n" + "\n".join(releases))
    (tmp_path / "boilerlib-readme.md").write_text(
        "# Boilerlib readme\n\nBoilerlib has changed how boilers are built.\n"
    )
    scope = LibraryScope(folders=(open_library(account, str(tmp_path)),))
    with tenant_context(account.tenant_id):
        found = {}
        for text in ("How has Boilerlib changed?", "How has the price of Boilerlib changed?"):
            question = analyse(text)
            hits = retrieve(
                question, embed_query(text), scope, known=cards(scope), rare=rarity(question, scope), limit=3
            )
            found[text] = sum(hit.document == changelog_of(scope) for hit in hits)
        every = LibraryChunk.objects.filter(document=changelog_of(scope)).count()
    assert found["How has Boilerlib changed?"] == every > found["How has the price of Boilerlib changed?"]


def changelog_of(scope: LibraryScope) -> object:
    return documents(scope).get(path__contains="changelog").pk


def test_a_question_without_any_known_word_still_finds_the_nearest(search):
    assert search("zzyzx qwfp?")


@pytest.mark.parametrize(
    ("scope", "kept"),
    [
        ({"published_from": "2023"}, {"policy-guide-2.0.txt", "field-trial-2024.md"}),
        ({"published_to": "2019"}, {"policy-guide-1.0.txt"}),
        ({"published_from": "2019-02", "published_to": "2019-04"}, {"policy-guide-1.0.txt"}),
    ],
)
def test_dates_bound_the_search_and_undated_documents_stay(inside, library, scope, kept):
    dated = documents(LibraryScope(folders=(library,), **scope)).exclude(published_date="")
    undated = documents(LibraryScope(folders=(library,), **scope)).filter(published_date="")
    assert set(dated.values_list("path", flat=True)) == kept
    assert undated.exists()


def test_source_types_bound_the_search(inside, library):
    everything = documents(LibraryScope(folders=(library,)))
    kinds = set(everything.values_list("source_type", flat=True))
    kind = sorted(kinds)[0]
    assert set(documents(LibraryScope(folders=(library,), source_types=(kind,)))) == set(
        everything.filter(source_type=kind)
    )


def test_another_folder_is_not_searched(search, inside):
    question = analyse("How many hours of sun do tomatoes need?")
    elsewhere = LibraryScope(folders=("/elsewhere",))
    rare = rarity(question, elsewhere)
    assert retrieve(question, embed_query(question.text), elsewhere, known=cards(elsewhere), rare=rare) == []


def test_scores_fall_from_one(inside, library):
    question = analyse("What does the subsidy cover?")
    scope = LibraryScope(folders=(library,))
    hits = retrieve(
        question, embed_query(question.text), scope, known=cards(scope), rare=rarity(question, scope)
    )
    scores = [hit.score for hit in hits]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)


def test_hits_are_places_of_their_documents(inside, library):
    question, scope = analyse("What does the subsidy cover?"), LibraryScope(folders=(library,))
    for hit in retrieve(
        question, embed_query(question.text), scope, known=cards(scope), rare=rarity(question, scope)
    ):
        chunk = LibraryChunk.objects.select_related("document__content").get(pk=hit.chunk)
        assert chunk.document.content.text[hit.start : hit.end] == chunk.text


def test_a_rare_word_counts_more_than_a_common_one(inside, library):
    question = analyse("Which heat pumps did the Kiruna trial watch?")
    rare = rarity(question, LibraryScope(folders=(library,)))
    by_surface = {term.surface.casefold(): rare.of(term.form) for term in question.terms}
    assert by_surface["kiruna"] > by_surface["heat"]


def test_many_passages_are_found_through_the_index(inside, library, monkeypatch):
    monkeypatch.setattr("research.library.retrieval.hybrid_retrieval.EXACT_BELOW", 0)
    question, scope = analyse("How many hours of sun do tomatoes need?"), LibraryScope(folders=(library,))
    hits = retrieve(
        question, embed_query(question.text), scope, known=cards(scope), rare=rarity(question, scope)
    )
    assert LibraryDocument.objects.get(pk=hits[0].document).path == "gardening.html"


def test_through_the_index_the_nearest_come_first_and_later_statements_may_sort(inside, library, monkeypatch):
    scope, meaning = LibraryScope(folders=(library,)), embed_query("How many hours of sun do tomatoes need?")
    exact = nearest(scope, meaning, total=1)
    monkeypatch.setattr("research.library.retrieval.hybrid_retrieval.EXACT_BELOW", 0)
    assert nearest(scope, meaning, total=1)[:5] == exact[:5]
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_sort")
        assert cursor.fetchone() == ("on",)


def test_words_of_several_questions_are_counted_as_those_of_each(inside, library):
    scope = LibraryScope(folders=(library,))
    questions = [
        analyse(text)
        for text in (
            "How many hours of sun do tomatoes need?",
            "What does the policy guide say about the subsidy?",
        )
    ]
    together = rarity_of_all(questions, scope)
    for question in questions:
        alone = rarity(question, scope)
        assert alone.total == together.total
        assert {term.form: together.count(term.form) for term in question.terms} == dict(alone.counts)


def test_a_document_without_a_title_is_named_by_its_path(inside, library):
    scope = LibraryScope(folders=(library,))
    row = documents(scope).get(path="gardening.html")
    title = row.title
    LibraryDocument.objects.filter(pk=row.pk).update(title="")
    try:
        assert cards(scope).get_card(str(row.pk)).title == "gardening.html"
    finally:
        LibraryDocument.objects.filter(pk=row.pk).update(title=title)


def test_a_slip_that_one_passage_has_as_well_is_corrected(monkeypatch):
    module = "research.library.retrieval.hybrid_retrieval"
    counts = {"paramt": 1, "valv": 40}  # the stems of "paramters" and "valves"
    monkeypatch.setattr(f"{module}.rarity", lambda *_: Rarity(100, counts))
    monkeypatch.setattr(f"{module}.vocabulary", lambda _scope: {"valv": 40, "paramet": 50})
    understood, _ = understand("which paramters do valves have", LibraryScope(), Cards([]))
    assert understood.wording == "which parameters do valves have"


def test_a_german_question_with_a_name_and_a_shared_word_is_translated(account, tmp_path):
    (tmp_path / "readme.md").write_text(
        "# Billex\n\nBillex is a standard for invoices.\n\nIn Germany the standard is called Rechnix.\n\n"
        "The standard is from Germany and from France.\n",
        encoding="utf-8",
    )
    folder = open_library(account, str(tmp_path))
    with tenant_context(account.tenant_id):
        within = LibraryScope(folders=(folder,))
        question, _rare = understand(
            "Was ist Billex und wie heißt der Standard in Deutschland?", within, cards(within)
        )
    assert question.wording == "What is Billex and what is the standard in Germany called?"


def test_passages_with_either_spelling_are_counted(account, tmp_path):
    (tmp_path / "colours.md").write_text("# Grey\n\nIts colour is grey.\n", encoding="utf-8")
    (tmp_path / "colors.md").write_text("# Gray\n\nIts color is gray.\n", encoding="utf-8")
    folder = open_library(account, str(tmp_path))
    with tenant_context(account.tenant_id):
        within = LibraryScope(folders=(folder,))
        counted = rarity(analyse("Which colour is it?"), within)
    assert counted.count("colour") == counted.total == 2


def test_a_german_question_stays_so_over_a_single_german_page(account, tmp_path):
    (tmp_path / "brief.md").write_text(
        "# Brief\n\nDie Kündigung der Wohnung ist mit einer Frist von drei Monaten möglich und nicht früher.\n",
        encoding="utf-8",
    )
    folder = open_library(account, str(tmp_path))
    with tenant_context(account.tenant_id):
        within = LibraryScope(folders=(folder,))
        asked = "Welche Frist hat die Kündigung der Wohnung beim Vermieter?"
        question, _rare = understand(asked, within, cards(within))
    assert question.wording == asked
