"""Values that each prompt can be rendered with, by its name."""

from collections.abc import Mapping

from research.agents.agent_prompt_data_blocks import SourceText

TASK: Mapping[str, object] = {
    "goal": "Compare heat pumps.",
    "title": "Find their costs",
    "description": "Of installation and of a year.",
    "expected_output": "Euros.",
    "fallback": "",
    "inputs": [{"name": "sources", "text": SourceText("src-0123456789ab")}],
}
WORDS = SourceText("Each installation cost 14,200 euros on average.")
REPORT: Mapping[str, Mapping[str, object]] = {
    "planner/report": {"question": "What do heat pumps cost?", "sources": 30, "from_date": "", "to_date": ""},
    "planner/instruction": {
        "question": "What do heat pumps cost?",
        "subtopics": ["Costs"],
        "sources": 30,
        "from_date": "",
        "to_date": "",
        "instruction": "Also look at noise, and not example.org.",
    },
    "planner/replan": {
        "question": "What do heat pumps cost?",
        "sources": 30,
        "from_date": "2020",
        "to_date": "",
        "why": "The search ended with far too few sources.",
        "note": "Look at rented homes, too.",
        "subtopics": [{"name": "Costs", "queries": ["heat pump cost"], "found": 1, "wanted": 15}],
        "gaps": ["Nothing was found on “Costs”."],
        "failures": ["TIMEOUT: 2"],
    },
    "orchestrator/report": {
        "question": "What do heat pumps cost?",
        "from_date": "2020",
        "to_date": "",
        "most": 6,
        "subtopics": [
            {
                "name": "Costs",
                "description": "",
                "queries": ["heat pump cost"],
                "found": 1,
                "wanted": 15,
            }
        ],
    },
    "writer/brief": {
        "answer": WORDS,
        "reasoning": WORDS,
        "query": "What do heat pumps cost?",
        "comments": "Shorter, please.",
        "existing": WORDS,
        "pieces": [{"number": 1, "title": "Costs", "text": WORDS}],
    },
    "extractor/claims": {
        "question": "What do heat pumps cost?",
        "subtopics": [{"number": 1, "name": "Costs"}],
        "passages": [{"number": 1, "section": "Costs", "text": WORDS}],
        "most": 4,
    },
    "writer/section": {
        "question": "What do heat pumps cost?",
        "heading": "Costs",
        "words": 150,
        "others": ["Limits"],
        "plan": [{"text": "Find sources on “Costs”", "is_done": True}, {"text": "Write", "is_done": False}],
        "claims": [{"number": 1, "text": WORDS}],
        "is_strict": True,
    },
    "writer/slides": {
        "title": "What do heat pumps cost?",
        "most": 12,
        "sections": [{"heading": WORDS, "claims": [{"number": 1, "strength": "strong", "text": WORDS}]}],
    },
    "writer/baseline": {
        "question": "What do heat pumps cost?",
        "sources": [{"number": 1, "title": "Field trial", "text": WORDS}],
    },
    "verifier/claim": {"claim": WORDS, "passage": WORDS},
}
COLUMN = {
    "name": "cost",
    "type": "number",
    "many": False,
    "format": "EUR",
    "title": "Cost",
    "description": "Of one installation.",
}
ROW: Mapping[str, object] = {
    "prompt": "What does each heat pump cost?",
    "item": "P7 large",
    "fields": [COLUMN],
    "passages": [{"number": 1, "source": 1, "text": WORDS}],
}
TABLE: Mapping[str, Mapping[str, object]] = {
    "analyzer/insights": {
        "topic": "What does each heat pump cost?",
        "count": 12,
        "statistics": ["cost, mean: 14200"],
        "rows": [{"number": 1, "text": WORDS}],
    },
    "planner/table": {
        "request": "Price and noise of each heat pump",
        "has_items": True,
        "items": [{"number": 1, "text": WORDS}],
        "most_items": 100,
        "most_columns": 30,
        "place": "{{input}}",
    },
    "writer/digest": {
        "question": "How are pipes kept quiet?",
        "characters": 600,
        "posts": [{"id": "p1", "text": SourceText("The bang is gone.")}],
    },
    "writer/synthesis": {
        "topic": "Sleep",
        "studies": [{"number": 1, "text": SourceText("Sleep was better.")}],
    },
    "researcher/cells": ROW,
    "researcher/members": {
        "wanted": "members of the league",
        "most": 20,
        "passages": [{"number": 1, "text": SourceText("Arden and Calder are members of the league.")}],
    },
    "verifier/cells": {**ROW, "fields": [{**COLUMN, "proposed": SourceText("14200")}]},
}
SAMPLES: Mapping[str, Mapping[str, object]] = {
    "extractor/summary": {
        "id": "src-0123456789ab",
        "title": "Field trial",
        "style": "brief",
        "topics": ["costs", "noise"],
        "words": 200,
        "text": SourceText("Each installation cost 14,200 euros on average."),
    },
    "finish": {},
    **REPORT,
    **TABLE,
    **{f"{role}/task": TASK for role in "researcher extractor analyzer writer verifier executor".split()},
}
