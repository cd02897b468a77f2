"""Syntheses by a model's server, from the table to the report: claims are bound to rows, and strength is counted."""

from collections.abc import Callable, Iterator

import pytest

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import ModelCall, Run, Source, State
from research.pipelines.synthesis.start_synthesis import read_file, start_synthesis
from research.pipelines.synthesis.synthesis_result import Synthesis
from tests.briefs.conftest import _warm
from tests.fakes import openai_answers as fake
from tests.fakes.openai_answers import Behaviour, Request
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import scribe
from tests.pipelines.stepping import go_on
from tests.pipelines.synthesis.test_runs import STUDIES

BETTER = "Sleep quality was better with the pills."
__all__ = ["_warm"]  # what is loaded the first time takes longer than a transaction may idle
Make = Callable[[Behaviour], tuple[Run, Synthesis, Document]]


def answer(_request: Request) -> dict[str, object]:
    """Claims on one row and on three; others on no row, on rows that are not there, and against what their row says."""
    return {
        "sections": [
            {
                "heading": "What helps sleep",
                "claims": [
                    {"text": BETTER, "rows": [3]},
                    {"text": "Sleep was better after tea.", "rows": [4, 4, 99]},
                    {"text": "The moon is made of cheese.", "rows": []},
                    {"text": "Sleep quality was worse with coffee.", "rows": [77]},
                    {"text": "The virus was found in 19 of 20 cases.", "rows": [1]},
                    {"text": fake.INVENTED_QUOTE, "rows": [2]},
                ],
            }
        ],
        "gaps": ["No study looked at children."],
    }


@pytest.fixture(scope="module")
def model(account: PersonalAccount, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(scope="module")
def make(account: PersonalAccount, model: FakeOpenAI) -> Make:
    def make_synthesis(behaviour: Behaviour) -> tuple[Run, Synthesis, Document]:
        model.default = behaviour
        with tenant_context(account.tenant_id):
            asked = read_file("studies.csv", STUDIES.encode())
            run = start_synthesis(owner=account.user, asked=asked, config={})
        run = go_on(run)
        with tenant_context(account.tenant_id):
            return run, Synthesis.model_validate(run.outcome["own"]), build_document(run.pk)

    return make_synthesis


@pytest.fixture(scope="module")
def synthesis_run(make: Make) -> tuple[Run, Synthesis, Document]:
    return make(scribe(synthesis=answer))


def test_a_model_writes_sections_of_claims_that_their_rows_carry(
    account: PersonalAccount, synthesis_run
) -> None:
    run, own, document = synthesis_run
    assert (run.state, document.status, document.engine) == (State.COMPLETED, "done", "model")
    assert document.sections[0].heading == "What helps sleep"
    texts = [claim.text for claim in document.sections[0].claims]
    assert texts[:2] == [BETTER, "Sleep was better after tea."]
    assert own.prompt_version.startswith("writer/synthesis")
    with tenant_context(account.tenant_id):
        assert ModelCall.objects.filter(run=run).count() == 1


def test_a_claim_without_a_study_is_rejected_and_one_that_its_row_denies_left_out(synthesis_run) -> None:
    _run, own, document = synthesis_run
    assert own.rejected == ["The moon is made of cheese.", "Sleep quality was worse with coffee."]
    texts = " ".join(claim.text for claim in document.claims)
    for refused in ("cheese", "coffee", "19 of 20", fake.INVENTED_QUOTE):
        assert refused not in texts


def test_strength_is_counted_and_badges_open_onto_the_rows(account: PersonalAccount, synthesis_run) -> None:
    document = synthesis_run[2]
    with tenant_context(account.tenant_id):
        rows = Source.objects.filter(run=document.run_id).select_related("content")
        texts = {row.pk: row.text for row in rows}
    for claim in document.sections[0].claims:
        assert (claim.strength, claim.origins) == ("limited", 1)
        for citation in claim.citations:
            assert texts[citation.source.id][citation.start : citation.end] == citation.quote


def test_a_gap_of_the_models_is_shown_as_proposed_beside_what_is_counted(synthesis_run) -> None:
    gaps = {gap.text: gap.computed for gap in (*synthesis_run[2].gaps, *synthesis_run[2].warnings)}
    assert gaps["No study looked at children."] is False
    assert any(gaps.values())


@pytest.mark.parametrize(
    "behaviour",
    [
        fake.refusal(),
        fake.error(500),
        fake.schema_violation(),
        scribe(synthesis=lambda request: fake.echo_injection()(request)),
    ],
    ids=["refused", "broken", "another shape", "taken over"],
)
def test_where_the_model_fails_the_rows_speak(make: Make, behaviour) -> None:
    run, _own, document = make(behaviour)
    assert (run.state, document.status) == (State.COMPLETED, "done")
    assert "Areas of agreement" in [section.heading for section in document.sections]
    assert not any(fake.INJECTION in claim.text for claim in document.claims)
