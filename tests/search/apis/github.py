"""GitHub's search: repositories and code by numbered pages; its limit is 403 with the second of the next turn."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from research.models import SourceType
from research.search.search_protocol import SearchHit, SearchType
from tests.fetching.site import Said
from tests.search.apis.server import KEY, Call, Made, World

SIZE = 50


@dataclass(frozen=True)
class MadeCode(Made):
    copy: str = ""
    stars: int | None = None
    kind: SourceType = field(default=SourceType.CODE)

    @property
    def hit(self) -> SearchHit:
        return replace(super().hit, full_text=self.copy, stars=self.stars, has_code=True)


def answer(call: Call, results: Sequence[object]) -> Said:
    """Both kinds of search."""
    if call.path == "/search/code" and call.headers.get("authorization") != f"Bearer {KEY}":
        return Said(json.dumps({"message": "Requires authentication", "status": "401"}), 401)
    if call.path not in ("/search/code", "/search/repositories"):
        return Said(json.dumps({"message": "Not Found"}), 404)
    size, number = call.number("per_page", 30), call.number("page", 1)
    if not call.word("q") or len(call.word("q")) > 300 or size * number > 1_000:
        return refusal()
    part = results[size * (number - 1) : size * number]
    body = {"total_count": len(results), "incomplete_results": False, "items": part}
    return Said(json.dumps(body), kind="application/json", headers={"X-RateLimit-Remaining": "9"})


def refusal() -> Said:
    fault = {"resource": "Search", "field": "q", "code": "invalid"}
    return Said(json.dumps({"message": "Validation Failed", "errors": [fault], "status": "422"}), 422)


def build_limit(wait_s: float = 3_000) -> Said:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{time.time() + wait_s:.0f}"}
    words = "API rate limit exceeded for 198.51.100.7. (But here's the good news: sign in.)"
    return Said(json.dumps({"message": words}), 403, kind="application/json", headers=headers)


def repository(number: int) -> MadeCode:
    name = f"heat/pump-{number}"
    day = f"2024-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    return MadeCode(
        f"https://github.com/{name}", name, f"Drives {number} heat pumps · Python", day,
        domain="github.com", stars=number,
    )  # fmt: skip


def raw_repository(made: MadeCode) -> dict[str, object]:
    description, _, language = made.text.partition(" · ")
    return {
        "id": 3081286, "full_name": made.title, "html_url": made.url, "description": description, "fork": False,
        "pushed_at": f"{made.published}T16:02:08Z", "stargazers_count": made.stars, "language": language,
        "topics": [], "score": 1.0, "owner": {"login": "heat"}, "private": False,
    }  # fmt: skip


def file(number: int) -> MadeCode:
    path = f"heat/pumps/blob/0dd9ba1/src/pump_{number}.py"
    return MadeCode(
        f"https://github.com/{path}", f"heat/pumps: src/pump_{number}.py", f"def pump_{number}(): … return {number}",
        domain="github.com", copy=f"https://raw.githubusercontent.com/{path.replace('blob/', '')}",
    )  # fmt: skip


def raw_file(made: MadeCode) -> dict[str, object]:
    repository, _, path = made.title.partition(": ")
    return {
        "name": path.rpartition("/")[2], "path": path, "sha": "d7212f9dee2d", "html_url": made.url, "score": 1.0,
        "repository": {"id": 167174, "full_name": repository, "private": False},
        "text_matches": [{"object_type": "FileContent", "property": "content", "fragment": part, "matches": []}
                         for part in made.text.split(" … ")],
    }  # fmt: skip


_NONSENSE = ("<html>oops", "", "[7", "null", "{}", '{"items": 7}')
WORLD = World(
    "github", answer, raw_repository, SIZE, repository, SearchType.CODE, limited=build_limit(), nonsense=_NONSENSE,
    odd=(7, None, [], {}, {"full_name": "a/b"}, {"full_name": "a/b", "html_url": 7}),
)  # fmt: skip
CODE_WORLD = World(
    "github_code", answer, raw_file, SIZE, file, SearchType.CODE, limited=build_limit(), nonsense=_NONSENSE, key=KEY,
    odd=(7, None, [], {}, {"path": "a", "html_url": "https://github.com/a"}),
)  # fmt: skip
