"""`evaluate digest`: score saved previews of digests offline, each with the discussion that it was made from.

A preview is a line {"id", "variant", "fetch", "digest"}; without a digest, the rules make one here.
"""

from collections.abc import Iterable, Iterator
from statistics import fmean

from pydantic import Field

from citations.verification import CitedPassage, VerdictStatus, verify
from research.evaluation.labelled_cases import BadLine, Case, Prediction, read_cases
from research.pipelines.digest.digest_config import DigestLimits
from research.pipelines.digest.digest_draft import DigestDraft
from research.pipelines.digest.digest_post_texts import PostText, post_text
from research.pipelines.digest.digest_result import Digest, DigestItem, DigestSource
from research.pipelines.digest.fetched_digest_discussion import FetchedPosts
from research.pipelines.digest.safety import ContextSentence, find_dangers, is_warning
from research.pipelines.digest.select_digest_posts import Selection, select
from research.pipelines.digest.write_digest_by_rules import find_disputes, split_by_safety, write_digest

CARRIED = (VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE)
FEW_POSTS, FEW_COMMENTS = 2, 5


class DigestCase(Case):
    variant: str = ""  # names what made it; previews are compared by it
    fetch: FetchedPosts
    digest: Digest | None = None
    limits: DigestLimits = DigestLimits()


class DigestPrediction(Prediction):
    """Scores of a digest as shares 0–1. `label`: good if all three are 1, else poor; `score` is their mean."""

    variant: str
    grounded: float  # share of its sentences that their posts support
    honest: (
        float  # share of seven checks: thin or missing evidence, answers and the best warning are reported,
    )
    # nothing is unsafe or refuted, the status fits
    clear_links: float  # share of sources and sentences with correct, unique, used links
    faults: list[str] = Field(default_factory=list)


def run(lines: Iterable[str]) -> Iterator[str]:
    """Yield a line for each preview, in order. Raises BadLine for the first line that is not a preview."""
    for case in read_cases(lines, DigestCase):
        yield evaluate_digest(case).model_dump_json()


def evaluate_digest(case: DigestCase) -> DigestPrediction:
    selection = select(case.fetch.query, case.fetch.posts, case.limits)
    texts = {selected.post.id: post_text(selected) for selected in selection.chosen}
    digest = case.digest or by_rules(case, selection, texts)
    faults: list[str] = []
    figures = (
        _score_grounding(digest, texts, faults),
        _honest(digest, case.fetch, texts, faults),
        _clear_links(digest, texts, faults),
    )
    return DigestPrediction(
        id=case.id,
        label="good" if min(figures) == 1 else "poor",
        score=round(fmean(figures), 4),
        variant=case.variant,
        grounded=figures[0],
        honest=figures[1],
        clear_links=figures[2],
        faults=faults,
    )


def by_rules(case: DigestCase, selection: Selection, texts: dict[str, PostText]) -> Digest:
    """Return the digest that the product would write by rules, without using the database."""
    if not any(text.utterances for text in texts.values()):
        return Digest(status="error", query=case.fetch.query)
    draft = write_digest(case.fetch.query, list(texts.values()), case.limits.summary_chars)
    return _build_digest(draft, case.fetch, texts)


def _build_digest(draft: DigestDraft, fetch: FetchedPosts, texts: dict[str, PostText]) -> Digest:
    summary = [
        DigestItem(text=sentence.text, posts=[place.post for place in sentence.places])
        for sentence in draft.summary
    ]
    highlights = [
        DigestItem(text=highlight.text, posts=[place.post for place in highlight.places])
        for highlight in draft.highlights
    ]
    cautions = [
        DigestItem(
            kind=caution.kind.value,
            text=caution.items[-1].text,
            against=caution.items[0].text if len(caution.items) > 1 else "",
            people=caution.items[-1].people,
            posts=list(dict.fromkeys(place.post for item in caution.items for place in item.places)),
        )
        for caution in draft.cautions
    ]
    used = dict.fromkeys(
        name for digest_item in (*summary, *highlights, *cautions) for name in digest_item.posts
    )
    posts = [texts[name].post for name in used]
    return Digest(
        status="partial" if fetch.errors else "ok",
        query=fetch.query,
        prompt_version=draft.version,
        summary=" ".join(digest_item.text for digest_item in summary),
        summary_items=summary,
        highlights=highlights,
        cautions=cautions,
        sources=[
            DigestSource(post_id=post.id, url=post.url, subreddit=post.forum, title=post.title)
            for post in posts
        ],
        thin=is_thin(texts),
    )


def is_thin(texts: dict[str, PostText]) -> bool:
    comments = sum(len(text.post.comments) for text in texts.values())
    return len(texts) < FEW_POSTS or comments < FEW_COMMENTS


def _items(digest: Digest) -> list[DigestItem]:
    return [*digest.summary_items, *digest.highlights, *digest.cautions]


def _score_grounding(digest: Digest, texts: dict[str, PostText], faults: list[str]) -> float:
    items = _items(digest)
    carried = 0
    for item in items:
        passages = [CitedPassage(texts[name].document.text, name) for name in item.posts if name in texts]
        stands = any(
            item.text in passage.text for passage in passages
        )  # a question is supported by its own words
        is_carried = stands or (bool(passages) and verify(item.text, passages).status in CARRIED)
        carried += is_carried
        if not is_carried:
            faults.append(f"not grounded: {item.text[:80]}")
    return carried / len(items) if items else 1.0


def _honest(digest: Digest, fetch: FetchedPosts, texts: dict[str, PostText], faults: list[str]) -> float:
    has_text = any(text.utterances for text in texts.values())
    posts = list(texts.values())
    disputes = find_disputes(digest.query, posts)
    refuted = [dispute.claim.text for dispute in disputes.all if dispute.is_refuted]
    words = " ".join(part for item in _items(digest) for part in (item.text, item.against))
    statements = {
        "nothing that people refute is told as it stands": not any(
            claim in item.text for claim in refuted for item in (*digest.summary_items, *digest.highlights)
        ),
        "the best warning is told": all(warning in words for warning in _best_warnings(digest.query, posts)),
        "thin evidence is told": digest.thin or not is_thin(texts) or not has_text,
        "nothing is told as nothing": has_text or digest.status == "error",
        "nothing is unsafe": not any(_is_unsafe(item, digest.query, texts) for item in _items(digest)),
        "what was answered is told": bool(digest.summary_items or digest.cautions)
        or not _has_answers(digest.query, posts),
        "its status fits": digest.status != "ok" or not fetch.errors,
    }
    faults += [f"not honest: {name}" for name, holds in statements.items() if not holds]
    return sum(statements.values()) / len(statements)


def _best_warnings(query: str, posts: list[PostText]) -> list[str]:
    """Return the warning with the most votes if the discussion is dangerous, else an empty list."""
    safe, removed = split_by_safety(query, posts)
    if not any(sentence.danger.field for sentence in removed):
        return []
    warnings = [
        sentence for sentence in safe if sentence.comment and sentence.score > 0 and is_warning(sentence.text)
    ]
    best = max(warnings, key=lambda sentence: sentence.score, default=None)
    return [best.text] if best else []


def _has_answers(query: str, posts: list[PostText]) -> bool:
    safe, _ = split_by_safety(query, posts)
    return any(
        sentence.comment
        and sentence.score > 0
        and len(sentence.text.split()) > 5
        and "?" not in sentence.text
        for sentence in safe
    )


def _is_unsafe(item: DigestItem, query: str, texts: dict[str, PostText]) -> bool:
    titles = [texts[name].post.title for name in item.posts if name in texts]
    near = "\n".join([query, *titles])
    return any(find_dangers([ContextSentence(text, near) for text in (item.text, item.against) if text]))


def _clear_links(digest: Digest, texts: dict[str, PostText], faults: list[str]) -> float:
    items, names = _items(digest), [source.post_id for source in digest.sources]
    used = {name for item in items for name in item.posts}
    checks = [
        (source.post_id in texts and source.post_id in used, source.post_id) for source in digest.sources
    ]
    checks += [
        (source.post_id not in texts or source.url == texts[source.post_id].post.url, source.url)
        for source in digest.sources
    ]
    checks += [(bool(item.posts) and set(item.posts) <= set(names), item.text[:80]) for item in items]
    checks.append((len(set(names)) == len(names), "a source is named twice"))
    faults += [f"unclear link: {what}" for holds, what in checks if not holds]
    return sum(holds for holds, _what in checks) / len(checks)


__all__ = ["BadLine", "DigestPrediction", "DigestCase", "evaluate_digest", "run"]
