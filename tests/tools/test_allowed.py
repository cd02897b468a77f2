"""What a run's owner lets be read: dates, kinds, domains."""

import pytest

from research.models import SourceType
from research.tools.evidence.allowed import Allowed


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
    allowed = Allowed.model_validate(limits)
    assert (allowed.refusal("https://a.example/", published) == "") is is_wanted


def test_a_page_of_another_kind_is_left_out_with_the_reason():
    allowed = Allowed(source_types=[SourceType.GOVERNMENT])
    assert allowed.refusal("https://a.example/", kind=SourceType.GOVERNMENT) == ""
    assert "news" in allowed.refusal("https://a.example/", kind=SourceType.NEWS)


def test_a_page_of_a_domain_that_the_owner_left_out_is_not_read():
    allowed = Allowed(excluded_domains=["www.a.example"])
    assert "a.example" in allowed.refusal("https://news.a.example/1")
    assert allowed.refusal("https://nota.example/1") == ""
