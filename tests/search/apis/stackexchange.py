"""Stack Exchange: always packed, by numbered pages; its refusals have status 400 and a number of their own."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from research.search.search_protocol import SearchHit, SearchType
from tests.fetching.site import Said
from tests.search.apis.server import Call, Made, World


@dataclass(frozen=True)
class MadeQuestion(Made):
    score: int = 0

    @property
    def hit(self) -> SearchHit:
        return replace(super().hit, stars=self.score, has_code=True)


def answer(call: Call, results: Sequence[object], **more: object) -> Said:
    size, number = call.number("pagesize", 30), call.number("page", 1)
    if call.path != "/2.3/search/advanced" or not call.word("site") or size > 100:
        return refusal(400, "bad_parameter", "site is required")
    part = results[size * (number - 1) : size * number]
    body = {
        "items": part, "has_more": size * number < len(results), "quota_max": 300, "quota_remaining": 287, **more,
    }  # fmt: skip
    return pack_answer(body)


def pack_answer(body: object, status: int = 200) -> Said:
    data = gzip.compress(json.dumps(body).encode())
    return Said(data, status, "application/json; charset=utf-8", {"Content-Encoding": "gzip"})


def refusal(number: int, name: str, words: str) -> Said:
    return pack_answer({"error_id": number, "error_name": name, "error_message": words}, 400)


def question(number: int) -> MadeQuestion:
    day = f"2024-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
    return MadeQuestion(
        f"https://stackoverflow.com/questions/{number}/how-do-i-heat", f'How do I "heat" {number}?',
        f"I call heat({number}) & nothing happens.", day, domain="stackoverflow.com", score=number,
    )  # fmt: skip


def raw(made: MadeQuestion) -> dict[str, object]:
    year, month, day = map(int, made.published.split("-"))
    text = made.text.replace("&", "&amp;").replace("heat(", "<code>heat(").replace(") ", ")</code> ", 1)
    return {
        "tags": ["python"], "is_answered": True, "score": made.score, "link": made.url, "answer_count": 2,
        "creation_date": int(datetime(year, month, day, 12, tzinfo=UTC).timestamp()), "question_id": made.score,
        "title": made.title.replace('"', "&quot;"), "body": f"<p>{text}</p>\n", "content_license": "CC BY-SA 4.0",
    }  # fmt: skip


WORLD = World(
    "stackexchange", answer, raw, 50, question, SearchType.CODE,
    odd=(7, None, [], {}, {"link": 7, "title": "x"}, {"link": "https://a.example/"}),
    limited=refusal(502, "throttle_violation",
                    "too many requests from this IP, more requests available in 82216 seconds"),
    nonsense=("<html>oops", "", "[7", "null", "{}", '{"items": 7}'),
)  # fmt: skip
