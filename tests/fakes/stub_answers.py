"""Answers of the stub world's model: from the request alone, as a careful model would give them, at no cost.

A claim is a sentence of the passage it names, a cell a figure of the line that names its column, a section its claims
word for word. So runs end as they do with a model, and what is measured is the product's own part.
"""

import json
import re

from tests.fakes.openai_answers import Request, Wire, generate_answer, text

BLOCK = re.compile(r"<source-text-(\w+)([^>]*)>\n(.*?)\n</source-text-\1>", re.DOTALL)
LABEL = re.compile(r'(\w+)="([^"]*)"')
SENTENCE = re.compile(r"[A-Z][^.\n]{30,300}\.(?=\s|$)")
FIELD = re.compile(r"^- (\w+) \(", re.MULTILINE)
SUBTOPIC = re.compile(r"^(\d+)\. ", re.MULTILINE)
ASPECTS = ("Cost", "Output", "Reliability", "Use")
CLAIMS_A_SOURCE = 2


def behave(request: Request) -> Wire:
    """The answer that the schema of the request asks for; of another schema, whatever fits it."""
    wanted = set((request.schema or {}).get("properties", {}))
    for keys, behaviour in _KNOWN.items():
        if keys <= wanted:
            return text(json.dumps(behaviour(request)))(request)
    return generate_answer()(request)


def blocks(request: Request) -> list[tuple[dict[str, str], str]]:
    """The data blocks of a prompt: labels and words."""
    return [(dict(LABEL.findall(labels)), words) for _, labels, words in BLOCK.findall(request.text)]


def _plan(request: Request) -> dict[str, object]:
    topic = re.search(r"^Question: (.+)$", request.text, re.MULTILINE)
    asked = topic.group(1).strip() if topic else "the question"
    subtopics = [
        {
            "name": aspect,
            "description": f"{aspect} of what is asked.",
            "queries": [f"{aspect} {asked}"[:150], f"{aspect} figures {asked}"[:150]],
            "priority": "important",
        }
        for aspect in ASPECTS
    ]
    outline = [{"heading": one, "subtopic": n, "target_words": 150} for n, one in enumerate(ASPECTS, 1)]
    return {"goal": asked, "subtopics": subtopics, "outline": outline, "questions": []}


def _claims(request: Request) -> dict[str, object]:
    topics = SUBTOPIC.findall(request.text) or ["1"]
    found = [(labels, quote) for labels, words in blocks(request) for quote in SENTENCE.findall(words)]
    return {
        "claims": [
            {
                "text": quote,
                "quote": quote,
                "passage": int(labels.get("passage", 1)),
                "subtopic": int(topics[len(quote) % len(topics)]),
                "answers": True,
            }
            for labels, quote in found[:CLAIMS_A_SOURCE]
        ]
    }


def _section(request: Request) -> dict[str, object]:
    told = [{"claim": int(labels.get("claim", 0)), "text": words} for labels, words in blocks(request)]
    return {"paragraphs": [{"sentences": told[n : n + 5]} for n in range(0, len(told), 5)]}


def _opinion(request: Request) -> dict[str, object]:
    quotes = [quote for _, words in blocks(request) for quote in SENTENCE.findall(words)]
    return {"verdict": "supported", "quote": quotes[-1] if quotes else "", "reason": "The words say so."}


def _cells(request: Request) -> dict[str, object]:
    return {"cells": [_cell(name, request) for name in FIELD.findall(request.text)]}


def _cell(name: str, request: Request) -> dict[str, object]:
    for labels, words in blocks(request):
        line = re.search(
            rf"^[^\n]*\b{re.escape(name)}\b[^\n]*?(\d+)[^\n]*$", words, re.IGNORECASE | re.MULTILINE
        )
        if line:
            return {
                "field": name,
                "values": [line.group(1)],
                "quote": line.group(0).strip(),
                "passage": int(labels.get("passage", 1)),
                "reason": "",
            }
    return {"field": name, "values": [], "quote": "", "passage": 0, "reason": "No passage says it."}


_KNOWN = {
    frozenset({"subtopics", "outline"}): _plan,
    frozenset({"claims"}): _claims,
    frozenset({"paragraphs"}): _section,
    frozenset({"verdict", "quote"}): _opinion,
    frozenset({"cells"}): _cells,
}
