"""The choice of posts and comments for a digest."""

import json

import pytest

from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.digest.cut_digest_to_budget import cut_at_sentence
from research.pipelines.digest.digest_config import DigestLimits
from research.pipelines.digest.fetched_digest_discussion import MAX_BYTES, read_fetched, validate_fetched
from research.pipelines.digest.select_digest_posts import BEYOND, DUPLICATE, REPEATS, select
from tests.pipelines.digest.threads import OUTLETS, as_file

MANY = [{"id": str(number), "title": "T"} for number in range(501)]


def select_posts(*posts: dict[str, object], query: str = "quiet pipes", **limits: int):
    found = validate_fetched({"query": query, "posts": list(posts)})
    return select(found.query, found.posts, DigestLimits(**limits))


def post(name: str, title: str = "Quiet pipes", **more: object) -> dict[str, object]:
    return {"id": name, "title": title, **more}


def test_a_post_is_read_once_the_one_with_more_comments():
    found = select_posts(post("a"), post("a", comments=[{"id": "c", "body": "Fit a valve."}]))
    assert [len(one.post.comments) for one in found.chosen] == [1]
    assert [reason for _post, reason in found.left] == [DUPLICATE]


def test_a_crosspost_is_left_out_with_its_reason():
    found = select_posts(post("a", selftext="Loud."), post("b", selftext="Loud.", crosspost_of="a"))
    assert [(one.id, reason) for one, reason in found.left] == [("b", REPEATS)]


def test_the_most_relevant_come_first_and_the_rest_is_told():
    found = select_posts(post("a", "Cats"), post("b"), post("c", "Pipes"), max_posts=2)
    assert [one.post.id for one in found.chosen] == ["b", "c"]
    assert [(one.id, reason) for one, reason in found.left] == [("a", BEYOND.format(most=2))]
    assert found.chosen[0].keywords == ("quiet", "pipes")


def test_addresses_lose_what_tracks_and_forums_have_one_spelling():
    for spelled in ("r/DIY", "/r/diy/", "R/DIY", "DIY"):
        [one] = select_posts(
            post("a", subreddit=spelled, url="https://x.example/p?utm_source=a&id=7&fbclid=z")
        ).chosen
        assert (one.post.forum, one.post.url) == ("diy", "https://x.example/p?id=7")


def test_texts_are_cleaned_and_cut_at_a_sentence():
    body = "**Bold** [link](https://x.example/a) text\u200b. " + "More of the same. " * 20
    [one] = select_posts(post("a", selftext=body), max_post_chars=100).chosen
    assert one.post.body.startswith("Bold link text. More of the same.")
    assert len(one.post.body) <= 100
    assert one.post.body.endswith(".")


def test_deleted_and_repeated_comments_are_gone_and_the_best_stay_in_order():
    comments = [
        {"id": "1", "body": "[removed]", "score": 99},
        {"id": "2", "body": "Low.", "score": 1},
        {"id": "3", "body": "High.", "score": 9},
        {"id": "3", "body": "High.", "score": 9},
        {"id": "4", "body": "Middle.", "score": 5},
    ]
    [one] = select_posts(post("a", comments=comments), max_comments_per_post=2).chosen
    assert [comment.id for comment in one.post.comments] == ["3", "4"]
    assert one.comments_left == 1


@pytest.mark.parametrize(
    ("text", "budget", "cut"),
    [
        ("One. Two is longer.", 10, "One."),
        ("One sentence without an end that fits", 14, "One sentence…"),
        ("Whole.", 100, "Whole."),
        ("Version 1.5 is out. So.", 21, "Version 1.5 is out."),
    ],
)
def test_a_summary_is_cut_at_a_sentence(text, budget, cut):
    assert cut_at_sentence(text, budget) == cut


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\xff\xfe\x00a", "not_text"),
        (b"{", "not_json"),
        (b'{"query": NaN}', "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"[]", "not_an_object"),
        (b"{}", "no_query"),
        (b'{"query": "  "}', "no_query"),
        (b'{"query": "pipes"}', "no_posts"),
        (b'{"query": "pipes", "posts": {}}', "no_posts"),
        (b'{"query": "pipes", "posts": [{}]}', "bad_post"),
        (b'{"query": "pipes", "posts": [{"id": "a", "title": "T", "score": "many"}]}', "bad_post"),
        (json.dumps({"query": "pipes", "posts": MANY}).encode(), "too_many"),
        (b" " * (MAX_BYTES + 1), "too_large"),
    ],
)  # fmt: skip
def test_each_malformed_input_has_its_named_error(data, code):
    with pytest.raises(InputRefused) as refusal:
        read_fetched(data)
    assert refusal.value.code == code
    assert str(refusal.value).startswith(f"{code}: ")


def test_the_selection_is_the_same_each_time():
    found = read_fetched(as_file(OUTLETS))
    assert select(found.query, found.posts, DigestLimits()) == select(
        found.query, found.posts, DigestLimits()
    )
