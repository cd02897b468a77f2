"""Search with an MCP tool: map query and filters to its arguments, and its failures to SearchError."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult
from pydantic import JsonValue

from config.mcp_server_settings import McpTool, Since
from research.parsing.clean_text import clean, squash
from research.search.mcp_tools.mcp_search_results import file_text, read, says_nothing_found, text_of
from research.search.mcp_tools.mcp_search_session import BrokenOff, Conversation
from research.search.providers.search_service_entry import ResultPage
from research.search.search_protocol import Filters, SearchCode, SearchError, SearchHit
from research.search.search_request_pace import Pace, TooFar

ANSWER_S = 20.0
BEST_REPOSITORIES = 2  # whose README is read: each takes one of the requests allowed per minute
NEXT_TURN_S = 1.0  # how long to wait for such a request
README = "README.md"
MAX_INTRODUCTION_LENGTH = 600  # characters
_REPOSITORY = re.compile(r"https://github\.com/(?P<owner>[^/?#]+)/(?P<repo>[^/?#]+)/?$")
_NO_PROSE = re.compile(r"\s*(?:#|\[?!\[|<|\||>|```|[-*=]{3,}|(?:[-*+]|\d+\.)\s+\[)")
MAX_WORDS = 200  # of a server's message, in a note
_LIMIT = re.compile(r"rate.?limit|too many requests|\b429\b|quota", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToolPages:
    """Pages of results of one tool. `secrets` are redacted; `patience_s` is the longest wait for a turn."""

    tool: McpTool
    conversation: Conversation
    pace: Pace
    secrets: Sequence[str]
    patience_s: float

    async def __call__(self, query: str, filters: Filters, which: str) -> ResultPage:
        """Return a page of results. Raises SearchError."""
        number = int(which or 0)
        await self._turn()
        result = await self._answer(arguments(self.tool, query, filters, number, datetime.now(tz=UTC).date()))
        if result.is_error:
            if says_nothing_found(result):
                return ResultPage(())
            raise self._refusal(text_of(result))
        found = read(result, self.tool)
        hits = await self._describe_best(found.hits) if self.tool.reads and not number else found.hits
        return ResultPage(hits, found.unreadable, str(number + 1) if self.tool.page and hits else "")

    async def _describe_best(self, hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
        """Return the results with the start of the README added to the best repositories.

        A README that is missing or cannot be read at once is left out.
        """
        described = list(hits)
        for place, hit in enumerate(described[:BEST_REPOSITORIES]):
            repository = _REPOSITORY.match(hit.url)
            if repository is None:
                continue
            try:
                await asyncio.sleep(await self.pace.take(NEXT_TURN_S))
                result = await self._answer({**repository.groupdict(), "path": README}, self.tool.reads)
            except (TooFar, SearchError):
                break
            if not result.is_error and (text := file_text(result)):
                described[place] = replace(
                    hit,
                    snippet=_join(hit.snippet, introduction_of(text)),
                    has_code="```" in text or hit.has_code,
                )
        return tuple(described)

    async def _answer(self, given: Mapping[str, JsonValue], tool: str = "") -> CallToolResult:
        try:
            async with asyncio.timeout(ANSWER_S):
                return await self.conversation.call(tool or self.tool.name, given)
        except TimeoutError as error:
            self.conversation.give_up()
            raise SearchError(SearchCode.TIMEOUT, f"It did not answer within {ANSWER_S:g} s.") from error
        except BrokenOff as error:
            self.conversation.rest()
            raise SearchError(SearchCode.NOT_AVAILABLE, str(error)) from error
        except MCPError as error:
            raise self._refusal(error.message) from error

    async def _turn(self) -> None:
        left_s = self.conversation.rests_for_s()
        if left_s > 0:
            words = f"The connection was lost; the next attempt is in {left_s:.0f} s."
            raise SearchError(SearchCode.NOT_AVAILABLE, words)
        try:
            wait_s = await self.pace.take(self.patience_s)
        except TooFar as error:
            words = f"Its rate limit is reached; the next request is possible in {error.wait_s:.0f} s."
            raise SearchError(SearchCode.RATE_LIMITED, words) from error
        await asyncio.sleep(wait_s)

    def _refusal(self, said: str) -> SearchError:
        code = SearchCode.RATE_LIMITED if _LIMIT.search(said) else SearchCode.NOT_AVAILABLE
        return SearchError(code, f"It says: {redact_message(said, self.secrets)}")


def introduction_of(readme: str) -> str:
    """Return the first prose of a README: no title, badge, picture, list of links or code.

    >>> introduction_of("# Kit\\n[![build](x)](y)\\n\\nKit finds leaks in pumps.\\n\\n## Install")
    'Kit finds leaks in pumps.'
    """
    for block in re.split(r"\n\s*\n", readme):
        lines = [line for line in block.splitlines() if not _NO_PROSE.match(line)]
        words = squash(" ".join(lines))
        if len(words.split()) >= 4:
            return words[:MAX_INTRODUCTION_LENGTH]
    return ""


def _join(snippet: str, more: str) -> str:
    return snippet if not more or more in snippet else f"{snippet} {more}".strip()


def arguments(tool: McpTool, query: str, filters: Filters, number: int, today: date) -> dict[str, JsonValue]:
    """Return the tool's arguments for one page of results, counted from 0."""
    given: dict[str, JsonValue] = {**tool.fixed, tool.query: query}
    if tool.most:
        given[tool.most] = min(tool.a_page, filters.most) if not tool.page else tool.a_page
    if tool.page and number:
        given[tool.page] = tool.first_page + number
    if tool.since and filters.published_from:
        since = _since(tool.since, filters.published_from, today)
        if since:
            given[tool.since.argument] = since
    return given


def _since(how: Since, first: date, today: date) -> str:
    """Return the tool's narrowest range that covers the requested time; "" if none is wide enough."""
    if not how.ranges:
        return first.isoformat()
    days = (today - first).days
    return next((word for most, word in how.ranges if days <= most), "")


def redact_message(said: str, secrets: Sequence[str]) -> str:
    """Return a message for a note: one line, with secrets redacted."""
    for secret in secrets:
        said = said.replace(secret, "…")
    return squash(clean(said))[:MAX_WORDS] or "nothing."
