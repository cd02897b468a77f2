"""With a model a report has what it has without one, part by part, whatever the model answers."""

from collections.abc import Iterator

import pytest

from exports.document.document_tree import Document
from research.llm.model_process import close_model_process
from tests.fakes import openai_answers as fake
from tests.fakes.openai_server import FakeOpenAI
from tests.often import one_in
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import blocks, get_form_name, scribe
from tests.pipelines.scribe import claims as scribe_claims
from tests.pipelines.scribe import section as scribe_section

TWO_PARTS = "What seasonal performance factor must a heat pump reach, and how much of the cost does the subsidy cover?"


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(autouse=True)
def fresh_model_process(model) -> None:
    """Forget refusals of the test before, so that their services are asked again."""
    close_model_process()


@pytest.fixture(scope="module")
def without(ask_in_library, model) -> Document:
    return ask_in_library(QUESTION, engine="extractive")


def list_claims_by_heading(document: Document) -> dict[str, list[str]]:
    """The texts of the claims by heading."""
    return {section.heading: [claim.text for claim in section.claims] for section in document.sections}


def holds(document: Document, floor: Document) -> bool:
    """Every section of the floor is there, and begins with its claims."""
    found, wanted = list_claims_by_heading(document), list_claims_by_heading(floor)
    return all(found.get(heading, [])[: len(texts)] == texts for heading, texts in wanted.items())


def invent(request) -> dict:
    """Quotes that stand nowhere."""
    drafted = scribe_claims(request)
    for claim in drafted["claims"]:
        claim["quote"] = claim["text"] = f"{fake.INVENTED_QUOTE} {claim['passage']}"
    return drafted


def answer_half(request) -> dict:
    """Notes for every second source alone."""
    return scribe_claims(request) if request.number % 2 else {"claims": []}


def ramble(request) -> dict:
    """A draft in the wrong order, of claims that are not there, with prose that nobody asked for."""
    texts = [" ".join(text.split()) for _labels, text in blocks(request)]
    told = [{"claim": len(texts) - place, "text": text} for place, text in enumerate(reversed(texts))]
    noise = {"claim": 0, "text": "Everybody knows that 97 percent of it is magic."}
    return {"paragraphs": [{"sentences": [noise, {"claim": 99, "text": "Nothing."}, *told]}]}


BEHAVIOURS = {
    "nonsense": fake.text("Blah blah, the heat is a pump of 12 subsidies."),
    "no notes": scribe(claims=lambda request: {"claims": []}),
    "half of the notes": scribe(claims=answer_half),
    "invented quotes": scribe(claims=invent),
    "a rambling writer": scribe(section=ramble),
    "an empty writer": scribe(section=lambda request: {"paragraphs": []}),
    "a verifier that denies all": scribe(
        opinion=lambda request: {"verdict": "contradicted", "quote": "", "reason": "No."}
    ),
}


@pytest.mark.parametrize("name", one_in(3, BEHAVIOURS))
def test_the_answer_is_never_less_than_without_a_model(name: str, ask_in_library, model, without):
    model.default = BEHAVIOURS[name]
    document = ask_in_library(QUESTION)
    assert document.status == without.status == "done"
    assert holds(document, without)
    assert [one.text for one in document.answer] == [one.text for one in without.answer]


def test_each_part_of_a_question_keeps_its_claims(ask_in_library, model):
    floor = ask_in_library(TWO_PARTS, engine="extractive")
    model.default = BEHAVIOURS["invented quotes"]
    document = ask_in_library(TWO_PARTS)
    assert len(floor.answer) > 1
    assert holds(document, floor)


def test_what_a_good_model_notes_is_added_behind(ask_in_library, model, without):
    model.default = scribe()
    document = ask_in_library(QUESTION)
    known = {claim.text for claim in without.claims}
    added = [claim for claim in document.claims if claim.text not in known]
    assert holds(document, without)
    assert all(claim.citations for claim in added)
    assert document.engine == "model"


def test_a_model_searches_for_what_rules_search_for_too(ask_in_library, model, without):
    model.default = scribe()
    assert set(without.queries) <= set(ask_in_library(QUESTION).queries)


def test_a_restatement_that_points_back_gives_way_to_the_claim(ask_in_library, model, without):
    def point_back(request) -> dict:
        drafted = scribe_section(request)
        for sentence in drafted["paragraphs"][0]["sentences"]:
            sentence["text"] = f"It {sentence['text'][0].lower()}{sentence['text'][1:]}"
        return drafted

    model.default = scribe(section=point_back)
    assert holds(ask_in_library(QUESTION), without)


def test_a_table_or_steps_are_not_given_to_a_writer(ask_in_library, model):
    model.requests.clear()
    model.default = scribe()
    question = "How do Building Policy Guide 1.0 and Building Policy Guide 2.0 compare on the subsidy?"
    document = ask_in_library(question)
    tables = sum(any(block.table for block in section.blocks) for section in document.sections)
    written = sum(get_form_name(request) == "SectionAnswer" for request in model.requests)
    assert written <= len(document.sections) - tables
