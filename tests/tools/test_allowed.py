"""A run's owner limits what is read: dates, kinds, domains."""

import pytest

from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.models import SourceType


@pytest.mark.parametrize(
    ("published", "limits", "is_wanted"),
    [
        ("", {"published_from": "2024"}, True), ("2024", {"published_from": "2024-06"}, True),
        ("2024-05-31", {"published_from": "2024-06"}, False), ("2023", {"published_from": "2024"}, False),
        ("2024-06-30", {"published_to": "2024-06"}, True), ("2024-07-01", {"published_to": "2024-06"}, False),
        ("2025", {"published_to": "2024"}, False), ("2024", {"published_to": "2024-06"}, True),
    ],
)  # fmt: skip
def test_only_a_page_that_is_surely_outside_the_dates_is_left_out(published, limits, is_wanted):
    allowed = SourceSettings.model_validate(limits)
    assert (allowed.refusal("https://a.example/", published) == "") is is_wanted


def test_a_page_of_another_kind_is_left_out_with_the_reason():
    allowed = SourceSettings(source_types=[SourceType.GOVERNMENT])
    assert allowed.refusal("https://a.example/", kind=SourceType.GOVERNMENT) == ""
    assert "news" in allowed.refusal("https://a.example/", kind=SourceType.NEWS)


def test_a_page_of_a_domain_that_the_owner_left_out_is_not_read():
    allowed = SourceSettings(excluded_domains=["www.a.example"])
    assert "a.example" in allowed.refusal("https://news.a.example/1")
    assert allowed.refusal("https://nota.example/1") == ""


def test_what_must_be_read_is_wanted_whatever_the_filters_say():
    allowed = SourceSettings(
        urls=["https://a.example/must"],
        dois=["10.1000/182"],
        excluded_domains=["a.example", "doi.org"],
        regions=["ch"],
    )
    assert allowed.refusal("http://www.a.example/must/", "1999", SourceType.NEWS, "fr") == ""
    assert allowed.refusal("https://doi.org/10.1000/182") == ""
    assert allowed.refusal("https://a.example/other") != ""
    assert allowed.must_read == ["https://a.example/must", "https://doi.org/10.1000/182"]


@pytest.mark.parametrize(("language", "is_wanted"), [("en", True), ("de", True), ("fr", False), ("", True)])
def test_a_page_whose_language_is_not_known_stays(language, is_wanted):
    allowed = SourceSettings(languages="EN, de")
    assert (allowed.refusal("https://a.example/", language=language) == "") is is_wanted


@pytest.mark.parametrize(
    ("url", "is_wanted"), [("https://a.ch", True), ("https://a.com", True), ("https://a.de", False)]
)
def test_only_a_site_of_another_region_is_left_out(url, is_wanted):
    assert (SourceSettings(regions="ch").refusal(url) == "") is is_wanted


def test_sites_are_known_with_what_lies_under_them():
    allowed = SourceSettings(
        priority_domains=["https://www.nist.gov/x"], excluded_domains="ads.example, ads.example"
    )
    assert allowed.is_priority("https://pages.nist.gov/800-63-4")
    assert not allowed.is_priority("https://notnist.gov/")
    assert allowed.excluded_domains == ["ads.example"]
    assert "ads.example" in allowed.site_refusal("https://cdn.ads.example/a")


def test_a_run_that_asks_for_nothing_refuses_nothing():
    assert SourceSettings().refusal("https://a.example/", "1999", SourceType.BLOG, "fr") == ""
