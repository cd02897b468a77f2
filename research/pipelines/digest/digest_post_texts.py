"""Turn posts into frozen texts: a post and its comments are one text, each sentence with its author and location."""

from collections.abc import Iterator
from dataclasses import dataclass

from citations.anchoring import Span
from research.models import SourceType
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parse_sentences import sentences
from research.parsing.parsed_document import BlockKind, ReadDocument, TextBlock
from research.pipelines.common.texts_given_to_pipeline import GivenText
from research.pipelines.digest.fetched_digest_discussion import Comment, Post
from research.pipelines.digest.select_digest_posts import SelectedPost

POST_TYPE = "text/x-forum-post"


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence of a post or comment: text[span] of the post's text. `around`: its comment and those it answers."""

    post: str
    comment: str  # empty for the post itself
    span: Span
    text: str
    author: str  # if unknown, the id of the comment
    score: int
    answers: str  # id of the comment that it answers; empty for the post
    by_asker: bool
    title: str
    around: str
    is_first: bool  # of its comment
    has_answer: bool  # its comment, or the post, has an answer


@dataclass(frozen=True, slots=True)
class PostText:
    """A post with its frozen text."""

    chosen: SelectedPost
    document: ReadDocument
    utterances: tuple[Utterance, ...]

    @property
    def post(self) -> Post:
        return self.chosen.post


def post_text(chosen: SelectedPost) -> PostText:
    post, builder = chosen.post, TextBuilder()
    builder.add_heading(post.title, 1)
    blocks: list[tuple[str, TextBlock]] = []
    blocks += (("", block) for block in _paragraphs(builder, post.body))
    for comment in post.comments:
        points = "point" if abs(comment.score) == 1 else "points"
        builder.add_heading(f"Comment by {comment.author or 'someone'}, {comment.score} {points}", 2)
        blocks += ((comment.id, block) for block in _paragraphs(builder, comment.body))
    text = builder.text
    read = ReadDocument(
        text=text, media_type=POST_TYPE, title=post.title, url=post.url, blocks=tuple(builder.blocks)
    )
    return PostText(chosen, read, tuple(_utterances(post, text, blocks)))


def _paragraphs(builder: TextBuilder, text: str) -> Iterator[TextBlock]:
    for line in text.splitlines():
        if block := builder.add(BlockKind.PARAGRAPH, line):
            yield block


def _utterances(post: Post, text: str, blocks: list[tuple[str, TextBlock]]) -> Iterator[Utterance]:
    comments = {post_comment.id: post_comment for post_comment in post.comments}
    answered = {post_comment.answers for post_comment in post.comments}
    begun = set()
    for name, block in blocks:
        comment = comments.get(name)
        answers = comment.answers if comment else ""
        for span in sentences(text, [block]):
            yield Utterance(
                post=post.id,
                comment=name,
                span=Span(span.start, span.end),
                text=text[span.start : span.end],
                author=(comment.author or comment.id) if comment else post.author,
                score=comment.score if comment else post.karma,
                answers=answers,
                by_asker=comment is None or comment.by_asker or _is_of_asker(comment, post),
                title=post.title,
                around=_around(post, name),
                is_first=name not in begun,
                has_answer=name in answered,
            )
            begun.add(name)


def _is_of_asker(comment: Comment, post: Post) -> bool:
    return bool(comment.author) and comment.author == post.author and not comment.author.startswith("[")


def _around(post: Post, name: str) -> str:
    """Return the post's own text, that of the comment, and those of the comments that it answers."""
    comments, texts, seen = {comment.id: comment for comment in post.comments}, [post.body], set[str]()
    while name in comments and name not in seen:
        seen.add(name)
        texts.append(comments[name].body)
        name = comments[name].answers
    return "\n".join(texts)


def build_given_text(read: PostText) -> GivenText:
    post = read.post
    return GivenText(
        address=f"post:{post.id}",
        document=read.document,
        title=post.title,
        url=post.url if post.url.startswith(("https://", "http://")) else "",
        author=post.author,
        publisher=f"r/{post.forum}" if post.forum else "",
        published=post.day,
        source_type=SourceType.SOCIAL,
        relevance=read.chosen.relevance,
    )
