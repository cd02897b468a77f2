"""The settings of a digest, and the shape of a fetch result."""

import json

import pytest

from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.digest.digest_config import DigestConfig, DigestLimits, config_for, parse_config
from research.pipelines.digest.fetched_digest_discussion import (
    MAX_COMMENTS,
    Comment,
    Post,
    PostFetchError,
    read_fetched,
    validate_fetched,
)
from research.pipelines.digest.gather_digest_discussion import describe_fetch_error, why_nothing
from research.pipelines.digest.select_digest_posts import clean
from research.pipelines.report.report_config import ConfigError

BOUNDS = {
    "max_posts": (1, 100),
    "max_comments_per_post": (0, 200),
    "max_post_chars": (100, 20_000),
    "max_comment_chars": (50, 10_000),
    "summary_chars": (100, 5_000),
}


def test_every_limit_of_a_digest_has_its_bounds():
    assert set(BOUNDS) == set(DigestLimits.model_fields)
    for name, (least, most) in BOUNDS.items():
        assert parse_config({name: least}).limits.model_dump()[name] == least
        assert parse_config({"limits": {name: most}}).limits.model_dump()[name] == most
        for beyond in (least - 1, most + 1):
            with pytest.raises(ConfigError, match=rf"^limits\.{name}: "):
                parse_config({name: beyond})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"provider": "usenet"}, "provider: "),
        ({"engine": "guess"}, "engine: "),
        ({"depth": "quick"}, "depth: there is no such setting"),
        ({"limits": {"max_words": 3}}, "limits.max_words: there is no such setting"),
        ({"plan_id": "x" * 201}, "plan_id: "),
        ({"budget_credits": 0}, "budget_credits: "),
        ({"posts": [{"id": "a"}]}, "posts.0.title: "),
    ],
)
def test_a_setting_that_cannot_be_is_named(config, words):
    with pytest.raises(ConfigError) as refused:
        parse_config(config)
    assert str(refused.value).startswith(words)


def test_a_limit_beside_the_others_counts_more_than_one_among_them():
    assert parse_config(
        {"limits": {"max_posts": 3, "summary_chars": 200}, "max_posts": 7}
    ).limits == DigestLimits(max_posts=7, summary_chars=200)


def test_what_is_stored_is_read_as_it_was_given():
    given = {"query": "pipes", "plan_id": 7, "posts": [{"id": 1, "title": 2, "score": 5, "created_utc": 0}]}
    config = config_for(read_fetched(json.dumps(given).encode()), {"max_posts": 3})
    assert DigestConfig.model_validate(config.model_dump(mode="json", exclude_defaults=True)) == config
    [post] = config.posts
    assert (config.plan_id, post.id, post.title, post.karma, post.day) == ("7", "1", "2", 5, "1970-01-01")


def test_a_forum_and_its_tools_have_several_words_for_the_same():
    spelled = {"id": "a", "title": "T", "subreddit": "diy", "selftext": "Body.", "crosspost_of": "b"}
    post = Post.model_validate(spelled | {"comments": [{"parent_id": "t1_c", "is_submitter": True}]})
    assert (post.forum, post.body, post.copy_of, post.day) == ("diy", "Body.", "b", "")
    assert (post.comments[0].answers, post.comments[0].by_asker) == ("c", True)
    assert Comment(parent="t3_a").answers == ""


def test_a_discussion_of_too_many_comments_is_refused():
    many = [{"id": "a", "title": "T", "comments": [{"body": "x"}] * (MAX_COMMENTS + 1)}]
    with pytest.raises(InputRefused, match="^too_many: The input has 2001 comments; the limit is 2000"):
        validate_fetched({"query": "pipes", "posts": many})


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ({"status": 429, "retry_after": 60}, "Rate limited: the forum asked for a pause of 60 s (429)."),
        ({"status": 429}, "Rate limited: the forum asked for a pause (429)."),
        ({"status": 503, "message": "Busy"}, "Fetching failed: Busy (503)."),
        ({}, "Fetching failed: no reason was given."),
    ],
)
def test_what_went_wrong_at_the_forum_is_said(error, sentence):
    found = PostFetchError.model_validate(error)
    assert describe_fetch_error(found) == sentence
    assert why_nothing((), (found,)) == ["The discussion holds no post that can be read.", sentence]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**Bold** and _slanted_ `code`", "Bold and slanted code"),
        ("[the guide](https://a.example/x) helps", "the guide helps"),
        ("> Quoted\n# Heading", "Quoted\nHeading"),
        ("See https://a.example/?utm_source=x&id=7.", "See https://a.example/?id=7."),
        ("a\u200bb\u202ec\0d", "abcd"),
        ("[deleted]", ""),
        (" [Removed] ", ""),
        ("snake_case 2*3*4", "snake_case 2*3*4"),
        ("one  two\n\n\nthree", "one two\nthree"),
    ],
)
def test_a_text_is_read_without_its_marks(written, read):
    assert clean(written) == read
