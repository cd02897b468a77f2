"""Whatever a model's server does, a report is finished, or fails by name with what it has; nothing invented gets in."""

import threading
from collections.abc import Iterator

import pytest

from citations.models import Citation
from exports.document.document_tree import Document
from research.db.tenancy import tenant_context
from research.llm.model_process import close_model_process
from research.models import Run, State, Step
from tests.fakes import openai_answers as fake
from tests.fakes.openai_server import FakeOpenAI
from tests.often import IS_FULL
from tests.pipelines.conftest import QUESTION
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import ANSWERS, get_form_name, scribe

FAULTS = {
    "rate limited": fake.rate_limited("0"),
    "server error": fake.error(500),
    "not allowed": fake.error(401),
    "dropped connection": fake.drop_connection(),
    "cut off answer": fake.cut_off(),
    "half answer": fake.half_answer(),
    "invalid JSON": fake.invalid_json(),
    "schema violation": fake.schema_violation(),
    "invented sources and quotes": fake.invent_sources(),
    "echoed injection": fake.echo_injection(),
    "very long output": fake.very_long(),
    "empty choices": fake.empty_choices(),
    "refusal": fake.refusal(),
    "no JSON at all": fake.not_json(),
    "calls of tools that it was not given": fake.tool_calls(("search", {"queries": ["heat pumps"]})),
}
ALONE = list(FAULTS) if IS_FULL else list(FAULTS)[::6]  # all of them are in the mixtures
LIES = (fake.INVENTED_QUOTE, fake.INVENTED_ID, fake.INJECTION, "invented.example")


@pytest.fixture(scope="module")
def model(library: str, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


def join_all_texts(document: Document) -> str:
    return " ".join(
        [
            *document.summary,
            *(
                sentence.text
                for part in document.sections
                for block in part.blocks
                for sentence in block.sentences
            ),
            *(cited.quote for claim in document.claims for cited in claim.citations),
        ]
    )


def check(document: Document, account) -> None:
    """The report is done or honest about itself, and every quote is a source's."""
    with tenant_context(account.tenant_id):
        run = Run.objects.get(pk=document.run_id)
        rows = list(Citation.objects.filter(claim__run=run).select_related("source__content"))
    assert run.state == State.COMPLETED or run.failure_code
    assert all(row.quote == row.source.text[row.start_offset : row.end_offset] for row in rows)
    assert all(claim.citations for claim in document.claims)
    assert not [lie for lie in LIES if lie in join_all_texts(document)]


@pytest.mark.parametrize("name", ALONE)
def test_a_model_that_only_fails_leaves_the_work_to_the_rules(name: str, ask_in_library, account, model):
    model.default = FAULTS[name]
    document = ask_in_library(QUESTION, max_quotes=4, target_sources=3)
    check(document, account)
    assert document.status == "done"
    assert any("3.0" in claim.text for claim in document.claims)


def test_a_plan_that_names_nothing_to_look_for_is_drawn_by_rules(ask_in_library, account, model):
    model.default = scribe(plan=lambda request: {"goal": "", "subtopics": [], "outline": []})
    document = ask_in_library(QUESTION, max_quotes=2, target_sources=2)
    with tenant_context(account.tenant_id):
        step = Step.objects.get(run=document.run_id, handler="report.draft_plan")
    assert step.output["fallback"]["code"] == "LLM_INVALID_OUTPUT"
    assert step.output["subtopics"]


@pytest.mark.parametrize("form", ["PlanAnswer", "ClaimsAnswer", "SectionAnswer"])
def test_a_role_that_fails_says_so_and_is_trusted_less(form: str, ask_in_library, account, model):
    broken, well = fake.refusal(), scribe()
    model.default = lambda request: (broken if get_form_name(request) == form else well)(request)
    document = ask_in_library(QUESTION, max_quotes=4, target_sources=3)
    check(document, account)
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=document.run_id, output__has_key="fallback")
        codes = {step.output["fallback"]["code"] for step in steps}
        confidence = Run.objects.get(pk=document.run_id).plan["confidence"]
    assert codes == {"LLM_REFUSED"}
    lessened = [
        claim for claim in document.claims if any("rules were used instead" in cap for cap in claim.caps)
    ]
    assert len(lessened) == (0 if form == "PlanAnswer" else len(document.claims))
    assert (confidence <= 0.8) == (form == "PlanAnswer")


@pytest.mark.parametrize("seed", range(60 if IS_FULL else 2))
def test_a_model_that_fails_now_and_then_still_gives_a_sound_report(
    seed: int, ask_in_library, account, model
):
    model.default = fake.mixture(0.3, list(FAULTS.values()), seed=seed, otherwise=scribe())
    check(ask_in_library(QUESTION, max_quotes=6, target_sources=4), account)


def spoilt(said: object) -> object:
    """Return the answer with characters in every text that no row can hold."""
    match said:
        case str():
            return f"\x00{said[:3]}\ud800\u200b{said[3:]}\udfff"
        case list():
            return [spoilt(one) for one in said]
        case dict():
            return {name: spoilt(one) for name, one in said.items()}
    return said


def test_characters_that_no_row_can_hold_come_from_models_and_reach_none(ask_in_library, account, model):
    forms = {"plan": "PlanAnswer", "claims": "ClaimsAnswer", "section": "SectionAnswer", "opinion": "Opinion"}
    model.default = scribe(
        **{name: lambda request, form=form: spoilt(ANSWERS[form](request)) for name, form in forms.items()}
    )
    document = ask_in_library(QUESTION, max_quotes=4, target_sources=3)
    check(document, account)
    assert (document.status, document.engine) == ("done", "model")
    with tenant_context(account.tenant_id):
        steps = Step.objects.filter(run=document.run_id)
        assert not steps.filter(output__has_any_keys=["failures", "fallback"]).exists()


def test_a_model_that_never_answers_is_not_waited_for(ask_in_library, account, model, settings):
    settings.PLUMBLINE_MODEL_TIMEOUT_SECONDS = 0.3
    close_model_process()  # the next one is made with this limit
    model.default = fake.hold_answer(threading.Event())
    document = ask_in_library(QUESTION, max_quotes=4, target_sources=3)
    close_model_process()
    check(document, account)
    assert document.status == "done"
