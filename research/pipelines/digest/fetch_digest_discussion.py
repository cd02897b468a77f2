"""Fetch the posts for a digest's question from Reddit's API, through the SSRF guard and within the API's rate limit."""

from research.db.tenancy import in_thread, tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.fetching.fetch_process import fetch_process
from research.models import Run
from research.pipelines.digest.digest_config import DigestConfig
from research.pipelines.digest.fetched_digest_discussion import Comment, Post, PostFetchError
from research.pipelines.digest.gather_digest_discussion import build_gathering_step
from research.search.providers.search_reddit_threads import Thread, ThreadResults, fetch_threads
from research.search.search_process import search_process
from research.search.search_protocol import SearchCode, SearchError

STATUSES = {SearchCode.RATE_LIMITED: 429, SearchCode.TIMEOUT: 504, SearchCode.NOT_AVAILABLE: 503}
NOT_SET_UP = "Reddit is not among the search providers of this installation (PLUMBLINE_PROVIDERS)"
NONE_FOUND = "Reddit has no post for this question"


async def fetch(work: StepWork) -> StepResult:
    """Fetch the discussion. Failures are reported in the digest and never fail the run."""
    run = await in_thread(lambda: _run(work))
    config = DigestConfig.model_validate(run.config)
    posts, errors = await _fetch_posts(run.topic, config)
    known = config.model_copy(update={"posts": posts, "fetch_errors": errors})

    def save() -> None:
        stored = known.model_dump(mode="json", exclude_defaults=True)
        Run.objects.filter(pk=work.run_id).update(config=stored)

    return StepResult(
        {"posts": len(posts), "errors": len(errors)},
        save=save,
        children=[build_gathering_step()],
        activity="Fetching the discussion",
    )


def _run(work: StepWork) -> Run:
    with tenant_context(work.tenant_id):
        return Run.objects.get(pk=work.run_id)


async def _fetch_posts(query: str, config: DigestConfig) -> tuple[list[Post], list[PostFetchError]]:
    limits = config.limits
    api = search_process().services.api("reddit")
    if api is None:
        return [], [PostFetchError(message=NOT_SET_UP)]
    try:
        threads: ThreadResults = await fetch_process().do(
            fetch_threads(api, query, limits.max_posts, limits.max_comments_per_post)
        )
    except SearchError as error:
        return [], [to_fetch_error(error)]
    if not threads.posts:
        return [], [PostFetchError(message=NONE_FOUND)]
    return list(map(post_of, threads.posts)), list(map(to_fetch_error, threads.errors))


def to_fetch_error(error: SearchError) -> PostFetchError:
    return PostFetchError(status=STATUSES.get(error.code), message=error.message, retry_after=error.pause_s)


def post_of(thread: Thread) -> Post:
    return Post(
        id=thread.id,
        forum=thread.subreddit,
        title=thread.title or "(no title)",
        url=thread.url,
        body=thread.selftext[:100_000],
        author=thread.author or "",
        karma=thread.score,
        created=thread.created_utc,
        comments=tuple(
            Comment(
                id=comment.id,
                parent=comment.parent_id,
                author=comment.author or "",
                body=comment.body[:100_000],
                score=comment.score,
                by_asker=comment.is_submitter,
            )
            for comment in thread.comments
        ),
    )
