"""Results: what each is worth, and why."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.models import SourceType
from research.pipelines.technical.rank_technical_sources import is_preferred, relevance_of
from research.pipelines.technical.technical_advice_kinds import Advice, advice_of
from research.pipelines.technical.technical_config import Preference, QuestionType, TechnicalConfig
from research.pipelines.technical.technical_queries import queries_of, query_of
from research.search.search_protocol import SearchHit
from tests.often import often

TODAY = date(2026, 11, 20)
HITS = st.builds(
    SearchHit,
    url=st.sampled_from(
        ["https://github.com/a/b", "https://docs.example/x", "https://stackoverflow.com/q/1", ""]
    ),
    title=st.sampled_from(["pgvector", "Example", ""]),
    snippet=st.text(max_size=300),
    published=st.sampled_from(["", "2026", "2026-10-01", "2019-05"]),
    source_type=st.sampled_from(list(SourceType)),
    has_code=st.booleans(),
    stars=st.none() | st.integers(0, 10**6),
)


@given(HITS, st.floats(0, 1), st.lists(st.sampled_from(list(Preference)), unique=True))
@often(100)
def test_relevance_is_a_share_and_its_reasons_explain_it(hit, matches, preferences):
    found = relevance_of(hit, matches, preferences, TODAY)
    kind = min(1.0, sum(value for name, value in found.why.items() if name != "matches"))
    assert 0 <= found.value <= 1
    assert found.value == pytest.approx(matches * kind, abs=1e-3)


def test_a_new_page_of_the_preferred_kind_comes_before_an_old_one_of_another():
    new = SearchHit(
        "https://docs.example/x", "X", "words", published="2026-10", source_type=SourceType.DOCUMENTATION
    )
    old = SearchHit("https://blog.example/x", "X", "words", published="2019", source_type=SourceType.BLOG)
    values = [relevance_of(one, 0.9, [Preference.OFFICIAL], TODAY).value for one in (new, old)]
    assert values == [0.9, 0.45]


@pytest.mark.parametrize(
    ("url", "kind", "preference", "holds"),
    [
        ("https://github.com/a/b", SourceType.OTHER, Preference.GITHUB, True),
        ("https://notgithub.com/a", SourceType.OTHER, Preference.GITHUB, False),
        ("https://dba.stackexchange.com/q/1", SourceType.SOCIAL, Preference.STACKOVERFLOW, True),
        ("https://x.example/", SourceType.ACADEMIC, Preference.ACADEMIC, True),
        ("https://x.example/", SourceType.NEWS, Preference.BLOGS, False),
    ],
)
def test_a_preference_knows_kinds_and_sites(url, kind, preference, holds):
    assert is_preferred(kind, url, [preference]) is holds


def test_the_query_says_the_stack_and_on_the_web_where_and_when():
    given = {
        "technologies": ["pgvector"],
        "keywords": ["recall"],
        "prefer": ["official"],
        "recency": "latest",
    }
    question = "How are HNSW indexes tuned?"
    at_home = query_of(question, TechnicalConfig(**given), 2026)
    assert at_home == f"{question} pgvector recall"
    assert query_of(question, TechnicalConfig(**given, sources="both"), 2026) == (
        f"{question} pgvector recall official documentation 2026"
    )


@pytest.mark.parametrize("kind", QuestionType)
def test_a_deeper_search_asks_in_more_words(kind):
    asked = [
        len(queries_of("What is it?", TechnicalConfig(type=kind, depth=d), 2026))
        for d in ("quick", "standard")
    ]
    assert asked[0] == 1 < asked[1]


@pytest.mark.parametrize(
    ("statement", "advice"),
    [
        ("The index cannot be built on columns with more than 2,000 dimensions.", Advice.WARNING),
        ("We recommend Argon2id with a minimum of 19 MiB of memory.", Advice.RECOMMENDATION),
        ("Indexes should be created after the initial data is loaded.", Advice.PRACTICE),
        ("Vacuuming can take a while, so never run it at noon.", Advice.WARNING),
        ("Its default is 40.", Advice.FINDING),
    ],
)
def test_a_statement_is_known_by_what_it_is_for(statement, advice):
    assert advice_of(statement) is advice
