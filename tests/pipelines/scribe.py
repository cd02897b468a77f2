"""A model for tests that does its work well: it plans, copies what it quotes, and restates claims word for word."""

import json
import re
from collections.abc import Callable

from tests.fakes.openai_answers import INVENTED_QUOTE, Behaviour, Request, Wire, answer

BLOCK = re.compile(r"<source-text-[0-9a-f]+ ?(?P<labels>[^>]*)>\n(?P<text>.*?)\n</source-text-", re.DOTALL)
SENTENCE = re.compile(r"(?<![.\w])[A-Z][^\n]{15,300}?[.](?=\s|$)", re.DOTALL)
TOPIC = re.compile(r"^Question: (.+)$", re.MULTILINE)
Answerer = Callable[[Request], object]


def get_form_name(request: Request) -> str:
    """Name of the form of the answer: PlanAnswer, ClaimsAnswer, SectionAnswer, Opinion."""
    return request.body["response_format"]["json_schema"]["name"]


def blocks(request: Request) -> list[tuple[str, str]]:
    """Labels and text of the data blocks in the prompt."""
    user = request.body["messages"][-1]["content"]
    return [(found["labels"], found["text"]) for found in BLOCK.finditer(user)]


def plan(request: Request) -> dict:
    topic = TOPIC.search(request.text).group(1)
    limits = {"name": "The limits", "description": "", "queries": [topic, "seasonal performance"]}
    costs = {"name": "The costs", "description": "", "queries": ["cost subsidy"]}
    return {
        "goal": topic,
        "subtopics": [{**limits, "priority": "critical"}, {**costs, "priority": "important"}],
        "outline": [
            {"heading": "Limits", "subtopic": 1, "target_words": 120},
            {"heading": "Costs", "subtopic": 2, "target_words": 120},
        ],
    }


def claims(request: Request) -> dict:
    found = []
    for labels, text in blocks(request):
        passage = int(re.search(r'passage="(\d+)"', labels).group(1))
        for sentence in SENTENCE.findall(text):
            words = " ".join(sentence.split())
            found.append(
                {"text": words, "quote": sentence, "passage": passage, "subtopic": 1, "answers": True}
            )
    return {"claims": found[:6]}


def section(request: Request) -> dict:
    stated = [
        {"claim": number, "text": " ".join(text.split())}
        for number, (_labels, text) in enumerate(blocks(request), start=1)
    ]
    return {"paragraphs": [{"sentences": stated}]}


def opinion(request: Request) -> dict:
    [_claim, (_labels, passage)] = blocks(request)
    quote = SENTENCE.findall(passage) or [passage]
    return {"verdict": "supported", "quote": quote[0], "reason": "It says so."}


def baseline(request: Request) -> dict:
    """Every sentence of every source, and one that nobody wrote."""
    found = []
    for labels, text in blocks(request):
        number = int(re.search(r'source="(\d+)"', labels).group(1))
        found += [
            {"text": " ".join(one.split()), "source": number, "quote": one} for one in SENTENCE.findall(text)
        ]
    return {"sentences": [*found, {"text": INVENTED_QUOTE, "source": 1, "quote": INVENTED_QUOTE}]}


ANSWERS: dict[str, Answerer] = {
    "BaselineAnswer": baseline,
    "PlanAnswer": plan,
    "ClaimsAnswer": claims,
    "SectionAnswer": section,
    "Opinion": opinion,
}


def scribe(**other: Answerer | Behaviour) -> Behaviour:
    """Answers by the form asked for; `other` puts one's own in place: claims=lambda request: {...}."""
    changed = {
        f"{name.title()}Answer" if name != "opinion" else "Opinion": act for name, act in other.items()
    }

    def behave(request: Request) -> Wire:
        made = {**ANSWERS, **changed}[get_form_name(request)](request)
        return made if isinstance(made, Wire) else answer(made)(request)

    return behave


def count(requests: list[Request], form: str) -> int:
    return sum(get_form_name(request) == form for request in requests)


def dump_request(request: Request) -> str:
    return json.dumps(request.body, ensure_ascii=False)
