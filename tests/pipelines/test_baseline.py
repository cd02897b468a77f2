"""`manage.py evaluate report` with a model, and beside it the same model in one call."""

import json
from collections.abc import Iterator
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from research.evaluation.evaluation_of_reports import ReportContents
from research.evaluation.one_call_baseline import (
    BaselineSpend,
    CitedSentence,
    SystemAnswer,
    grounding,
    is_valid,
)
from research.models import Content, Source
from tests.fakes import openai_answers as fake
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import get_form_name, scribe

GOLD = {
    "answerable": [
        {
            "id": "A1",
            "question": QUESTION,
            "evidence": [
                {"doc": "policy-guide-2.0.txt", "sentence": "seasonal performance factor of at least 3.0"}
            ],
        }
    ]
}
TEXT = "The subsidy covers 30 percent of the cost. Owners must replace oil boilers within 20 years."


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture
def evaluate_gold(library, tmp_path, monkeypatch):
    """Print the figures of the small gold file."""
    monkeypatch.setattr("config.services.embedded.build_embedded_services", list)
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(GOLD))

    def evaluate(*options: str) -> dict:
        out = StringIO()
        command = ["evaluate", "report", "--library", library, "--gold", str(gold), *options]
        call_command(*command, stdout=out, stderr=StringIO())
        return json.loads(out.getvalue())

    return evaluate


def test_recipe_and_one_call_are_counted_alike(evaluate_gold, model):
    found = evaluate_gold("--engine", "model", "--baseline")
    mine, other = found["grounding"], found["baseline"]["grounding"]
    assert (found["recall"], found["baseline"]["recall"]) == (1.0, 1.0)
    assert mine["precision"] == 1.0 > other["precision"]
    assert other["valid"] == other["citations"] - 1
    assert found["baseline"]["misquoted"] == 1
    assert found["baseline"]["quotes"] == other["citations"] - 1
    assert mine["calls"] > 1 == other["calls"]
    assert min(mine["tokens_input"], other["tokens_input"]) > 100
    assert mine["usd"] == 0.0 == other["usd"]


def test_a_baseline_that_fails_is_counted_as_a_failure(evaluate_gold, model):
    broken, well = fake.refusal(), scribe()
    model.default = lambda request: (broken if get_form_name(request) == "BaselineAnswer" else well)(request)
    other = evaluate_gold("--baseline")["baseline"]
    assert (other["grounding"]["failures"], other["recall"]) == (1, 0.0)
    model.default = scribe()


def test_without_a_model_there_is_nothing_to_compare(evaluate_gold, settings):
    settings.PLUMBLINE_MODEL_BASE_URL = settings.PLUMBLINE_MODEL_API_KEY = ""
    with pytest.raises(CommandError, match="No model is configured"):
        evaluate_gold("--baseline")


def source() -> Source:
    return Source(title="A guide", content=Content(pk=uuid4(), text=TEXT))


def test_a_citation_is_valid_whose_quote_carries_the_sentence():
    assert is_valid(CitedSentence("The subsidy covers 30 percent of the cost.", TEXT[:42], source()))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The subsidy covers 80 percent of the cost.", TEXT[:42]),
        ("The subsidy covers 30 percent of the cost.", "Nobody ever wrote these words."),
    ],
)
def test_one_whose_quote_does_not_stand_or_does_not_carry_it_is_not(text: str, quote: str):
    assert not is_valid(CitedSentence(text, quote, source()))


def test_a_citation_of_what_is_no_source_is_not_valid():
    assert not is_valid(CitedSentence(TEXT[:42], TEXT[:42], None))


def outcome(citations: int, valid: int, usd: float | None = 0.5) -> SystemAnswer:
    return SystemAnswer(ReportContents(False, ()), citations, valid, BaselineSpend(2, 10, 5, usd))


def test_figures_are_summed_over_questions():
    found = grounding([outcome(3, 3), outcome(1, 0)])
    assert (found.citations, found.valid, found.precision) == (4, 3, 0.75)
    assert (found.calls, found.tokens_input, found.tokens_output, found.usd) == (4, 20, 10, 1.0)


def test_an_unknown_price_makes_the_whole_unknown():
    assert grounding([outcome(1, 1), outcome(1, 1, None)]).usd is None


def test_without_citations_there_is_no_precision():
    assert grounding([outcome(0, 0)]).precision is None
