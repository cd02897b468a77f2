"""Several providers at once: fused by rank, each page once, the failed one skipped with a note."""

from dataclasses import replace
from datetime import date

import pytest

from research.search.ask_search_providers import Answers, SkippedProvider, ask_all, search_all
from research.search.search_protocol import (
    Filters,
    Hits,
    SearchCode,
    SearchError,
    SearchHit,
    SearchType,
    fuse_rankings,
)
from tests.fetching.sockets import run


def hit(url: str, published: str = "", domain: str = "") -> SearchHit:
    return SearchHit(url, url, "", domain, published)


class Scripted:
    """Answers with what it was given; an exception is raised."""

    def __init__(self, name: str, *answers: SearchHit | Exception, unreadable: int = 0) -> None:
        self.name = name
        self.answers = answers
        self.unreadable = unreadable
        self.filters: Filters | None = None

    def serves(self, kind: SearchType) -> bool:
        return kind is SearchType.WEB

    async def search(self, query: str, filters: Filters) -> Hits:
        self.filters = filters
        for answer in self.answers:
            if isinstance(answer, Exception):
                raise answer
        hits = tuple(answer for answer in self.answers if isinstance(answer, SearchHit))
        return Hits(hits, self.unreadable)


def search_providers(*providers: Scripted, **filters: object):
    return run(search_all(providers, "heat", Filters(SearchType.WEB, **filters)))


def test_what_several_find_comes_first():
    a, b, c = (hit(f"https://{name}.example/") for name in "abc")
    got = search_providers(Scripted("one", a, b), Scripted("two", c, b))
    assert got.hits[0] == b
    assert set(got.hits) == {a, b, c}


def test_spellings_of_an_address_are_one_page():
    got = search_providers(
        Scripted("one", hit("https://www.a.example/x?utm_source=y")),
        Scripted("two", hit("http://a.example/x/#top")),
    )
    assert [one.url for one in got.hits] == ["https://www.a.example/x?utm_source=y"]


def test_a_page_counts_once_in_a_ranking():
    ranked = fuse_rankings(
        [[hit("https://a.example/"), hit("https://a.example/#b")], [hit("https://c.example/")]]
    )
    assert [relevance for _, relevance in ranked] == [1.0, 1.0]


def test_a_page_that_two_describe_in_other_words_is_one_page():
    one, other = hit("https://b.example/"), SearchHit("https://b.example/#x", "Another title", "Other words.")
    got = search_providers(Scripted("one", hit("https://a.example/"), one), Scripted("two", other))
    assert [each.title for each in got.hits] == ["https://b.example/", "https://a.example/"]


def test_who_was_asked_twice_and_failed_is_skipped_twice():
    error = SearchError(SearchCode.TIMEOUT, "Nothing came.")
    asked = ask_all([Scripted("one", error), Scripted("two", hit("x"))], ["a", "b"], Filters(SearchType.WEB))
    answers = run(asked)
    assert (len(answers.rankings), [one.provider for one in answers.skipped]) == (2, ["one", "one"])


def test_who_does_not_search_for_this_is_not_asked():
    answers = run(ask_all([Scripted("one", KeyError())], ["a"], Filters(SearchType.NEWS)))
    assert answers == Answers((), ())


def test_who_serves_another_type_that_would_do_is_asked_for_that_one():
    provider = Scripted("one", hit("https://a.example/"))
    wanted = Filters(SearchType.NEWS, also=(SearchType.ACADEMIC, SearchType.WEB))
    assert len(run(search_all([provider], "heat", wanted)).hits) == 1
    assert provider.filters == Filters(SearchType.WEB)


def test_each_provider_is_asked_once_however_many_types_would_do():
    provider = Scripted("one")
    provider.serves = lambda kind: True
    run(search_all([provider], "heat", Filters(SearchType.ACADEMIC, also=(SearchType.WEB,))))
    assert provider.filters == Filters(SearchType.ACADEMIC, also=(SearchType.WEB,))


def test_how_much_each_provider_found_is_told():
    a, b = (hit(f"https://{name}.example/") for name in "ab")
    error = SearchError(SearchCode.TIMEOUT, "Nothing came.")
    got = search_providers(
        Scripted("one", a, b), Scripted("two", a), Scripted("three"), Scripted("four", error)
    )
    assert got.counts == {"one": 2, "two": 1, "three": 0, "four": 0}


def test_who_gave_less_than_it_has_is_noted_beside_what_it_gave():
    class Short(Scripted):
        async def search(self, query: str, filters: Filters) -> Hits:
            return replace(await super().search(query, filters), trouble=(SearchCode.TIMEOUT, "Too slow."))

    got = search_providers(Short("one", hit("https://a.example/")))
    assert (len(got.hits), got.skipped) == (1, (SkippedProvider("one", SearchCode.TIMEOUT, "Too slow."),))


def test_what_is_no_web_address_is_left_out():
    assert search_providers(Scripted("one", hit("ftp://a.example/"), hit("nonsense"), hit(""))).hits == ()


def test_a_provider_that_fails_is_skipped_with_a_note():
    error = SearchError(SearchCode.RATE_LIMITED, "Too many.")
    got = search_providers(Scripted("one", error), Scripted("two", hit("https://a.example/")))
    assert len(got.hits) == 1
    assert got.skipped == (SkippedProvider("one", "RATE_LIMITED", "Too many."),)


def test_what_providers_could_not_read_is_counted_together():
    got = search_providers(
        Scripted("one", hit("https://a.example/"), unreadable=2), Scripted("two", unreadable=1)
    )
    assert (len(got.hits), got.unreadable) == (1, 3)


def test_a_bug_in_a_provider_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        search_providers(Scripted("one", ZeroDivisionError()))


def test_excluded_domains_and_their_parts_are_left_out():
    hits = (
        hit("https://x.bad.example/", domain="x.bad.example"),
        hit("https://notbad.example/", domain="notbad.example"),
    )
    got = search_providers(Scripted("one", *hits), excluded_domains=frozenset({"bad.example"}))
    assert [one.domain for one in got.hits] == ["notbad.example"]


def test_only_allowed_domains_and_their_parts_stay_and_what_has_none():
    hits = [hit(f"https://{name}/", domain=name) for name in ("a.example", "x.a.example", "ba.example")]
    got = search_providers(
        Scripted("one", *hits, hit("https://c.example/")), allowed_domains=frozenset({"a.example"})
    )
    assert [one.domain for one in got.hits] == ["a.example", "x.a.example", ""]


@pytest.mark.parametrize(
    ("published", "stays"),
    [("", True), ("2024", True), ("2024-06", True), ("2024-06-02", True), ("2023-12", False)],
)
def test_an_undated_page_stays_and_an_old_one_goes(published, stays):
    got = search_providers(
        Scripted("one", hit("https://a.example/", published)), published_from=date(2024, 6, 1)
    )
    assert bool(got.hits) is stays


def test_no_more_than_wanted_come_back():
    hits = [hit(f"https://{number}.example/") for number in range(20)]
    assert len(search_providers(Scripted("one", *hits), most=5).hits) == 5
