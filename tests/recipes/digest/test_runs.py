"""A digest from its file to the tree that pages and files draw."""

import pytest

from exports.build import build_document
from research.digests import read_file, start_digest
from research.models import State
from research.recipes.digest.result import Digest
from research.tenancy import tenant_context
from tests.recipes.digest.threads import OUTLETS, as_file
from tests.recipes.stepping import go_on


def digest_of(account, thread, **config):
    with tenant_context(account.tenant_id):
        run = start_digest(owner=account.user, asked=read_file("t.json", as_file(thread)), config=config)
    run = go_on(run)
    with tenant_context(account.tenant_id):
        return run, Digest.model_validate(run.outcome["own"]), build_document(run.pk)


@pytest.fixture(scope="module")
def outlets(account):
    return digest_of(account, OUTLETS)


def test_a_discussion_becomes_a_digest(outlets):
    run, digest, document = outlets
    assert (run.state, digest.status, document.status) == (State.COMPLETED, "ok", "done")
    assert [one.heading for one in document.sections] == ["Summary", "Highlights", "Cautions"]
    assert digest.summary
    assert digest.cautions
    assert digest.prompt_version == "digest.rules.v1"
