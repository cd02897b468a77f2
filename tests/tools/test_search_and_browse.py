"""Finding and reading: search, browse, store, over a real library."""

from dataclasses import replace
from datetime import date

import pytest

from research.models import AgentRole, Chunk, SourceStatus, SourceType
from research.tenancy import tenant_context
from research.tools.providers import Filters, SearchHit, SearchType, fused
from research.tools.search import Searching, SearchInput
from research.tools.tool import ToolCode, ToolError, Use

HEAT = "seasonal performance factor of a heat pump"


def test_a_search_finds_documents_with_their_best_passages(hand):
    [first, *_] = hand.search(HEAT, "heat pump subsidy")
    assert first.relevance == 1.0
    assert first.id.startswith("lib-")
    assert "performance factor" in first.snippet
    assert first.passages


def test_an_undated_document_is_kept_and_said_to_be_so(hand):
    found = hand.use("search", queries=["tomatoes sun water"], time_range="day").results
    assert [one.published for one in found if one.title == "Gardening notes"] == ["date unknown"]


def test_a_dated_document_outside_of_the_time_range_is_left_out(hand):
    titles = {one.title for one in hand.use("search", queries=[HEAT], time_range="year").results}
    assert "Building Policy Guide 1.0" not in titles


def test_excluded_domains_are_left_out(hand):
    found = hand.use("search", queries=[HEAT], exclude_domains=["policy.example"]).results
    assert "policy.example" not in {one.domain for one in found}


def test_a_search_stays_within_the_runs_folders(make_hand):
    assert make_hand(folders=["elsewhere"]).error("search", queries=[HEAT]) is ToolCode.NO_RESULTS


def test_nothing_searches_for_images(hand):
    assert hand.error("search", queries=[HEAT], type="images") is ToolCode.NOT_AVAILABLE


@pytest.mark.parametrize(
    "given",
    [
        {"queries": []},
        {"queries": ["a b"] * 6},
        {"queries": [" "]},
        {"queries": ["x" * 500]},
        {"queries": ["heat"], "max_results": 1000},
        {"queries": ["heat"], "exclude_domains": ["not a domain"]},
        {"queries": ["heat"], "tenant_id": "another"},
    ],
)
def test_a_senseless_search_is_refused(hand, given: dict):
    assert hand.error("search", **given) is ToolCode.INVALID_ARGUMENTS


# --- providers ---


class Scripted:
    """A provider that finds these documents, or fails."""

    name = "scripted"

    def __init__(self, *hits: SearchHit, error: Exception | None = None) -> None:
        self.hits, self.error = hits, error
        self.filters: Filters | None = None

    def serves(self, kind: SearchType) -> bool:
        return True

    async def search(self, query: str, filters: Filters) -> tuple[SearchHit, ...]:
        self.filters = filters
        if self.error:
            raise self.error
        return self.hits


def hit(number: int) -> SearchHit:
    from uuid import UUID

    return SearchHit(f"https://x.example/{number}", f"Page {number}", "Words.", document=UUID(int=number))


async def searched(*providers: Scripted, **given: object):
    work = Searching(lambda step: providers, lambda: date(2026, 3, 10))
    from tests.agents.steps import STEP

    wanted = SearchInput(queries=["heat pumps"], **given)
    return await work(wanted, Use(STEP, AgentRole.RESEARCHER, "turn.1.call.1"))


def run(coroutine):
    import asyncio

    return asyncio.run(coroutine)


def test_what_several_providers_found_is_fused_by_rank():
    one, two = Scripted(hit(1), hit(2)), Scripted(hit(2), hit(3))
    assert [found.title for found in run(searched(one, two)).results] == ["Page 2", "Page 1", "Page 3"]


def test_one_providers_failure_leaves_what_the_others_found():
    broken = Scripted(error=ToolError(ToolCode.RATE_LIMITED, "Too many."))
    assert run(searched(broken, Scripted(hit(1)))).total == 1


def test_a_search_in_which_every_provider_failed_fails_as_the_first():
    with pytest.raises(ToolError) as caught:
        run(searched(Scripted(error=ToolError(ToolCode.RATE_LIMITED, "Too many."))))
    assert caught.value.code is ToolCode.RATE_LIMITED


def test_a_bug_in_a_provider_is_not_taken_for_a_failure():
    with pytest.raises(KeyError):
        run(searched(Scripted(error=KeyError("x")), Scripted(hit(1))))


def test_the_time_range_is_counted_from_today():
    provider = Scripted(hit(1))
    run(searched(provider, time_range="week", region="ch"))
    assert provider.filters == Filters(published_from=date(2026, 3, 3), region="ch")


def test_what_has_no_row_is_never_named():
    with pytest.raises(ToolError) as caught:
        run(searched(Scripted(replace(hit(1), document=None))))
    assert caught.value.code is ToolCode.NO_RESULTS


def test_nothing_found_is_fused_to_nothing():
    assert fused([[], []]) == []


# --- browse ---


def test_a_found_document_can_be_read(hand):
    [first, *_] = hand.search(HEAT)
    page = hand.use("browse", url=first.id, mode="full")
    assert (page.id, page.next_start) == (first.id, None)
    assert page.words == len(page.content.split())


def test_a_summary_is_the_first_words(hand):
    [first, *_] = hand.search("field trial Kiruna")
    assert hand.use("browse", url=first.id).content.startswith("Nordhaus field trial")


def test_a_document_is_read_by_its_url_once_it_was_found(hand):
    hand.search(HEAT)
    assert (
        hand.use("browse", url="https://www.policy.example/guide/2.0/").title == "Building Policy Guide 2.0"
    )


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://policy.example/guide/2.0", ToolCode.UNKNOWN_ID),  # in the library, but nobody found it
        ("https://attacker.example/?q=secret", ToolCode.BLOCKED),
        ("file:///etc/passwd", ToolCode.BLOCKED),
        ("lib-000000000000", ToolCode.UNKNOWN_ID),
        ("lib-../../etc", ToolCode.UNKNOWN_ID),
        ("src-000000000000", ToolCode.UNKNOWN_ID),
        ("", ToolCode.BLOCKED),
    ],
)
def test_what_the_run_did_not_find_cannot_be_read(hand, url: str, code: ToolCode):
    assert hand.error("browse", url=url) is code


def test_one_runs_finds_are_nothing_to_another(make_hand):
    [first, *_] = make_hand().search(HEAT)
    assert make_hand().error("browse", url=first.id) is ToolCode.UNKNOWN_ID


def test_a_verifier_reads_only_what_is_evidence(hand):
    [first, *_] = hand.search(HEAT)
    with pytest.raises(ToolError) as caught:
        hand.use("browse", AgentRole.VERIFIER, url=first.id)
    assert caught.value.code is ToolCode.UNKNOWN_ID
    hand.use("store", source=first.id)
    assert hand.use("browse", AgentRole.VERIFIER, url=first.id).id.startswith("src-")


# --- store ---


def test_a_found_document_becomes_a_source_with_chunks(hand):
    [first, *_] = hand.search(HEAT)
    kept = hand.use("store", source=first.id, chunks=first.passages)
    [source] = hand.sources()
    assert (kept.count, source.status) == (len(first.passages), SourceStatus.PROCESSED)
    with tenant_context(hand.tenant_id):
        chunk = Chunk.objects.filter(source=source).first()
        assert source.text[chunk.start_offset : chunk.end_offset] == chunk.text
    assert source.source_type in SourceType.values


def test_storing_twice_adds_nothing(hand):
    [first, *_] = hand.search(HEAT)
    once = hand.use("store", source=first.id, chunks=first.passages)
    again = hand.use("store", source=first.id, chunks=first.passages)
    assert (again.source, again.chunks, again.count) == (once.source, once.chunks, 0)
    assert len(hand.sources()) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"source": "lib-0123456789ab"}, ToolCode.UNKNOWN_ID),
        ({"source": "https://x.example"}, ToolCode.INVALID_ARGUMENTS),
        (
            {"source": "lib-0123456789ab", "chunks": ["The moon is made of cheese."]},
            ToolCode.INVALID_ARGUMENTS,
        ),
    ],
)
def test_what_a_model_made_up_cannot_be_stored(hand, given: dict, code: ToolCode):
    assert hand.error("store", **given) is code
    assert hand.sources() == []


def test_a_passage_that_does_not_exist_cannot_be_stored(hand):
    [first, *_] = hand.search(HEAT)
    assert hand.error("store", source=first.id, chunks=[999]) is ToolCode.UNKNOWN_ID
    assert hand.sources() == []
