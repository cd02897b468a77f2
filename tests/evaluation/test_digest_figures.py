"""Saved previews of digests are compared by what they say, offline."""

import json

import pytest

from research.evaluation.evaluation_of_digests import run
from research.evaluation.labelled_cases import BadLine
from research.evaluation.prediction_summary import summary
from tests.pipelines.digest.discussions import DISCUSSIONS
from tests.pipelines.digest.threads import OUTLETS


def line(**more: object) -> str:
    return json.dumps({"id": "1", "fetch": OUTLETS, **more})


def judge_digest(**more: object) -> dict[str, object]:
    [found] = run([line(**more)])
    return json.loads(found)


def digest(**more: object) -> dict[str, object]:
    text = "A GFCI protects people from shock, it does not create a ground."
    item = {"text": text, "posts": ["p1"]}
    source = {
        "post_id": "p1",
        "url": "https://forum.example/p1/?b=2",
        "title": "Two-prong outlets, what now?",
    }
    return {"status": "ok", "query": OUTLETS["query"], "summary_items": [item], "sources": [source], **more}


def test_what_the_rules_write_is_grounded_honest_and_clear():
    found = judge_digest()
    assert (found["label"], found["score"], found["faults"]) == ("good", 1.0, [])


def test_a_sound_preview_is_good():
    assert judge_digest(digest=digest())["label"] == "good"


@pytest.mark.parametrize(
    ("more", "figure"),
    [
        ({"summary_items": [{"text": "A GFCI makes a ground of 5 ohms.", "posts": ["p1"]}]}, "grounded"),
        ({"highlights": [{"text": "Just jumper neutral to the ground screw.", "posts": ["p1"]}]}, "honest"),
        ({"sources": [{"post_id": "p9", "url": "https://evil.example/"}]}, "clear_links"),
        ({"sources": [{"post_id": "p1", "url": "https://evil.example/"}]}, "clear_links"),
    ],
)
def test_each_fault_lowers_its_figure(more, figure):
    found = judge_digest(digest=digest(**more))
    assert found[figure] < 1
    assert found["faults"]


def test_variants_are_compared():
    lines = [
        line(variant="rules"),
        line(variant="bad", digest=digest(summary_items=[{"text": "No.", "posts": []}])),
    ]
    found = summary("digest", lines, list(run(lines)))
    assert found["previews"] == 2
    assert found["score of rules"] > found["score of bad"]


def test_a_line_that_is_no_preview_is_named():
    with pytest.raises(BadLine, match="line 1"):
        list(run(['{"id": "1"}']))


def judge_discussion(name: str, highlight: str) -> dict[str, object]:
    [found] = [one for one in DISCUSSIONS if one.name == name]
    item = {"text": highlight, "posts": [found.posts[0]["id"]]}
    source = {"post_id": found.posts[0]["id"], "url": found.posts[0]["url"]}
    own = {"status": "ok", "query": found.query, "highlights": [item], "sources": [source]}
    [line] = run([json.dumps({"id": "1", "fetch": found.fetched, "digest": own})])
    return json.loads(line)


@pytest.mark.parametrize(
    ("name", "highlight", "fault"),
    [
        ("wall", "Just knock it out with a sledgehammer and put up a temporary 2x4.", "nothing is unsafe"),
        ("wall", "We put in an island instead of a wall and love the light.", "the best warning is told"),
        ("etf", "Ich verkaufe alles und kaufe Gold, Gold fällt nie.", "nothing that people refute"),
    ],
)
def test_what_hurts_or_is_refuted_and_a_lost_warning_are_faults(name, highlight, fault):
    found = judge_discussion(name, highlight)
    assert found["honest"] < 1
    assert any(fault in told for told in found["faults"])
