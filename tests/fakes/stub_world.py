"""A world to measure runs in: a model, a search engine and web sites on this machine, each as slow as it is told.

    python -m tests.fakes.stub_world --model 1.0 --search 0.3 --page 0.3 --embedding 0.1

Prints its address. The model speaks OpenAI's protocol below `/v1`, the search SearXNG's JSON at `/search`; pages are
`/page/N`, of some 700 words, each another. `/stats` tells how often each was asked and how many model calls were in
flight at most. Everything follows from the request: two runs of the same question meet the same world.
"""

import argparse
import asyncio
import json
import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from research.evaluation.grounding_speed import sentence
from tests.fakes.openai_answers import Request, Wire
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.stub_answers import behave

PAGES = 5_000  # of the world
RESULTS = 25  # of a page of the search
SENTENCES = 45  # of a page


@dataclass
class StubWorld(FakeOpenAI):
    """The server; a context manager, as FakeOpenAI. Latencies in seconds; `latency_s` is the model's."""

    search_s: float = 0.0
    page_s: float = 0.0
    embedding_s: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.default = behave

    @property
    def address(self) -> str:
        return self.base_url.removesuffix("/v1")

    async def _answer(self, request: Request) -> Wire:
        url = urlsplit(request.path)
        kind = url.path.split("/")[1]
        self.asked[kind if kind != "v1" else url.path] += 1
        match kind:
            case "search":
                await asyncio.sleep(self.search_s)
                return _json(results(self.address, parse_qs(url.query)))
            case "page":
                await asyncio.sleep(self.page_s)
                return Wire(200, page(url.path), {"content-type": "text/html; charset=utf-8"})
            case "stats":
                return _json({"asked": self.asked, "most_in_flight": self.most_in_flight})
            case "v1":
                if url.path.endswith("/embeddings"):
                    await asyncio.sleep(self.embedding_s)
                return await super()._answer(request)
        return Wire(404, b"", {"content-type": "text/plain"})


def results(address: str, asked: dict[str, list[str]]) -> dict[str, object]:
    """As SearXNG gives them: other pages for other words, and further ones on further pages."""
    query, number = asked.get("q", [""])[0], int(asked.get("pageno", ["1"])[0])
    pages = random.Random(query).sample(range(PAGES), RESULTS * 10)[(number - 1) * RESULTS : number * RESULTS]
    hits = [
        {
            "url": f"{address}/page/{one}",
            "title": title(one),
            "content": f"{query}: {title(one)}."[:95],
            "engine": "stub",
        }
        for one in pages
    ]
    return {"query": query, "results": hits, "unresponsive_engines": []}


def title(number: int) -> str:
    return f"Report {number} on {sentence(random.Random(number)).split(' in ')[0].removeprefix('The ')}"


def page(path: str) -> bytes:
    """Sentences with figures, and the lines that tables ask for."""
    number = int(path.rsplit("/", 1)[1] or 0)
    chance = random.Random(number)
    told = "".join(f"<p>{' '.join(sentence(chance) for _ in range(5))}</p>" for _ in range(SENTENCES // 5))
    facts = "".join(
        f"<p>{name} {number}: {chance.randint(10, 9_999)}</p>" for name in ("Capacity", "Revenue", "Year")
    )
    head = f"<title>{title(number)}</title><meta name='author' content='Ann Author {number % 97}'>"
    return f"<html lang='en'><head>{head}</head><body><h1>{title(number)}</h1>{told}{facts}</body></html>".encode()


def _json(value: object) -> Wire:
    return Wire(200, json.dumps(value).encode())


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    for what, seconds in (("model", 1.0), ("search", 0.3), ("page", 0.3), ("embedding", 0.1)):
        parser.add_argument(
            f"--{what}", type=float, default=seconds, metavar="S", help="seconds an answer takes"
        )
    given = parser.parse_args()
    world = StubWorld(
        port=given.port,
        latency_s=given.model,
        search_s=given.search,
        page_s=given.page,
        embedding_s=given.embedding,
    )
    with world:
        print(world.address, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
