"""The shapes in which results and contexts come in, and in which briefs go out: each checked against its schema."""

import json

import pytest
from jsonschema import Draft202012Validator

from research.db.tenancy import tenant_context
from research.pipelines.brief.brief_config import BriefContext, complete_context
from research.pipelines.brief.research_brief import ResearchBrief, to_research_brief
from research.pipelines.brief.start_brief import BriefInput, read_file
from tests.briefs.making import make_brief, result, start
from tests.briefs.results import BRIEFS, OrderedBrief
from tests.people import Person

CAMEL = {
    "contentId": "c-7",
    "originalQuery": "Which kitchen?",
    "contentType": "image",
    "existingContent": "kitchen, harsh flash",
    "userComments": ["too cold", {"text": "more wood"}],
}


def faults(model: type, value: object, mode: str = "validation") -> list[str]:
    schema = model.model_json_schema(mode=mode)
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


def test_a_context_in_camel_case_with_a_list_of_comments_is_read() -> None:
    [asked] = [read_file("r.json", json.dumps({"result": result(), "context": CAMEL}).encode())]
    assert asked.context == BriefContext(
        content_id="c-7",
        original_query="Which kitchen?",
        content_type="image",
        existing_content="kitchen, harsh flash",
        user_comments="too cold\nmore wood",
    )
    assert asked.context.wants_edits


def test_a_context_in_snake_case_validates_against_the_schema_of_the_input() -> None:
    assert faults(BriefInput, {"result": result(), "context": BriefContext().model_dump()}) == []


@pytest.mark.parametrize("shape", ["flat", "current"])
def test_the_metadata_of_a_task_is_its_context(ada: Person, shape: str) -> None:
    metadata = {
        "contentId": "c-7",
        "content_type": "image",
        "userComments": '["too cold", "more wood"]',
        "other": 3,
    }
    given = (
        result(metadata=metadata)
        if shape == "flat"
        else {
            "run": {"run_id": "trun_1", "status": "completed", "metadata": metadata},
            "output": {"type": "text", "content": "It is cold.", "basis": []},
        }
    )
    run = start(ada, given)
    with tenant_context(ada.tenant.pk):
        assert run.config["context"] == {
            "content_id": "c-7",
            "content_type": "image",
            "user_comments": "too cold\nmore wood",
        }


def test_what_comes_with_the_result_counts_before_its_metadata() -> None:
    given = result(metadata={"content_id": "theirs", "content_type": "nonsense", "original_query": "Why?"})
    assert complete_context(BriefContext(content_id="mine"), given) == BriefContext(
        content_id="mine", original_query="Why?"
    )


@pytest.mark.parametrize("name", ["relevance", "relevance_score", "relevanceScore"])
def test_the_relevance_of_a_citation_is_read_under_each_of_its_names(ada: Person, name: str) -> None:
    cited = [
        {
            "url": "https://www.cisa.gov/a",
            "title": "A",
            "snippet": "Use at least 16 characters for every password.",
            name: 0.91,
        }
    ]
    cited[0]["snippet"] += " Longer ones resist guessing."
    made = make_brief(
        ada, result(citations=cited, excerpts=[], answer="Use at least 16 characters for every password.")
    )
    assert {one.relevance for one in made.own.evidence} == {0.91}


@pytest.mark.parametrize("ordered", BRIEFS, ids=lambda one: one.name)
def test_a_brief_goes_out_as_it_is_documented_and_comes_back(ada: Person, ordered: OrderedBrief) -> None:
    made = make_brief(ada, ordered.result, **ordered.context)
    sent = to_research_brief(made.own, made.brief).model_dump(mode="json")
    assert faults(ResearchBrief, sent, "serialization") == []
    assert {"keyClaims", "suggestedPromptEdits", "metadata", "summary", "confidence"} <= sent.keys()
    assert {"claim", "category", "actionable", "confidence", "evidence"} <= sent["keyClaims"][0].keys()
    assert ResearchBrief.model_validate(sent).model_dump(mode="json") == sent


def test_something_else_is_no_brief() -> None:
    assert faults(ResearchBrief, {"summary": "short", "keyClaims": [{}]})


def test_the_summary_for_programs_is_in_the_language_of_the_answer(ada: Person) -> None:
    answer = (
        "Passwörter müssen mindestens 8 Zeichen haben, und häufiges Wechseln ist schlecht für die Sicherheit."
    )
    snippet = (
        "Passwörter müssen mindestens 8 Zeichen haben, und häufiges Wechseln ist schlecht für die Sicherheit."
    )
    citations = [{"url": "https://www.bsi.bund.de/x", "title": "BSI: Passwörter", "snippet": snippet}]
    made = make_brief(ada, result(answer=answer, citations=citations, excerpts=[]))
    assert "Der Auftrag bewertet sein eigenes Ergebnis" in " ".join(made.brief.summary)
