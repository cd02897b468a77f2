"""Briefs by a model's server, from the task's result to the brief: in one call, or by rules where it fails."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from citations.models import Warning
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import BriefRecord, ModelCall, Run, State
from research.pipelines.brief.start_brief import BriefInput, start_brief
from research.pipelines.brief.stored_brief import Brief, own_of
from tests.briefs.making import EIGHT, NIST, ROTATION, result
from tests.fakes import openai_answers as fake
from tests.fakes.openai_answers import Request
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import scribe
from tests.pipelines.stepping import go_on

IMAGE = {"content_type": "image", "existing_content": "A padlock on a grey wall."}
Make = Callable[..., tuple[Run, Brief]]


def answer(_request: Request) -> dict[str, object]:
    """Two claims with their words, one that nobody wrote, and edits: of the first, of that one, of none."""
    said = (
        ("Passwords need at least 8 characters.", EIGHT),
        ("Frequent rotation breeds poor choices.", ROTATION),
    )
    claims = [_claim(text, number, quote) for number, (text, quote) in enumerate(said, start=1)]
    claims.append(_claim("Passwords need a capital letter.", 1, fake.INVENTED_QUOTE))
    edits = [_edit("eight digits", 1), _edit("a capital letter", 3), _edit("a calendar", 44)]
    return {"claims": claims, "edits": edits}


def _claim(text: str, number: int, quote: str) -> dict[str, object]:
    quotes = [{"evidence": number, "quote": quote}]
    return {"text": text, "category": "factual", "actionable": True, "quotes": quotes}


def _edit(value: str, *claims: int) -> dict[str, object]:
    return {"target": "base_prompt", "action": "add", "value": value, "reasoning": "So.", "claims": claims}


@pytest.fixture(scope="module")
def model(account: PersonalAccount, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture
def make(account: PersonalAccount, model: FakeOpenAI) -> Make:
    def make_brief(
        behaviour: fake.Behaviour, *, task: str = "", engine: str = "auto", **context: str
    ) -> tuple[Run, Brief]:
        """Make a brief of a task of its own: nothing is known of it."""
        model.default = behaviour
        given = result(run_id=task or f"trun_{uuid4().hex}")
        asked = BriefInput.model_validate({"result": given, "context": context})
        with tenant_context(account.tenant_id):
            run = start_brief(owner=account.user, asked=asked, config={"engine": engine})
        run = go_on(run)
        assert run.state == State.COMPLETED, run.failure_message
        with tenant_context(account.tenant_id):
            own = own_of(run)
        assert own is not None
        assert own.brief is not None
        return run, own.brief

    return make_brief


def calls(account: PersonalAccount, run: Run) -> int:
    with tenant_context(account.tenant_id):
        return ModelCall.objects.filter(run=run).count()


def test_a_model_drafts_in_one_call_what_the_evidence_says(account: PersonalAccount, make: Make) -> None:
    run, brief = make(scribe(brief=answer))
    assert (brief.engine, calls(account, run)) == ("model", 1)
    texts = [claim.text for claim in brief.key_claims]
    assert texts[:2] == ["Passwords need at least 8 characters.", "Frequent rotation breeds poor choices."]
    assert "Passwords need a capital letter." not in texts
    assert brief.key_claims[0].evidence[0].url == NIST
    assert brief.key_claims[0].evidence[0].quote == EIGHT
    assert brief.prompt_edits == []


def test_the_same_input_is_not_asked_about_again(account: PersonalAccount, make: Make) -> None:
    _run, first = make(scribe(brief=answer), task="trun_again")
    run, second = make(fake.refusal(), task="trun_again")
    assert (second.model_dump_json(), calls(account, run)) == (first.model_dump_json(), 0)


def test_only_an_image_that_is_there_gets_edits_each_with_its_claims(make: Make) -> None:
    _run, brief = make(scribe(brief=answer), **IMAGE)
    assert [(edit.value, edit.supporting_claims) for edit in brief.prompt_edits] == [("eight digits", [1])]
    known = {claim.number for claim in brief.key_claims}
    assert all(set(edit.supporting_claims) <= known for edit in brief.prompt_edits)
    _run, new = make(scribe(brief=answer), content_type="image")
    assert new.prompt_edits == []


@pytest.mark.parametrize("fault", [fake.refusal(), fake.error(500)], ids=["refused", "broken"])
def test_where_the_model_fails_rules_draft_and_are_trusted_less(
    account: PersonalAccount, make: Make, fault: fake.Behaviour
) -> None:
    run, brief = make(fault)
    _run, ruled = make(fake.refusal(), engine="extractive")
    assert (brief.engine, ruled.engine) == ("fallback", "extractive")
    assert [(claim.text, claim.confidence) for claim in brief.key_claims] == [
        (claim.text, pytest.approx(0.8 * claim.confidence, abs=1e-4)) for claim in ruled.key_claims
    ]
    with tenant_context(account.tenant_id):
        own = own_of(run)
        assert own is not None
        assert not BriefRecord.objects.filter(input_hash=own.input_hash).exists()
        assert Warning.objects.filter(run=run, code="B005").exists()
