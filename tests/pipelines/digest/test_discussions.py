"""Ten discussions in varied fields: what a reader wants of each stands in its digest, and nothing that hurts."""

import json

import pytest

from research.evaluation.evaluation_of_digests import run
from research.pipelines.digest.digest_draft import CautionKind, DigestDraft
from research.pipelines.digest.safety import danger_in
from research.pipelines.digest.write_digest_by_rules import write_digest
from tests.pipelines.digest.discussions import DISCUSSIONS, Discussion
from tests.pipelines.digest.test_drafting import sentences, texts_of


def digest_of(discussion: Discussion) -> DigestDraft:
    return write_digest(discussion.query, texts_of(discussion.fetched), 600)


def read_part(draft: DigestDraft, name: str) -> str:
    parts = {
        "leads": [item.text for item in draft.summary] or [draft.cautions[0].items[0].text],
        "chosen": [item.text for item in (*draft.summary, *draft.highlights)],
        "cautions": [item.text for caution in draft.cautions for item in caution.items],
    }
    return "\n".join(parts[name]).casefold()


named = pytest.mark.parametrize("discussion", DISCUSSIONS, ids=lambda one: one.name)


@named
def test_a_digest_says_what_is_wanted(discussion: Discussion) -> None:
    draft = digest_of(discussion)
    if discussion.leads:
        lead = "\n".join(
            [read_part(draft, "leads"), *(item.text.casefold() for item in first_caution(draft))]
        )
        assert any(words.casefold() in lead for words in discussion.leads)
    for words in discussion.cautions:
        assert words.casefold() in read_part(draft, "cautions")


def first_caution(draft: DigestDraft):
    return draft.cautions[0].items if draft.cautions else ()


@named
def test_a_digest_tells_nothing_that_hurts_or_is_refuted(discussion: Discussion) -> None:
    draft = digest_of(discussion)
    everything = "\n".join(sentences(draft)).casefold()
    assert not [words for words in discussion.never if words.casefold() in everything]
    assert not [
        words for words in discussion.not_a_highlight if words.casefold() in read_part(draft, "chosen")
    ]
    assert not [text for text in sentences(draft) if danger_in(text, near=discussion.query)]


@named
def test_what_the_rules_write_is_judged_good(discussion: Discussion) -> None:
    [found] = run([json.dumps({"id": discussion.name, "fetch": discussion.fetched})])
    assert json.loads(found)["faults"] == []


def test_who_says_the_same_is_counted() -> None:
    [tomatoes] = [one for one in DISCUSSIONS if one.name == "tomatoes"]
    assert max(item.people for item in digest_of(tomatoes).summary) > 1


def test_both_sides_of_a_contradiction_stand_side_by_side() -> None:
    [postgres] = [one for one in DISCUSSIONS if one.name == "postgres"]
    [clash] = [one for one in digest_of(postgres).cautions if one.kind is CautionKind.CONTRADICTION]
    claim, answer = clash.items
    assert "go through 16" in claim.text
    assert "any newer major version" in answer.text


def test_where_nobody_answered_nothing_is_told() -> None:
    [empty] = [one for one in DISCUSSIONS if one.name == "empty"]
    assert sentences(digest_of(empty)) == []


def test_of_a_denied_comment_that_may_not_be_repeated_the_denial_leads_the_cautions() -> None:
    [wall] = [one for one in DISCUSSIONS if one.name == "wall"]
    draft = digest_of(wall)
    assert draft.cautions[0].items[0].text.startswith("Hire a structural engineer first.")
    assert draft.cautions[0].kind is CautionKind.RISK
