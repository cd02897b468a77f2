"""Follow the links of a page to other pages of its site and read each as a source of the run."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from research.agents.tools.evidence.agent_source_address import is_filled_in, source_named
from research.agents.tools.evidence.read_page_with_tool import read_page
from research.agents.tools.evidence.sources_allowed_to_agents import SourceSettings
from research.agents.tools.tool_interface import ToolError, Use
from research.db.tenancy import in_tenant, in_thread
from research.fetching.fetched_page_links import internal_links
from research.library.sources_from_library import FoundPage
from research.models import Source
from research.storage.object_store import ObjectError, get_object

MIN_LEFT_S = 5.0  # needed for another page


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A linked page. If `source` is None, it was not read, and `problem` states why."""

    url: str
    source: Source | None = None
    problem: str = ""


async def follow_links(
    source: Source, allowed: SourceSettings, use: Use, until: float
) -> Sequence[FollowedLink]:
    """Read linked pages up to the owner's limit, which includes the page itself; start none after `until`."""
    links: list[FollowedLink] = []
    for url in await in_thread(partial(_links, source, allowed.pages_per_source - 1)):
        if asyncio.get_running_loop().time() > until - MIN_LEFT_S:
            links.append(FollowedLink(url, problem="There was no time left for it."))
        else:
            links.append(await _follow(url, allowed, use))
    return links


def _links(source: Source, most: int) -> list[str]:
    content = source.content
    if content is None or "html" not in content.media_type or not content.raw_key or most < 1:
        return []
    if is_filled_in(content.rendering):
        return []
    try:
        html = get_object(content.raw_key).decode("utf-8", "replace")
    except ObjectError:
        return []
    return internal_links(html, source.final_url or source.url, most)


async def _follow(url: str, allowed: SourceSettings, use: Use) -> FollowedLink:
    known = await in_tenant(use.step.tenant_id, partial(source_named, use.step.run_id, url))
    if known is not None:
        return (
            FollowedLink(url, known) if known.content_id else FollowedLink(url, problem=known.error_message)
        )
    reason = allowed.refusal(url)
    if reason:
        return FollowedLink(url, problem=reason)
    try:
        return FollowedLink(url, (await read_page(FoundPage(url), allowed, use)).source)
    except ToolError as error:
        return FollowedLink(url, problem=error.message)
