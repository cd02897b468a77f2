"""Benchmarks of parsing documents and embedding their passages, on generated documents that are the same every time."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from research.evaluation.evaluation_grounding_speed import sentence
from research.parsing.chunking import CutDocument
from research.parsing.parsing_child import read_in_child
from research.parsing.vectors.embed_texts import Embedder

BATCH = 64  # passages, as the library embeds them
_SEEDED = random.Random  # makes text, guards nothing
_LINES = 48  # of a page


@dataclass(frozen=True, slots=True)
class Throughput:
    """A number of items and the seconds that they took."""

    count: int
    seconds: float

    @property
    def a_second(self) -> float:
        return self.count / self.seconds


def web_page(seed: int, words: int = 1_000) -> bytes:
    """Return an article of about `words` words within a site's usual navigation and footer."""
    rng, parts, count = _SEEDED(seed), [], 0
    while count < words:
        paragraph = " ".join(sentence(rng) for _ in range(5))
        count += len(paragraph.split())
        parts.append(f"<p>{paragraph}</p>")
        if len(parts) % 4 == 0:
            parts.append(f"<h2>{sentence(rng)[:40]}</h2>")
    links = "".join(f"<li><a href='/{n}'>Page {n}</a></li>" for n in range(40))
    sheet = "<style>.x{display:none}</style>"
    head = f"<title>Report {seed}</title><meta property='og:site_name' content='Bench'>{sheet}"
    body = f"<nav><ul>{links}</ul></nav><article><h1>Report {seed}</h1>{''.join(parts)}</article>"
    return f"<!doctype html><html lang=en><head>{head}</head><body>{body}<footer>End</footer></body></html>".encode()


def paper(seed: int, pages: int = 10) -> bytes:
    """Return a PDF of full pages in a standard font."""
    rng = _SEEDED(seed)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number in range(pages):
        lines = "".join(f"({_escape_pdf_string(sentence(rng)[:90])}) ' " for _ in range(_LINES))
        stream = f"BT /F1 10 Tf 14 TL 56 760 Td {lines}ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream.encode('cp1252', 'replace'))} >> stream\n{stream}\nendstream")
    body = "".join(f"{number} 0 obj {content} endobj\n" for number, content in enumerate(objects, 1))
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n%%EOF\n"
    return f"%PDF-1.4\n{body}{end}".encode("cp1252", "replace")


def _escape_pdf_string(words: str) -> str:
    return words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def measure_reading(documents: Sequence[bytes], name: str) -> tuple[Throughput, list[CutDocument]]:
    """Parse and chunk documents one after the other in the limited child process, not counting its start."""
    read_in_child(documents[0], name)
    start = time.perf_counter()
    read = [read_in_child(data, name) for data in documents]
    return Throughput(len(read), time.perf_counter() - start), read


def measure_embedding(embedder: Embedder, documents: Sequence[CutDocument]) -> Throughput:
    """Embed the documents' passages in batches, not counting the loading of the model."""
    texts = [
        document.document.text[draft.start : draft.end] for document in documents for draft in document.chunks
    ]
    embedder.embed(texts[:1])
    start = time.perf_counter()
    for first in range(0, len(texts), BATCH):
        embedder.embed(texts[first : first + BATCH])
    return Throughput(len(texts), time.perf_counter() - start)
