"""Results as hits: text and dates of any service."""

import pytest

from research.models import SourceType
from research.search.providers.search_regions import country_of, language_of
from research.search.search_hits import (
    MAX_SNIPPET_LENGTH,
    MAX_TITLE,
    classify_hit,
    day,
    day_of,
    hit,
    without_markup,
)


@pytest.mark.parametrize(
    ("given", "iso"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01"), ("2024-05-01", "2024-05-01"), ("2024-05", "2024-05"), ("2024", "2024"),
        ("2024-05-01 something", "2024-05-01"), ("soon", ""), ("", ""), (None, ""), ("9999-99-99", ""),
    ],
)  # fmt: skip
def test_a_date_stays_as_precise_as_it_was(given, iso):
    assert day(given) == iso


@pytest.mark.parametrize(
    ("seconds", "iso"), [(0, "1970-01-01"), (1714557600.0, "2024-05-01"), (None, ""), (1e30, "")]
)
def test_a_unix_time_is_a_day(seconds, iso):
    assert day_of(seconds) == iso


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<b>heat</b> &amp; pumps", "heat & pumps"),
        ("", ""),
        (None, ""),
        ("a < b", "a < b"),
        ("<p>" * 9_000, ""),
    ],
)
def test_markup_becomes_words(markup, words):
    assert without_markup(markup) == words


def test_a_hit_is_cut_and_cleaned():
    one = classify_hit(hit(" https://www.gov.uk/\x00a ", "t" * 9_999, "s\u200b" * 9_999))
    assert (one.url, one.domain, one.source_type) == ("https://www.gov.uk/a", "gov.uk", SourceType.GOVERNMENT)
    assert (len(one.title), len(one.snippet)) == (MAX_TITLE, MAX_SNIPPET_LENGTH)


@pytest.mark.parametrize(
    ("region", "country", "language"),
    [
        ("de", "de", "de"), ("DE", "de", "de"), ("uk", "gb", "en"), ("fr-CH", "ch", "fr"), ("en_US", "us", "en"),
        ("", "", ""), ("eu", "", ""), ("latam", "", ""), ("x-y-z", "", ""),
    ],
)  # fmt: skip
def test_a_region_is_a_country_and_its_language(region, country, language):
    assert (country_of(region), language_of(region)) == (country, language)


WRAPPED = "aHR0cHM6Ly9lLm9yZy9hP2I9MQ"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        (f"https://www.bing.com/ck/a?!&&p=7b&u=a1{WRAPPED}&ntb=1", "https://e.org/a?b=1"),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fe.org%2Fa&rut=1", "https://e.org/a"),
        ("https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fe.org%2Fa&usg=x", "https://e.org/a"),
        ("/url?q=https%3A%2F%2Fe.org%2Fa&sa=U", "https://e.org/a"),
        ("https://r.search.yahoo.com/_ylt=A0/RV=2/RU=https%3a%2f%2fe.org%2fa/RK=2/RS=x-", "https://e.org/a"),
        ("https://www.google.com/amp/s/e.org/a/amp", "https://e.org/a/amp"),
        ("https://e-org.cdn.ampproject.org/c/s/e.org/a", "https://e.org/a"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fe.org%2Fa&h=AT", "https://e.org/a"),
        ("//e.org/a", "https://e.org/a"),
        ("https://e.org/a?utm_source=x&b=c%20d&flag#top", "https://e.org/a?b=c%20d&flag#top"),
        ("https://e.org/url?q=https%3A%2F%2Fother.org", "https://e.org/url?q=https%3A%2F%2Fother.org"),
        (
            "https://www.google.com/url?q=javascript:alert(1)",
            "https://www.google.com/url?q=javascript:alert(1)",
        ),
        ("https://www.bing.com/ck/a?u=a1%%%", "https://www.bing.com/ck/a?u=a1%%%"),
    ],
)
def test_a_redirect_wrapper_gives_way_to_the_page(given, url):
    assert hit(given, "t", "s").url == url


def test_what_a_service_knows_of_its_kind_counts_before_the_address():
    known = hit("https://www.gov.uk/a", "A repository", "", kind=SourceType.CODE)
    unknown = hit("https://unheard-of.example/a", "A page", "")
    assert classify_hit(known).source_type == SourceType.CODE
    assert classify_hit(unknown) == unknown
