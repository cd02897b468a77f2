"""The configuration of a report: what it takes for given, and what it refuses, each at its name."""

from datetime import UTC, datetime

import pytest

from research.pipelines.report.report_config import DEPTHS, ConfigError, ReportConfig, parse_config

BAD = [
    ({"depth": "bottomless"}, "depth"), ({"published_from": "2024-13"}, "published_from"),
    ({"published_to": "2023-02-29"}, "published_to"),
    ({"target_sources": 0}, "target_sources"), ({"target_sources": 501}, "target_sources"),
    ({"pages_per_source": 0}, "pages_per_source"), ({"confidence_threshold": 1.1}, "confidence_threshold"),
    ({"regions": ["mars"]}, "regions.0"), ({"languages": "english"}, "languages.0"), ({"dois": ["10.1/x"]}, "dois.0"),
    ({"documents": ["a"]}, "documents.0"), ({"excluded_domains": ["a b"]}, "excluded_domains.0"),
    ({"recency_bias": "old"}, "recency_bias"), ({"published_to": "soon"}, "published_to"),
    ({"colour": "red"}, "colour"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("depth", "sources"), [("quick", 10), ("standard", 30), ("comprehensive", 75), ("exhaustive", 200)]
)
def test_a_depth_says_how_many_sources(depth, sources):
    assert DEPTHS[depth] == sources
    assert ReportConfig(depth=depth).target_sources == sources
    assert ReportConfig(depth=depth, target_sources=12).target_sources == 12
    assert parse_config({"depth": depth, "target_sources": ""}).target_sources == sources


@pytest.mark.parametrize(("target", "minimum"), [(30, 15), (31, 16), (1, 1), (10, 5)])
def test_half_of_the_sources_is_the_minimum(target, minimum):
    assert ReportConfig(target_sources=target).minimum_sources == minimum


@pytest.mark.parametrize(("values", "name"), BAD, ids=[name for _, name in BAD])
def test_what_cannot_be_is_refused_at_its_name(values, name):
    with pytest.raises(ConfigError) as refused:
        parse_config(values)
    [complaint] = refused.value.complaints
    assert complaint.name == name
    assert str(refused.value).startswith(f"{name}: ")


def test_more_sources_than_the_operator_allows_are_refused(settings):
    settings.PLUMBLINE_LIMITS = {**settings.PLUMBLINE_LIMITS, "sources": (50,)}
    with pytest.raises(ConfigError, match="at most 50 sources"):
        parse_config({"target_sources": 51})


@pytest.mark.parametrize(
    ("first", "last"), [("2025", "2024"), ("2024-07", "2024-06-30"), ("2024-07", "2024-06")]
)
def test_dates_that_hold_nothing_are_refused(first, last):
    with pytest.raises(ConfigError, match="lies after"):
        parse_config({"published_from": first, "published_to": last})


@pytest.mark.parametrize(
    ("first", "last"), [("2024", "2024-06"), ("2024-06-30", "2024-06"), ("2024", ""), ("", "2024")]
)
def test_dates_that_may_hold_something_are_taken(first, last):
    assert parse_config({"published_from": first, "published_to": last}).published_to == last


def test_who_wants_recent_sources_wants_those_of_a_year():
    wanted = datetime.fromisoformat(ReportConfig(recency_bias="recent").wanted_from).replace(tzinfo=UTC)
    assert 364 <= (datetime.now(tz=UTC) - wanted).days <= 367
    assert ReportConfig(recency_bias="recent", published_from="2020").wanted_from == "2020"
    assert ReportConfig().wanted_from == ""


def test_what_was_stored_is_read_as_it_was_asked():
    asked = parse_config({"depth": "quick", "regions": "ch,eu", "dois": "doi:10.1000/182", "languages": "DE"})
    stored = asked.model_dump(mode="json", exclude_defaults=True)
    assert stored == {
        "depth": "quick", "target_sources": 10, "regions": ["ch", "eu"], "dois": ["10.1000/182"], "languages": ["de"],
    }  # fmt: skip
    assert ReportConfig.model_validate(stored) == asked
