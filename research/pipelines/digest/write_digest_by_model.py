"""Word a digest with a model.

A sentence is accepted only if its quotes are found in the posts that it names, and if it may be repeated. If the model
fails, rules write the digest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from citations.anchoring import QuotableText, anchor
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.db.tenancy import in_thread
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import AgentRole
from research.pipelines.common.ask_model_in_pipeline_step import ModelQuestion, ask
from research.pipelines.common.report_model_answers import ModelAnswer
from research.pipelines.digest import digest_draft
from research.pipelines.digest.compose_digest import build_digest_result
from research.pipelines.digest.digest_draft import (
    Caution,
    CautionKind,
    DigestDraft,
    DigestSentence,
    PostQuote,
    RemovedSentence,
)
from research.pipelines.digest.digest_post_texts import PostText
from research.pipelines.digest.gather_digest_discussion import DigestMaterial, read_material
from research.pipelines.digest.safety import ContextSentence, find_dangers
from research.pipelines.digest.write_digest_by_rules import find_disputes, write_digest

PROMPT = "writer/digest"
MAX_TOKENS = 2_000
LONGEST = 500  # characters of one sentence
MAX_PROMPT_LENGTH = 60_000  # characters of all posts together


class DigestQuoteAnswer(ModelAnswer):
    post: str = ""
    quote: str = ""


class ItemAnswer(ModelAnswer):
    text: str
    quotes: list[DigestQuoteAnswer] = []


class CautionAnswer(ItemAnswer):
    kind: Literal["risk", "contradiction", "unknown"] = "risk"


class DigestAnswer(ModelAnswer):
    summary: list[ItemAnswer]
    highlights: list[ItemAnswer] = []
    cautions: list[CautionAnswer] = []


async def write_by_model(work: StepWork) -> StepResult:
    """Write the digest with a model, or by rules if the model gives no answer.

    Raises ModelError for a failure that a retry may fix.
    """
    material = await in_thread(lambda: read_material(work.tenant_id, work.run_id))
    values = values_of(material)
    response = await ask(
        work, ModelQuestion(AgentRole.WRITER, PROMPT, values, DigestAnswer, MAX_TOKENS, "digest")
    )
    budget = material.config.limits.summary_chars
    if response.answer is None:
        draft = write_digest(material.run.topic, material.posts, budget)
    else:
        version = render(PROMPT, values, fence_for(work, "digest")).prompt.version
        draft = replace(
            validate_answer(response.answer, material.run.topic, material.posts, budget),
            version=f"{PROMPT} {version}",
        )
    return await in_thread(lambda: build_digest_result(work, material, draft, response.usage, response.note))


def values_of(material: DigestMaterial) -> dict[str, object]:
    """Return the values of the prompt. If it gets too long, the least relevant posts are left out."""
    posts, left = [], MAX_PROMPT_LENGTH
    for post in material.posts:
        text = post.document.text[:left]
        left -= len(text)
        if text:
            posts.append({"id": post.post.id, "text": SourceText(text)})
    return {
        "question": material.run.topic,
        "characters": material.config.limits.summary_chars,
        "posts": posts,
    }


def validate_answer(answer: DigestAnswer, query: str, posts: Sequence[PostText], budget: int) -> DigestDraft:
    """Return the valid parts of a model's answer. Pure. Only the number and length of its sentences are limited."""
    gate = _Gate(query, posts)
    summary, left = [], budget
    for item in gate.items(answer.summary, "summary"):
        if len(item.text) <= left:
            summary.append(item)
            left -= len(item.text) + 1
    disputes = find_disputes(query, posts)
    refuted = [dispute.claim for dispute in disputes.all if dispute.is_refuted]
    highlights = [
        item
        for item in gate.items(answer.highlights, "highlight")
        if not any(
            place.post == claim.post
            and place.span.start < claim.span.end
            and claim.span.start < place.span.end
            for place in item.places
            for claim in refuted
        )
    ][: digest_draft.MAX_HIGHLIGHTS]
    cautions = [
        Caution(CautionKind(caution.kind), (item,))
        for caution in answer.cautions
        for item in gate.items([caution], "caution")
    ]
    if not any(caution.kind is CautionKind.CONTRADICTION for caution in cautions):
        clashes = disputes.cautions(query)
        cautions = [*cautions[: digest_draft.MAX_CAUTIONS - len(clashes)], *clashes]
    return DigestDraft(
        tuple(summary),
        tuple(highlights),
        tuple(cautions[: digest_draft.MAX_CAUTIONS]),
        tuple(gate.removed),
        tuple(dict.fromkeys(gate.unfounded)),
    )


@dataclass
class _Gate:
    """Accepts sentences that have quotes and may be repeated, and records the others."""

    query: str
    posts: Sequence[PostText]
    removed: list[RemovedSentence] = field(default_factory=list)
    unfounded: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.texts: Mapping[str, QuotableText] = {
            post.post.id: QuotableText(post.document.text) for post in self.posts
        }
        self.by_id = {post.post.id: post for post in self.posts}

    def items(self, answers: Iterable[ItemAnswer], name: str) -> Iterator[DigestSentence]:
        for number, answer in enumerate(answers, 1):
            text = " ".join(answer.text.split())
            if not text or len(text) > LONGEST or text.casefold() in self.said:
                continue
            places = tuple(self._places(answer.quotes))
            near = "\n".join([self.query, *(self.by_id[place.post].post.title for place in places)])
            around = "\n".join(self._around(place) for place in places) or "\n".join(
                post.document.text for post in self.posts
            )
            (danger,) = find_dangers([ContextSentence(text, near, around)])
            if danger is not None:
                self.removed.append(RemovedSentence(f"{name} {number} of the model", danger))
            elif places:
                self.said.add(text.casefold())
                yield DigestSentence(text, places)
            else:
                self.unfounded.append(
                    f"A sentence of the model ({name} {number}) quotes no post of the discussion."
                )

    def _places(self, quotes: Iterable[DigestQuoteAnswer]) -> Iterator[PostQuote]:
        """Yield the quotes found in the posts named for them; a quote that is only in another post is dropped."""
        for quote in quotes:
            text = self.texts.get(quote.post)
            found = anchor(quote.quote, text) if text else None
            if found is not None:
                yield PostQuote(quote.post, found.span, found.similarity)
            elif text is None:
                self.unfounded.append("The model named a post that is not in the discussion.")
            else:
                self.unfounded.append(f"The model quoted words that post {quote.post} does not have.")

    def _around(self, place: PostQuote) -> str:
        """Return the post's own text, and the text around the quote."""
        text = self.by_id[place.post]
        near = text.document.text[max(0, place.span.start - 500) : place.span.end + 500]
        return f"{text.post.body}\n{near}"
