"""Parallel's own client over guarded connections: the address of every connection is checked."""

import asyncio
import json

import httpcore2
import httpx
import httpx2
import parallel
from django.conf import settings
from parallel.types.task_run import TaskRun
from parallel.types.task_run_result import TaskRunResult

from research.fetching.denied_addresses import address_rules
from research.fetching.http_connection_pool import GuardedTransport
from research.fetching.ssrf_guard import BlockedConnection as GuardRefused
from research.fetching.ssrf_guard import GuardedBackend, NoSuchHost
from research.pipelines.brief.tasks.parallel_outcome import ParallelAway, ParallelRefused, TaskSnapshot

TIMEOUT_S = 30.0  # without a byte received
MAX_S = 90.0  # for one look; shorter than `brief_finished_tasks.TAKEN_FOR`
MAX_ANSWER = 5_000_000  # bytes
UNREADABLE = "Parallel’s answer could not be read: it does not have the format of its API."
UNFINISHED = frozenset({"queued", "running", "action_required", "cancelling"})


class GuardedHttpx(httpx.AsyncBaseTransport):
    """A transport for clients built on httpx: their requests use the guarded connections."""

    def __init__(self, transport: httpx2.AsyncBaseTransport) -> None:
        self._client = httpx2.AsyncClient(
            transport=transport, follow_redirects=False, trust_env=False, timeout=TIMEOUT_S
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        headers = [header for header in request.headers.raw if header[0].lower() != b"accept-encoding"]
        try:
            async with self._client.stream(
                request.method, str(request.url), headers=headers, content=body
            ) as answer:
                data = await _read(answer)
                kept = [
                    (name, value) for name, value in answer.headers.raw if name.lower() not in _OF_THE_WAY
                ]
                return httpx.Response(answer.status_code, headers=kept, content=data, request=request)
        except (httpcore2.TimeoutException, httpx2.TimeoutException) as error:
            raise httpx.ReadTimeout(type(error).__name__, request=request) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise httpx.ConnectError(type(error).__name__, request=request) from error
        except httpx2.HTTPError as error:
            raise httpx.ConnectError(type(error).__name__, request=request) from error

    async def aclose(self) -> None:
        await self._client.aclose()


class ParallelReplyTooLarge(Exception):
    """The reply exceeds the limit. The client wraps this, like every error of its transport."""


_OF_THE_WAY = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})


async def _read(answer: httpx2.Response) -> bytes:
    parts, size = [], 0
    async for part in answer.aiter_bytes():
        size += len(part)
        if size > MAX_ANSWER:
            raise ParallelReplyTooLarge
        parts.append(part)
    return b"".join(parts)


async def fetch(external_run: str, key: str) -> TaskSnapshot:
    """Return the task and, once it has ended, its result. Raises ParallelAway and ParallelRefused."""
    pool = httpx.AsyncClient(
        transport=GuardedHttpx(GuardedTransport(GuardedBackend(address_rules()))),
        timeout=TIMEOUT_S,
        trust_env=False,
        follow_redirects=False,
    )
    async with parallel.AsyncParallel(
        api_key=key, base_url=settings.PLUMBLINE_PARALLEL_URL, max_retries=0, http_client=pool
    ) as client:
        try:
            async with asyncio.timeout(MAX_S):
                return await _fetch_run(client, external_run)
        except parallel.APIStatusError as error:
            raise refusal(error.status_code) from error
        except (parallel.APITimeoutError, TimeoutError) as error:
            raise ParallelAway("Parallel did not answer in time.") from error
        except parallel.APIError as error:
            if isinstance(error.__cause__, ParallelReplyTooLarge):
                raise ParallelRefused(
                    f"Parallel’s answer is larger than {MAX_ANSWER // 10**6} MB."
                ) from error
            raise ParallelAway(_describe_connection_error(error)) from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ParallelAway(UNREADABLE) from error


async def _fetch_run(client: parallel.AsyncParallel, external_run: str) -> TaskSnapshot:
    run: object = await client.task_run.retrieve(external_run)
    dumped = _dump_unvalidated(run) if isinstance(run, TaskRun) else {}
    status = dumped.get("status")
    if not isinstance(status, str):
        raise ParallelAway(UNREADABLE)  # an error page of a proxy
    if status in UNFINISHED:
        return TaskSnapshot(status, None)
    if status != "completed":
        return TaskSnapshot(status, {"run": dumped, "output": None})
    found: object = await client.task_run.result(external_run, api_timeout=1)
    if not isinstance(found, TaskRunResult):
        raise ParallelAway(UNREADABLE)
    return TaskSnapshot(status, _dump_unvalidated(found))


def _dump_unvalidated(answer: parallel.BaseModel) -> dict[str, object]:
    """Return the task as received, with unknown fields; values of a wrong type are refused later with a message."""
    return answer.model_dump(mode="json", warnings=False)


def _describe_connection_error(error: parallel.APIError) -> str:
    """Describe the error that the client has wrapped."""
    cause = error.__cause__
    if isinstance(cause, GuardRefused | NoSuchHost):
        return f"Its address cannot be used: {cause}."
    return "Parallel could not be reached."


def refusal(status: int) -> ParallelAway | ParallelRefused:
    """Return the exception for a response of Parallel with this error status."""
    if status in (401, 403):
        return ParallelRefused("Parallel does not accept the workspace’s key.")
    if status == 404:
        return ParallelRefused("Parallel has no task with this ID.")
    if status == 429:
        return ParallelAway("Parallel received too many requests (429).")
    if status == 408:
        return ParallelAway("The task’s result is not ready yet (408).")
    if status >= 500:
        return ParallelAway(f"Parallel returned an error ({status}).")
    return ParallelRefused(f"Parallel answered {status}.")
