"""A world to measure runs in: a model, a search engine and web sites on this machine, each as slow as it is told.

    python -m tests.fakes.stub_world --model 1.0 --search 0.3 --page 0.3 --embedding 0.1

Prints its address. The model speaks OpenAI's protocol below `/v1`, the search SearXNG's JSON at `/search`; pages are
`/page/N`, of some 700 words, each another; with `--firms`, `/firms` lists them and `/firm/N` is about one. `/stats`
tells how often each was asked and how many model calls were in flight at most. Everything follows from the request:
two runs of the same question meet the same world.
"""

import argparse
import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from research.evaluation.evaluation_grounding_speed import sentence
from tests.fakes.firms import MAX_FIRMS, find_firms, page_of_firms
from tests.fakes.openai_answers import Request, Wire
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.stub_answers import behave

PAGES = 5_000  # of the world
RESULTS = 25  # of a page of the search
SENTENCES = 45  # of a page
FILLER = (
    "This page is kept by volunteers. Corrections are welcome, and letters are answered within a week or two. "
    "The pictures may be copied by anybody who names the person who took them."
)
HTML = {"content-type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class OwnPage:
    """A page of a test's own, below `/own/`. `is_found`: by which queries the search finds it."""

    title: str
    paragraphs: tuple[str, ...]
    is_found: Callable[[str], bool]


@dataclass
class StubWorld(FakeOpenAI):
    """The server; a context manager, as FakeOpenAI. Latencies in seconds; `latency_s` is the model's. `own` pages come
    before `others` pages of the world, for each page of results. `firms`: how many firms it has pages on.
    """

    own: Mapping[str, OwnPage] = field(default_factory=dict)
    others: int = RESULTS
    firms: int = 0
    queries: list[str] = field(default_factory=list)
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
                return _json(self._results(parse_qs(url.query)))
            case "own":
                own = self.own.get(url.path.removeprefix("/own/"))
                return Wire(404, b"", {}) if own is None else Wire(200, own_page(own), HTML)
            case "firms" | "firm":
                await asyncio.sleep(self.page_s)
                found = page_of_firms(self.firms, request.path)
                return Wire(404, b"", {}) if found is None else Wire(200, found, HTML)
            case "page":
                await asyncio.sleep(self.page_s)
                return Wire(200, page(url.path), HTML)
            case "stats":
                return _json({"asked": self.asked, "most_in_flight": self.most_in_flight})
            case "v1":
                if url.path.endswith("/embeddings"):
                    await asyncio.sleep(self.embedding_s)
                return await super()._answer(request)
        return Wire(404, b"", {"content-type": "text/plain"})

    def _results(self, asked: dict[str, list[str]]) -> dict[str, object]:
        query, is_first = asked.get("q", [""])[0], asked.get("pageno", ["1"]) == ["1"]
        self.queries.append(query)
        found = results(self.address, asked)
        own = [
            {"url": f"{self.address}/own/{name}", "title": one.title, "content": "", "engine": "stub"}
            for name, one in self.own.items()
            if is_first and one.is_found(query)
        ]
        firms = [
            {"url": f"{self.address}{one['path']}", "title": one["title"], "content": "", "engine": "stub"}
            for one in (find_firms(self.firms, query) if is_first else ())
        ]
        return {**found, "results": [*own, *firms, *found["results"][: self.others]]}


def own_page(own: OwnPage) -> bytes:
    told = "".join(f"<p>{text}</p>" for text in (*own.paragraphs, FILLER))
    return (
        f"<html lang='en'><head><title>{own.title}</title></head><body><article><h1>{own.title}</h1>{told}"
        "</article></body></html>"
    ).encode()


def results(address: str, asked: dict[str, list[str]]) -> dict[str, Any]:
    """Return results as SearXNG does: other pages for other words, and further ones on further pages."""
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
    parser.add_argument(
        "--firms", type=int, default=0, metavar="N", help=f"firms to find, {MAX_FIRMS} at most"
    )
    given = parser.parse_args()
    world = StubWorld(
        port=given.port,
        latency_s=given.model,
        search_s=given.search,
        page_s=given.page,
        embedding_s=given.embedding,
        firms=given.firms,
    )
    with world:
        print(world.address, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
