"""Searching the web and reading what was found: through the guard, once, as sources of the run."""

from research.agents.tools.evidence.register_agent_sources import register_unread
from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.library.library_folders import WEB
from research.library.sources_from_library import FoundPage
from research.models import Chunk, Run, SourceStatus
from research.storage.object_store import get_object
from tests.tools.found_pages import FOUND, handle, list_requested_paths, read, site, web

__all__ = ["site", "web"]  # fixtures


# --- searching ---


def test_pages_of_the_web_are_found_by_handles(make_hand, site):
    found = {one.id: one for one in make_hand(sources="web").search("heat pumps")}
    trial = found[handle(site, "trial")]
    assert (trial.url, trial.title, trial.snippet) == (f"{site.base}/trial", "trial", "Heat pumps.")
    assert len(found) == len(FOUND)


def test_the_library_and_the_web_are_searched_together(make_hand, site):
    kinds = {one.id[:4] for one in make_hand(sources="both").search("heat pump subsidy")}
    assert kinds == {"lib-", "web-"}


def test_a_run_that_draws_on_the_library_alone_asks_nobody_else(make_hand, site):
    assert {one.id[:4] for one in make_hand().search("heat pump subsidy", type="web")} == {"lib-"}


def test_a_run_that_draws_on_the_web_alone_is_told_where_nothing_can_be_found(make_hand, site):
    assert (
        make_hand(sources="web").error("search", queries=["pumps"], type="library") is ToolCode.NOT_AVAILABLE
    )


# --- reading ---


def test_a_found_page_is_fetched_and_is_a_source_from_then_on(web, site):
    shown = web.use("browse", url=handle(site, "trial"))
    [source] = web.sources()
    assert (shown.fetched, shown.id) == (True, f"src-{source.pk.hex[-12:]}")
    assert "stayed above 2.1 at nine of the eleven sites" in shown.content
    assert (shown.title, shown.published, shown.language) == (
        "Nordhaus field trial of heat pumps",
        "2024-03-01",
        "en",
    )
    with tenant_context(web.tenant_id):
        assert Run.objects.get(pk=web.run_id).sources_found == 1


def test_what_was_read_is_kept_word_for_word_and_byte_for_byte(web, site):
    source = read(web, site, "trial")
    assert (source.status, source.url, source.domain) == (
        SourceStatus.EXTRACTED,
        f"{site.base}/trial",
        "127.0.0.1",
    )
    assert source.content.text.count("two sites fell below 1.9") == 1
    assert b"two sites fell below 1.9" in get_object(source.content.raw_key)
    assert (source.library_document.folder, source.word_count) == (WEB, source.content.word_count)


def test_a_page_is_fetched_once_for_a_run(web, site):
    first = web.use("browse", url=handle(site, "trial"))
    again = web.use("browse", url=handle(site, "trial"))
    assert (again.id, again.content, again.fetched) == (first.id, first.content, False)
    assert list_requested_paths(site) == ["/trial"]
    assert len(web.sources()) == 1


def test_a_page_that_moved_is_known_by_both_addresses(web, site):
    first = web.use("browse", url=handle(site, "moved"))
    assert first.final_url == f"{site.base}/linked"
    for url in (f"{site.base}/moved", f"{site.base}/linked"):
        assert web.use("browse", url=url).id == first.id
    assert list_requested_paths(site) == ["/moved", "/linked"]


def test_two_runs_read_a_page_each_for_itself_and_keep_it_once(make_hand, site):
    hands = [make_hand(sources="web") for _ in range(2)]
    for hand in hands:
        hand.search("heat pumps")
    first, second = (read(hand, site, "trial") for hand in hands)
    assert first.pk != second.pk
    assert (first.content_id, first.library_document_id) == (second.content_id, second.library_document_id)


def test_passages_of_a_page_can_be_stored_and_retrieved(web, site):
    shown = web.use("browse", url=handle(site, "trial"))
    kept = web.use("store", source=shown.id, chunks=shown.passages)
    [source] = web.sources()
    assert (kept.count, source.status) == (len(shown.passages), SourceStatus.PROCESSED)
    with tenant_context(web.tenant_id):
        chunks = list(Chunk.objects.filter(source=source).select_related("source__content"))
        assert [chunk.source.text[chunk.start_offset : chunk.end_offset] for chunk in chunks] == [
            chunk.text for chunk in chunks
        ]
        assert all(chunk.embedding is not None for chunk in chunks)
        assert Run.objects.get(pk=web.run_id).sources_processed == 1
    assert web.use("retrieve", query="How many homes did the trial run in?").chunks[0].id == kept.chunks[0]


def test_what_is_shown_of_a_page_can_be_stored_by_its_own_handle(web, site):
    shown = web.use("browse", url=handle(site, "trial"))
    assert web.use("store", source=handle(site, "trial"), chunks=shown.passages).source == shown.id


def test_a_page_that_nobody_has_read_cannot_be_stored(web, site):
    problem = web.failure("store", source=handle(site, "trial"))
    assert (problem.code, "browse" in problem.message) == (ToolCode.UNKNOWN_ID, True)
    assert web.sources() == []


def test_passages_of_a_copy_are_those_of_its_original(make_hand, site):
    """Another address with the same text: saved pages keep its passages once."""
    site.pages["/copy"] = site.pages["/trial"]
    hand = make_hand(sources="web", urls=[f"{site.base}/copy"])
    hand.search("heat pumps")
    hand.use("browse", url=handle(site, "trial"))
    shown = hand.use("browse", url=f"{site.base}/copy")
    kept = hand.use("store", source=shown.id, chunks=shown.passages)
    assert kept.count == len(shown.passages) > 0


def test_a_page_that_the_runs_recipe_found_is_filled_when_it_is_read(web, site):
    with tenant_context(web.tenant_id):
        register_unread(
            web.run_id,
            FoundPage(f"{site.base}/trial", "Trial", subtopic="Pumps", relevance=0.5),
            "TIMEOUT",
            "x",
        )
    [before] = web.sources()
    after = read(web, site, "trial")
    assert (after.pk, after.created_at) == (before.pk, before.created_at)
    assert (after.status, after.error_code, after.subtopic, after.relevance_score) == (
        "extracted",
        "",
        "Pumps",
        0.5,
    )


def test_a_table_that_was_read_can_be_computed_over(web, site):
    shown = web.use("browse", url=handle(site, "figures"), tables=True)
    assert (shown.tables[0].headers, shown.tables[0].rows[0]) == (["Year", "Pumps"], ["2001", "1001"])
    total = {
        "do": "aggregate",
        "name": "all",
        "input": "t",
        "measures": [{"function": "max", "column": "Pumps", "name": "most"}],
    }
    made = web.use(
        "compute", data=[{"name": "t", "source": shown.id, "table": 0}], operations=[total], result="all"
    )
    assert made.rows == [[1024.0]]
