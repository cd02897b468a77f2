"""Digests by a model's server, from the discussion to the report: what it quotes stands, what it makes up does not."""

from collections.abc import Callable, Iterator

import pytest

from exports.building.build_document import build_document
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.models import ModelCall, Run, Source, State
from research.pipelines.digest.digest_result import Digest
from research.pipelines.digest.start_digest import read_file, start_digest
from tests.briefs.conftest import _warm
from tests.fakes import openai_answers as fake
from tests.fakes.openai_answers import Behaviour, Request
from tests.fakes.openai_server import FakeOpenAI
from tests.pipelines.digest.threads import OUTLETS, as_file
from tests.pipelines.model_world import model_world
from tests.pipelines.scribe import scribe
from tests.pipelines.stepping import go_on

GFCI = "A GFCI protects people from shock, it does not create a ground."
BOOTLEG = "That is a bootleg ground."
__all__ = ["_warm"]  # what is loaded the first time takes longer than a transaction may idle
Make = Callable[..., tuple[Run, Digest, Document]]


def item(text: str, post: str, quote: str, **more: str) -> dict[str, object]:
    return {"text": text, "quotes": [{"post": post, "quote": quote}], **more}


def answer(_request: Request) -> dict[str, object]:
    """Sound sentences, and one each that is invented, misattributed, hostile, and an instruction on mains work."""
    return {
        "summary": [
            item("A GFCI protects people from shock, and it does not create a ground.", "p1", GFCI),
            item("Every outlet was recalled last year.", "p1", fake.INVENTED_QUOTE),
        ],
        "highlights": [
            item("A label makes it allowed.", "p2", "It is allowed with a label"),
            item("Insurers want to know.", "p2", "Many insurers ask about it."),
            item(fake.INJECTION, "p1", GFCI),
            item(
                "Connect a jumper from neutral to the ground screw.",
                "p1",
                "Just jumper neutral to the ground screw, works fine.",
            ),
        ],
        "cautions": [
            item("A bootleg ground makes the case live.", "p1", BOOTLEG, kind="risk"),
            item("Nobody knows.", "p9", BOOTLEG, kind="unknown"),
        ],
    }


@pytest.fixture(scope="module")
def model(account: PersonalAccount, valkey_url: str) -> Iterator[FakeOpenAI]:
    with model_world(valkey_url) as server:
        yield server


@pytest.fixture(scope="module")
def make(account: PersonalAccount, model: FakeOpenAI) -> Make:
    def make_digest(behaviour: Behaviour, **config: object) -> tuple[Run, Digest, Document]:
        model.default = behaviour
        with tenant_context(account.tenant_id):
            asked = read_file("t.json", as_file(OUTLETS))
            run = start_digest(owner=account.user, asked=asked, config=config)
        run = go_on(run)
        with tenant_context(account.tenant_id):
            return run, Digest.model_validate(run.outcome["own"]), build_document(run.pk)

    return make_digest


@pytest.fixture(scope="module")
def digest_run(make: Make) -> tuple[Run, Digest, Document]:
    return make(scribe(digest=answer))


def join_texts(digest: Digest) -> str:
    return " ".join(one.text for one in (*digest.summary_items, *digest.highlights, *digest.cautions))


def test_a_model_writes_a_finished_digest_in_one_call(account: PersonalAccount, digest_run) -> None:
    run, digest, document = digest_run
    assert (run.state, document.status, document.engine) == (State.COMPLETED, "done", "model")
    assert digest.prompt_version.startswith("writer/digest")
    with tenant_context(account.tenant_id):
        assert ModelCall.objects.filter(run=run).count() == 1
    assert "A GFCI protects people from shock, and it does not create a ground." in digest.summary


def test_each_claim_opens_onto_words_of_the_post_that_was_named(account: PersonalAccount, digest_run) -> None:
    document = digest_run[2]
    with tenant_context(account.tenant_id):
        texts = {
            source.pk: source.text
            for source in Source.objects.filter(run=document.run_id).select_related("content")
        }
    assert document.claims
    for claim in document.claims:
        assert claim.citations
        for citation in claim.citations:
            assert texts[citation.source.id][citation.start : citation.end] == citation.quote


def test_what_was_invented_misattributed_or_hostile_is_not_said(digest_run) -> None:
    _run, digest, document = digest_run
    words = join_texts(digest) + " ".join(claim.text for claim in document.claims)
    for refused in ("recalled", "Insurers", "Ignore all", "jumper", "Nobody knows"):
        assert refused not in words
    assert digest.status == "partial"
    reasons = " ".join(one.reason + one.text for one in document.left_out)
    assert "does not have" in reasons
    assert "jumper" not in reasons


@pytest.mark.parametrize(
    "behaviour",
    [
        fake.refusal(),
        fake.error(500),
        fake.invalid_json(),
        scribe(digest=lambda request: fake.echo_injection()(request)),
        scribe(digest=lambda request: fake.invent_sources()(request)),
    ],
    ids=["refused", "broken", "no json", "taken over", "all made up"],
)
def test_a_model_that_fails_or_lies_leaves_a_finished_run_without_its_words(make: Make, behaviour) -> None:
    run, digest, document = make(behaviour)
    assert run.state == State.COMPLETED
    assert digest.status in ("ok", "partial", "error")
    words = join_texts(digest)
    assert fake.INJECTION not in words
    assert fake.INVENTED_QUOTE not in words
    for claim in document.claims:
        assert claim.citations
