"""dedupe: sources that say the same are one; what is cited stays."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.models import Citation, Claim
from research.agents.tools.evidence.tool_source_handles import resolve_sources
from research.agents.tools.tool_interface import ToolCode
from research.db.tenancy import tenant_context
from research.models import Source, SourceStatus
from tests.tools.conftest import Hand, add_source

WORDS = " ".join(f"word{number}" for number in range(200))


def test_sources_that_say_the_same_are_one(hand):
    first = add_source(hand, "a", WORDS, tier=3)
    second = add_source(hand, "b", WORDS + " and a little more", tier=1)
    other = add_source(hand, "c", "Something else entirely, about wells and pumps and water.")
    made = hand.use("dedupe", sources=[first, second, other])
    assert ([group.kept for group in made.groups], made.removed) == ([second], [first])
    assert made.unique == [second, other]
    [removed] = hand.sources(status=SourceStatus.DUPLICATE)
    assert f"src-{removed.duplicate_of_id.hex[-12:]}" == second


def test_the_first_may_be_kept(hand):
    first, second = add_source(hand, "a", WORDS), add_source(hand, "b", WORDS, tier=1)
    assert hand.use("dedupe", sources=[second, first], keep="first").removed == [second]


def test_what_the_copies_know_can_be_merged(hand):
    first = add_source(hand, "a", WORDS, tier=1)
    second = add_source(hand, "b", WORDS, author="A. Lind")
    hand.use("dedupe", sources=[first, second], keep="merge")
    assert [source.author for source in hand.sources(canonical_url="a")] == ["A. Lind"]


def test_what_is_cited_is_never_set_aside(hand):
    first, second = add_source(hand, "a", WORDS, tier=1), add_source(hand, "b", WORDS)
    [row] = hand.sources(canonical_url="b")
    with tenant_context(hand.tenant_id):
        claim = Claim.objects.create(run_id=hand.run_id, text="word1 word2", claim_type="fact")
        Citation.objects.create(
            claim=claim, source=row, quote=WORDS[:17], start_offset=0, end_offset=17, match_type="exact"
        )
    assert hand.use("dedupe", sources=[first, second]).removed == []


def test_a_higher_threshold_finds_less(hand):
    sources = [
        add_source(hand, "a", WORDS),
        add_source(hand, "b", WORDS + " more words here at the very end of it"),
    ]
    assert hand.use("dedupe", sources=sources, threshold=1.0).groups == []


def test_sources_are_joined_by_way_of_a_third(hand):
    texts = [WORDS, f"{WORDS} and some more words", f"{WORDS} and some more words that are new here"]
    handles = [add_source(hand, str(number), text, tier=number + 1) for number, text in enumerate(texts)]
    [group] = hand.use("dedupe", sources=handles).groups
    assert (group.kept, group.others) == (handles[0], handles[1:])
    assert 0.85 <= group.similarity <= 1


def test_of_equals_the_longest_is_the_best(hand):
    short, long = add_source(hand, "a", WORDS), add_source(hand, "b", WORDS, word_count=900)
    assert hand.use("dedupe", sources=[short, long]).removed == [short]


def test_a_source_without_text_is_alone(hand):
    with tenant_context(hand.tenant_id):
        rows = [Source.objects.create(run_id=hand.run_id, canonical_url=name) for name in "ab"]
    handles = [f"src-{row.pk.hex[-12:]}" for row in rows]
    made = hand.use("dedupe", sources=handles)
    assert (made.groups, made.unique, made.removed) == ([], handles, [])


def test_finding_copies_twice_changes_nothing_more(hand):
    handles = [add_source(hand, name, WORDS) for name in "ab"]
    assert hand.use("dedupe", sources=handles) == hand.use("dedupe", sources=handles)
    assert len(hand.sources(status=SourceStatus.DUPLICATE)) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"sources": []}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"], "threshold": 0.4}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"], "keep": "last"}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"] * 501}, ToolCode.INVALID_ARGUMENTS),
        ({"sources": ["src-0123456789ab"]}, ToolCode.UNKNOWN_ID),
    ],
)
def test_senseless_comparing_is_refused(hand, given: dict, code: ToolCode):
    assert hand.error("dedupe", **given) is code


def test_one_unknown_source_leaves_all_as_they_are(hand):
    handles = [add_source(hand, name, WORDS) for name in "ab"]
    assert hand.error("dedupe", sources=[*handles, "src-0123456789ab"]) is ToolCode.UNKNOWN_ID
    assert hand.sources(status=SourceStatus.DUPLICATE) == []


def test_sources_are_looked_up_together(hand):
    """However many there are, the rows are asked for a few times."""
    few = [add_source(hand, f"f{number}", f"{number} {WORDS}") for number in range(2)]
    many = few + [add_source(hand, f"m{number}", f"{number} {WORDS} more") for number in range(8)]
    assert queries(hand, many) == queries(hand, few)


def queries(hand: Hand, handles: list[str]) -> int:
    with tenant_context(hand.tenant_id), CaptureQueriesContext(connection) as asked:
        resolve_sources(hand.run_id, handles)
    return len(asked)
