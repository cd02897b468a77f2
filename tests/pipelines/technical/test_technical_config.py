"""Every setting of a technical question, and the named error of everything else."""

import pytest
from django.conf import settings

from research.models import Run
from research.pipelines.report.report_config import ConfigError, ReportConfig
from research.pipelines.technical.technical_config import (
    QuestionType,
    config_of,
    flat,
    parse_config,
    to_run_config,
)

ALL = {
    "request_id": "r-1",
    "type": "comparison",
    "keywords": "memory, speed",
    "project_type": "backend",
    "technologies": ["pgvector", "Faiss"],
    "problem": "too slow",
    "recency": "latest",
    "prefer": "official, github",
    "depth": "quick",
    "max_results": 5,
    "include_code": False,
    "include_diagrams": True,
    "synthesize": False,
    "format": "json",
}


def test_every_setting_stands_in_the_page_about_it():
    told = (settings.BASE_DIR / "docs" / "technical.md").read_text()
    assert [name for name in ALL if f"`{name}`" not in told] == []


def test_a_question_alone_is_enough():
    config = parse_config({})
    assert (config.type, config.max_results, config.target_sources) == (QuestionType.DOCUMENTATION, 10, 20)


def test_everything_that_can_be_set_comes_back_as_it_was_set():
    config = parse_config(ALL)
    again = config_of(Run(config=to_run_config(config)))
    assert again == config
    assert (again.keywords, again.target_sources) == (["memory", "speed"], 10)
    assert parse_config(flat(to_run_config(config))) == config


def test_a_report_reads_the_same_configuration():
    assert ReportConfig.model_validate(to_run_config(parse_config(ALL))).target_sources == 10


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"type": "poem"}, "type"),
        ({"depth": "exhaustive"}, "depth"),
        ({"max_results": 0}, "max_results"),
        ({"max_results": 51}, "max_results"),
        ({"max_results": "many"}, "max_results"),
        ({"max_results": "²"}, "max_results"),
        ({"max_results": "9" * 5_000}, "max_results"),
        ({"recency": "2020"}, "recency"),
        ({"project_type": "garden"}, "project_type"),
        ({"prefer": "reddit"}, "prefer"),
        ({"technologies": "Faiss, faiss"}, "technologies"),
        ({"keywords": ["x" * 101]}, "keywords"),
        ({"keywords": ["k"] * 21}, "keywords"),
        ({"problem": "x" * 2_001}, "problem"),
        ({"request_id": "x" * 101}, "request_id"),
        ({"format": "pdf"}, "format"),
        ({"colour": "red"}, "colour"),
        ({"own": {"type": "comparison"}}, "own"),
        ({"sources": "web"}, "sources"),
    ],
)
def test_every_bad_setting_is_named(given, named, settings):
    settings.PLUMBLINE_PROVIDERS = ()
    with pytest.raises(ConfigError, match=named):
        parse_config(given)


def test_recency_becomes_what_a_choice_of_sources_knows():
    assert parse_config({"recency": "latest"}).recency_bias == "recent"
    assert len(parse_config({"recency": "year"}).published_from) == len("2026-01-01")
