"""Gather the discussion of a run, given or fetched: all posts become sources, those not read with the reason."""

from dataclasses import dataclass
from uuid import UUID

from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.models import AgentRole, Queue, Run
from research.models.schemas import RunOutcome
from research.pipelines.common.choose_rules_or_model import Engine
from research.pipelines.common.texts_given_to_pipeline import GivenText, keep_texts, prepare_text
from research.pipelines.digest.digest_config import DigestConfig
from research.pipelines.digest.digest_post_texts import PostText, build_given_text, post_text
from research.pipelines.digest.digest_result import Digest
from research.pipelines.digest.digest_step_names import DigestStepName
from research.pipelines.digest.fetched_digest_discussion import Post, PostFetchError
from research.pipelines.digest.select_digest_posts import SelectedPost, Selection, select
from research.pipelines.table.table_engine import resolve_engine

NOTHING = "The discussion holds no post that can be read."
SECTIONS = 3


@dataclass(frozen=True, slots=True)
class DigestMaterial:
    """The material from which a digest is written."""

    run: Run
    config: DigestConfig
    posts: tuple[PostText, ...]
    selection: Selection


def build_gathering_step() -> StepDraft:
    return StepDraft("gather", DigestStepName.GATHER, AgentRole.EXTRACTOR, queue=Queue.READING)


def gather(work: StepWork) -> StepResult:
    """Turn posts into frozen texts. If there are none, the run ends with the reasons."""
    material = read_material(work.tenant_id, work.run_id)
    reasons = why_nothing(material.posts, material.config.fetched_errors)
    texts = [
        (text, prepare_text(text))
        for text in [*map(build_given_text, material.posts), *_build_unread_texts(material.selection)]
    ]
    outcome = RunOutcome(
        insufficient=bool(reasons),
        reasons=reasons,
        looked_for=[material.run.topic],
        engine=resolve_engine(material.config.engine, work.tenant_id).value,
        own=Digest(status="error", query=material.run.topic, notes=reasons).model_dump(mode="json"),
    )

    def save() -> None:
        keep_texts(work.run_id, texts)
        Run.objects.filter(pk=work.run_id).update(
            result=outcome.model_dump(mode="json"), total_sections=SECTIONS, cost_usd=_cost(outcome)
        )

    return StepResult(
        {"posts": len(material.posts), "left_out": len(material.selection.left)},
        save=save,
        activity=f"Reading {len(material.posts)} posts",
    )


def _cost(outcome: RunOutcome) -> int | None:
    return 0 if Engine(outcome.engine) is Engine.EXTRACTIVE else None


def read_material(tenant_id: UUID, run_id: UUID) -> DigestMaterial:
    """Load the material of a digest. It is the same in every step, since the selection is pure."""
    with tenant_context(tenant_id):
        run = Run.objects.get(pk=run_id)
    config = DigestConfig.model_validate(run.config)
    selection = select(run.topic, config.posts, config.limits)
    return DigestMaterial(run, config, tuple(map(post_text, selection.chosen)), selection)


def why_nothing(posts: tuple[PostText, ...], errors: tuple[PostFetchError, ...]) -> list[str]:
    """Return sentences that explain why there is nothing to read; empty if there is something."""
    if any(post.utterances for post in posts):
        return []
    return [NOTHING, *map(describe_fetch_error, errors)]


def describe_fetch_error(error: PostFetchError) -> str:
    if error.is_rate_limit:
        pause = f" of {error.retry_after:.0f} s" if error.retry_after else ""
        return f"Rate limited: the forum asked for a pause{pause} (429)."
    status = f" ({error.status})" if error.status else ""
    return f"Fetching failed: {error.message or 'no reason was given'}{status}."


def _build_unread_texts(selection: Selection) -> list[GivenText]:
    """Return the posts not read, as texts of unused sources, with the reason."""
    seen: dict[str, int] = {}
    rows = []
    for post, reason in selection.left:
        seen[post.id] = seen.get(post.id, 0) + 1
        text = build_given_text(post_text(_whole(post)))
        rows.append(
            GivenText(
                address=f"{text.address}#{seen[post.id]}",
                document=text.document,
                title=text.title,
                url=text.url,
                publisher=text.publisher,
                published=text.published,
                source_type=text.source_type,
                left_out=reason,
            )
        )
    return rows


def _whole(post: Post) -> SelectedPost:
    return SelectedPost(post, (), 0.0)
