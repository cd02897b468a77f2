"""Select the posts and comments of a discussion for a digest: each once, the most relevant, within the limits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.text.claim_words_and_stems import content_stems
from research.fetching.canonical_urls import without_tracking
from research.pipelines.digest.cut_digest_to_budget import cut_at_sentence
from research.pipelines.digest.digest_config import DigestLimits
from research.pipelines.digest.fetched_digest_discussion import Comment, Post

_GONE = frozenset({"[deleted]", "[removed]", "[gelöscht]", "[entfernt]"})
_MARKUP = re.compile(
    r"\[([^\]]{1,300})\]\((?:https?://|/)[^)\s]{1,500}\)|(?<!\w)[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}(?!\w)"
    r"|^>+ ?|^#{1,6} ",
    re.M,
)
_ADDRESS = re.compile(r"https?://\S+")
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff]"
    r"|[\ud800-\udfff]"
)
DUPLICATE, REPEATS = "It was given twice.", "It repeats another post."
BEYOND = "Other posts are more relevant to the question, and there is room for {most}."


@dataclass(frozen=True, slots=True)
class SelectedPost:
    """A post to read: cleaned, within the limits, with the question's words that it contains."""

    post: Post
    keywords: tuple[str, ...]  # the question's words that it contains, in their form there
    relevance: float  # 0–1
    comments_left: int = 0  # comments beyond the limit


@dataclass(frozen=True, slots=True)
class Selection:
    chosen: tuple[SelectedPost, ...]  # most relevant first
    left: tuple[tuple[Post, str], ...] = ()  # posts not read, with the reason


def select(query: str, posts: Sequence[Post], limits: DigestLimits) -> Selection:
    """Select the posts to read. Pure; the same input always gives the same selection."""
    cleaned = [clean_post(post, limits) for post in posts]
    fresh, left = _each_once(cleaned)
    ranked = sorted(
        (_score_post(query, fresh_post) for fresh_post in fresh),
        key=lambda scored_post: (-scored_post.relevance, -scored_post.post.karma, scored_post.post.id),
    )
    kept = tuple(_limit_comments(scored_post, limits) for scored_post in ranked[: limits.max_posts])
    beyond = [
        (scored_post.post, BEYOND.format(most=limits.max_posts)) for scored_post in ranked[limits.max_posts :]
    ]
    return Selection(kept, (*left, *beyond))


def clean_post(post: Post, limits: DigestLimits) -> Post:
    """Clean a post: normalized names, addresses without tracking parameters, texts without markup."""
    return post.model_copy(
        update={
            "forum": post.forum.casefold().strip("/").removeprefix("r/"),
            "url": without_tracking(post.url),
            "title": clean(post.title)[:300],
            "body": cut_at_sentence(clean(post.body), limits.max_post_chars),
            "comments": tuple(_clean_comments(post.comments, limits)),
        }
    )


def _clean_comments(comments: Sequence[Comment], limits: DigestLimits) -> Iterator[Comment]:
    """Yield the comments without deleted ones and duplicates."""
    seen = set()
    for number, comment in enumerate(comments, 1):
        body = cut_at_sentence(clean(comment.body), limits.max_comment_chars)
        key = comment.id or f"#{number}"
        if body and body not in _GONE and key not in seen:
            seen.add(key)
            yield comment.model_copy(update={"body": body, "id": key})


def clean(text: str) -> str:
    """Remove Markdown markup, invisible characters and tracking parameters, and normalize spaces."""
    text = _CONTROLS.sub("", text)
    text = _MARKUP.sub(lambda found: found[1] or "", text)
    text = _ADDRESS.sub(lambda found: without_tracking(found[0]), text)
    if text.strip().casefold() in _GONE:
        return ""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _each_once(posts: Sequence[Post]) -> tuple[list[Post], list[tuple[Post, str]]]:
    """Return each post once, and the others with the reason. Of posts with one id, that with more comments is kept.

    A post that repeats another, by its own declaration or word for word, is left out too.
    """
    best: dict[str, Post] = {}
    left: list[tuple[Post, str]] = []
    for candidate in posts:
        earlier = best.get(candidate.id)
        if earlier is None or len(candidate.comments) > len(earlier.comments):
            best[candidate.id] = candidate
        if earlier is not None:
            left.append((earlier if best[candidate.id] is candidate else candidate, DUPLICATE))
    seen: dict[tuple[str, str], str] = {}
    for candidate in sorted(
        best.values(), key=lambda post: (bool(post.copy_of), -len(post.comments), post.id)
    ):
        key = (candidate.title.casefold(), candidate.body.casefold())
        if (candidate.copy_of and candidate.copy_of in best) or (candidate.body and key in seen):
            left.append((candidate, REPEATS))
            del best[candidate.id]
        seen.setdefault(key, candidate.id)
    return list(best.values()), left


def _score_post(query: str, post: Post) -> SelectedPost:
    """Score a post by the question's words in it: those in its title count most, then its body, then its comments."""
    question_stems = content_stems(query)
    weights = (("title", 1.0), ("body", 0.6), ("comments", 0.4))
    texts = {
        "title": post.title,
        "body": post.body,
        "comments": " ".join(comment.body for comment in post.comments),
    }
    best: dict[str, float] = {}
    for part, weight in weights:
        for stem in question_stems & content_stems(texts[part]):
            best[stem] = max(best.get(stem, 0.0), weight)
    share = sum(best.values()) / len(question_stems) if question_stems else 0.0
    words = [word for word in re.findall(r"\w[\w'’-]*", query) if content_stems(word) & best.keys()]
    return SelectedPost(post, tuple(dict.fromkeys(word.casefold() for word in words)), round(share, 4))


def _limit_comments(selected: SelectedPost, limits: DigestLimits) -> SelectedPost:
    """Keep the best comments, in the order of the thread."""
    comments = selected.post.comments
    best = sorted(range(len(comments)), key=lambda place: (-comments[place].score, place))
    kept = sorted(best[: limits.max_comments_per_post])
    post = selected.post.model_copy(update={"comments": tuple(comments[place] for place in kept)})
    return replace(selected, post=post, comments_left=len(comments) - len(kept))
