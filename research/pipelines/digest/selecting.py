"""Selecting the posts and comments of a discussion for a digest: each once, the most relevant, within the limits."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citations.text.wording import content_stems
from research.fetching.canonical_urls import without_tracking
from research.pipelines.digest.config import DigestLimits
from research.pipelines.digest.fetched import Comment, Post
from research.pipelines.digest.text_budget import cut_at_sentence

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
    """A post as it is read: cleaned, within the limits, with what of the question it speaks of."""

    post: Post
    keywords: tuple[str, ...]  # words of the question that it has, as they stand there
    relevance: float  # 0–1
    comments_left: int = 0  # comments beyond the limit


@dataclass(frozen=True, slots=True)
class Selection:
    chosen: tuple[SelectedPost, ...]  # the most relevant first
    left: tuple[tuple[Post, str], ...] = ()  # posts that are not read, with the reason


def select(query: str, posts: Sequence[Post], limits: DigestLimits) -> Selection:
    """Pure; the same input always gives the same selection."""
    cleaned = [clean_post(post, limits) for post in posts]
    fresh, left = _each_once(cleaned)
    ranked = sorted(
        (_score_post(query, one) for one in fresh),
        key=lambda one: (-one.relevance, -one.post.karma, one.post.id),
    )
    kept = tuple(_limit_comments(one, limits) for one in ranked[: limits.max_posts])
    beyond = [(one.post, BEYOND.format(most=limits.max_posts)) for one in ranked[limits.max_posts :]]
    return Selection(kept, (*left, *beyond))


def clean_post(post: Post, limits: DigestLimits) -> Post:
    """Names in one spelling, addresses without what tracks, texts as they are read."""
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
    """Without what was deleted and what was given twice."""
    seen = set()
    for number, one in enumerate(comments, 1):
        body = cut_at_sentence(clean(one.body), limits.max_comment_chars)
        key = one.id or f"#{number}"
        if body and body not in _GONE and key not in seen:
            seen.add(key)
            yield one.model_copy(update={"body": body, "id": key})


def clean(text: str) -> str:
    """Without marks of Markdown, characters nobody sees, and addresses' tracking parameters; one kind of
    space."""
    text = _CONTROLS.sub("", text)
    text = _MARKUP.sub(lambda found: found[1] or "", text)
    text = _ADDRESS.sub(lambda found: without_tracking(found[0]), text)
    if text.strip().casefold() in _GONE:
        return ""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _each_once(posts: Sequence[Post]) -> tuple[list[Post], list[tuple[Post, str]]]:
    """By id, the one with more comments; a post that repeats one of the others, by its mark or word for
    word, goes."""
    best: dict[str, Post] = {}
    left: list[tuple[Post, str]] = []
    for one in posts:
        other = best.get(one.id)
        if other is None or len(one.comments) > len(other.comments):
            best[one.id] = one
        if other is not None:
            left.append((other if best[one.id] is one else one, DUPLICATE))
    said: dict[tuple[str, str], str] = {}
    for one in sorted(best.values(), key=lambda post: (bool(post.copy_of), -len(post.comments), post.id)):
        key = (one.title.casefold(), one.body.casefold())
        if (one.copy_of and one.copy_of in best) or (one.body and key in said):
            left.append((one, REPEATS))
            del best[one.id]
        said.setdefault(key, one.id)
    return list(best.values()), left


def _score_post(query: str, post: Post) -> SelectedPost:
    """By the words of the question: those of the title count most, then those of the post, then of its
    comments."""
    wanted = content_stems(query)
    weights = (("title", 1.0), ("body", 0.6), ("comments", 0.4))
    texts = {
        "title": post.title,
        "body": post.body,
        "comments": " ".join(comment.body for comment in post.comments),
    }
    best: dict[str, float] = {}
    for part, weight in weights:
        for stem in wanted & content_stems(texts[part]):
            best[stem] = max(best.get(stem, 0.0), weight)
    share = sum(best.values()) / len(wanted) if wanted else 0.0
    words = [word for word in re.findall(r"\w[\w'’-]*", query) if content_stems(word) & best.keys()]
    return SelectedPost(post, tuple(dict.fromkeys(word.casefold() for word in words)), round(share, 4))


def _limit_comments(one: SelectedPost, limits: DigestLimits) -> SelectedPost:
    """The best comments, in the order of the thread."""
    comments = one.post.comments
    best = sorted(range(len(comments)), key=lambda place: (-comments[place].score, place))
    kept = sorted(best[: limits.max_comments_per_post])
    post = one.post.model_copy(update={"comments": tuple(comments[place] for place in kept)})
    return replace(one, post=post, comments_left=len(comments) - len(kept))
