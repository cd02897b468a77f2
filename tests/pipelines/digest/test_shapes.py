"""The shapes in which discussions come in and digests go out, each checked against its schema."""

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

from research.pipelines.digest.digest_result import Digest, DigestItem, DigestSource
from research.pipelines.digest.fetched_digest_discussion import FetchedPosts
from tests.pipelines.digest.discussions import DISCUSSIONS
from tests.pipelines.digest.threads import OUTLETS

WHOLE = Digest(
    status="ok",
    query="Two-prong outlet",
    summary="Get it checked.",
    summary_items=[DigestItem(text="Get it checked.", posts=["p1"])],
    cautions=[DigestItem(kind="risk", text="It can catch fire.", posts=["p1"], people=2)],
    sources=[DigestSource(post_id="p1", url="https://f.example/p1", subreddit="diy", title="Outlet")],
)


def faults(model: type[BaseModel], value: object, mode: str = "validation") -> list[str]:
    schema = model.model_json_schema(mode=mode)  # type: ignore[arg-type]  # one of two words
    return [error.message for error in Draft202012Validator(schema).iter_errors(value)]


@pytest.mark.parametrize("fetched", [OUTLETS, *(each.fetched for each in DISCUSSIONS)])
def test_discussions_validate_against_the_schema_of_the_input(fetched):
    assert faults(FetchedPosts, fetched) == []


def test_a_digest_validates_against_its_schema_and_comes_back():
    sent = WHOLE.model_dump(mode="json")
    assert faults(Digest, sent, "serialization") == []
    assert Digest.model_validate(sent) == WHOLE


@pytest.mark.parametrize("change", [{"status": "fine"}, {"further": 1}, {"highlights": [{"text": "a"}] * 6}])
def test_something_else_is_no_digest(change):
    value = WHOLE.model_dump(mode="json") | change
    assert faults(Digest, value)
    with pytest.raises(ValidationError):
        Digest.model_validate(value)
