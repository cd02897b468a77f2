"""The stub world answers as runs need it, and the same every time."""

import json
import urllib.request

import pytest

from tests.fakes.openai_answers import Request
from tests.fakes.stub_answers import behave
from tests.fakes.stub_world import RESULTS, StubWorld, page, results


@pytest.fixture(scope="module")
def world():
    with StubWorld() as served:
        yield served


def got(world: StubWorld, path: str) -> bytes:
    with urllib.request.urlopen(world.address + path) as answer:
        return answer.read()


def ask_world(prompt: str, *keys: str) -> dict:
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in keys}}
    form = {"type": "json_schema", "json_schema": {"schema": schema}}
    request = Request(
        "/v1/chat/completions", {}, {"messages": [{"content": prompt}], "response_format": form}, 1
    )
    return json.loads(json.loads(behave(request).body)["choices"][0]["message"]["content"])


def test_the_search_leads_to_pages_and_is_counted(world):
    hits = json.loads(got(world, "/search?q=tide+gauges&format=json"))["results"]
    assert len({hit["url"] for hit in hits}) == RESULTS
    assert hits[0]["title"].encode() in got(world, hits[0]["url"].removeprefix(world.address))
    assert json.loads(got(world, "/stats"))["asked"] == {"search": 1, "page": 1, "stats": 1}


def test_further_pages_of_the_search_have_other_results():
    first, second = (results("", {"q": ["pumps"], "pageno": [n]})["results"] for n in ("1", "2"))
    assert not {one["url"] for one in first} & {one["url"] for one in second}


def test_a_page_says_the_same_every_time():
    assert page("/page/7") == page("/page/7") != page("/page/8")


def test_claims_are_sentences_of_their_passage():
    words = "The output of the wind farm in Riga rose to 12 percent in 2004. More."
    [claim] = ask_world(f'<source-text-ab passage="3">\n{words}\n</source-text-ab>', "claims")["claims"]
    assert claim["quote"] in words
    assert claim["passage"] == 3


def test_a_cell_is_a_figure_of_the_line_that_names_its_column():
    columns = "- capacity (number): x\n- colour (string): y\n"
    prompt = f'{columns}<source-text-ab passage="1">\nCapacity 7: 4512\n</source-text-ab>'
    capacity, colour = ask_world(prompt, "cells")["cells"]
    assert capacity["quote"] == "Capacity 7: 4512"
    assert colour["values"] == []
