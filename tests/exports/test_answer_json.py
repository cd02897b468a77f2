"""The report as plain data and for a terminal: whoever has only the file learns the same."""

import json

import pytest

from exports.building.build_document import build_document
from exports.export_answer_json import answer
from research.db.tenancy import tenant_context
from research.llm.budgets.budget_degradations import MEASURES, record_degradation
from research.management.commands.research import readable
from tests.people import join
from tests.worlds import make_report


@pytest.fixture
def world(db):
    return make_report(join("ada"))


@pytest.fixture
def scarce(world):
    """Tokens ran short twice."""
    with tenant_context(world.person.tenant.pk):
        for measure in (MEASURES[1], MEASURES[3]):
            record_degradation(world.run.pk, measure)
    return world


def document_of(world):
    with tenant_context(world.person.tenant.pk):
        return build_document(world.run.pk)


def write_and_read(world):
    """Return the answer as it is in the file."""
    return json.loads(json.dumps(answer(document_of(world))))


def test_every_claim_comes_with_the_words_that_it_stands_on(world):
    [trials, costs] = write_and_read(world)["sections"]
    assert [section["heading"] for section in (trials, costs)] == ["Field trials", "Costs"]
    first, second = trials["claims"][0]["citations"]
    assert first["quote"] == "The seasonal factor stayed above two at nine sites."
    assert first["end"] - first["start"] == len(first["quote"])
    assert second["title"] == "Laborstudie"


def test_sources_that_failed_say_why(world):
    failed = [one for one in write_and_read(world)["sources"] if one["status"] == "failed"]
    assert [one["reason"] for one in failed] == ["The file ends too early."]


def test_what_is_weak_or_left_out_is_in_it(world):
    data = write_and_read(world)
    assert [gap["code"] for gap in data["gaps"]] == ["W001"]
    assert [warning["code"] for warning in data["warnings"]] == ["W010"]
    [left_out] = data["left_out"]
    assert left_out == {
        "text": "Electricity rose by 12 percent.",
        "reason": "Off the question.",
        "attribution": "",
    }
    assert [pair["note"] for pair in data["contradictions"]] == ["Measured in different winters."]


def test_what_was_given_up_is_in_it(scarce):
    rows = write_and_read(scarce)["degradations"]
    assert [(row["code"], row["quality_impact"]) for row in rows] == [
        ("shallow_extraction", 0.2),
        ("no_model_verification", 0.4),
    ]
    assert all(row["reason"].endswith(".") for row in rows)


def test_a_run_that_gave_nothing_up_says_nothing_of_it(world):
    assert write_and_read(world)["degradations"] == []
    assert not [line for line in readable(document_of(world)) if line.startswith("!")]


def test_a_reader_at_a_terminal_is_told_what_was_given_up(scarce):
    told = [line for line in readable(document_of(scarce)) if line.startswith("!")]
    assert len(told) == 2
    assert "less deeply" in told[0]


def test_a_terminal_lists_the_sources_by_their_numbers(world):
    listed = [line for line in readable(document_of(world)) if line.startswith("[")]
    assert [line[:3] for line in listed] == ["[1]", "[2]"]
