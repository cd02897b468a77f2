"""Requests and responses as agents exchange them: every spelling that is read, and what each is published as."""

import jsonschema
import pytest
from pydantic import ValidationError

from research.pipelines.technical.technical_config import parse_config
from research.pipelines.technical.technical_research_request import ResearchRequest, ResearchResponse

FLAT = {
    "requestId": "r-1",
    "type": "comparison",
    "question": "Zustand vs Redux",
    "keywords": ["state"],
    "projectType": "frontend",
    "technologies": ["Zustand", "Redux"],
    "specificProblem": "Too much boilerplate.",
    "recency": "latest",
    "sourcePreference": ["official", "github"],
    "depth": "quick",
    "maxResults": 5,
    "includeCodeExamples": True,
    "includeDiagrams": False,
    "synthesize": True,
    "format": "json",
}
GROUPED = {
    "request_id": "r-1",
    "query_type": "comparison",
    "query": {
        "question": "Zustand vs Redux",
        "keywords": ["state"],
        "context": {
            "project_type": "frontend",
            "technologies": ["Zustand", "Redux"],
            "specific_problem": "Too much boilerplate.",
        },
    },
    "filters": {
        "recency": "latest",
        "sources": ["official-docs", "github"],
        "depth": "quick",
        "max_results": 5,
    },
    "output": {"include_code": True, "include_diagrams": False, "synthesize": True, "format": "json"},
}


@pytest.mark.parametrize("given", [FLAT, GROUPED])
def test_a_request_is_read_however_it_is_spelled(given):
    request = ResearchRequest.model_validate(given)
    assert request == ResearchRequest.model_validate(FLAT)
    config = parse_config(request.config)
    assert (config.request_id, config.type, config.max_results) == ("r-1", "comparison", 5)
    assert (config.problem, config.include_code) == ("Too much boilerplate.", True)


def test_a_request_keeps_to_its_schema_in_both_directions():
    schema = ResearchRequest.model_json_schema(by_alias=True)
    jsonschema.validate(FLAT, schema)
    dumped = ResearchRequest.model_validate(GROUPED).model_dump(mode="json", by_alias=True)
    jsonschema.validate(dumped, schema)
    assert ResearchRequest.model_validate(dumped) == ResearchRequest.model_validate(FLAT)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "question"),
        ({"question": "Q?", "colour": "red"}, "colour"),
        ({"question": "Q?", "type": "poem"}, "type"),
        ({"question": "Q?", "filters": {"maxResults": 500}}, "max_results"),
    ],
)
def test_what_is_wrong_with_a_request_is_named(given, words):
    with pytest.raises(ValidationError, match=words):
        ResearchRequest.model_validate(given)


def test_only_what_is_given_goes_before_the_defaults():
    assert ResearchRequest.model_validate({"query": "Which Python?"}).config == {}


def test_a_response_has_a_schema_in_the_names_of_the_request():
    names = ResearchResponse.model_json_schema(by_alias=True, mode="serialization")["properties"]
    assert {
        "requestId",
        "status",
        "results",
        "codeExamples",
        "keyFindings",
        "followUpQueries",
    } <= names.keys()
