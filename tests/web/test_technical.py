"""A technical answer on its pages: facts, results, code, table, outputs, diagrams, and going on from it."""

import json

import pytest

from research.db.tenancy import tenant_context
from research.models import Kind, Relation, Run
from research.web.site.page_code_highlighting import highlight_code
from tests.people import join
from tests.web.technical_world import DIAGRAM, make_technical

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return join("ada")


@pytest.fixture
def world(ada):
    return make_technical(ada)


@pytest.fixture
def owner(client, ada):
    client.force_login(ada.user)
    return client


@pytest.fixture
def page(owner, world) -> str:
    return owner.get(f"/runs/{world.run.pk}/report/").content.decode()


def test_the_page_shows_results_code_table_and_what_is_gone(page):
    for words in (
        "r-17",
        "heat pumps −15 °C",
        "Syntax checked",
        "Relevance 63%",
        "Not there (404).",
        "Ask further",
    ):
        assert words in page
    assert "1 example left out" in page
    assert ">not stated<" in page


def test_nothing_of_a_source_is_markup(page):
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert highlight_code("<", "python").strip() == '<span class="c-o">&lt;</span>'


def test_every_cell_of_the_table_that_says_something_is_cited(owner, world):
    answer = json.loads(owner.get(f"/runs/{world.run.pk}/technical.json").content)
    cells = [cell for row in answer["synthesis"]["comparison"]["rows"] for cell in row["cells"]]
    assert [bool(cell and cell["citations"]) for cell in cells] == [True, False]


def test_the_answer_has_the_shape_that_was_promised(owner, world):
    answer = json.loads(owner.get(f"/runs/{world.run.pk}/technical.json").content)
    assert (answer["status"], answer["type"], answer["request_id"]) == ("success", "comparison", "r-17")
    assert [one["relevance"] for one in answer["results"]] == [0.63, 0.4]
    assert answer["code_examples"][0]["check"] == "passed"
    assert answer["key_findings"][0]["citations"]
    assert answer["citations"][0]["accessed"]
    assert answer["diagrams"][0]["mermaid"] == DIAGRAM
    assert answer["follow_ups"][0]["type"] == "best-practices"


@pytest.mark.parametrize("form", ["markdown", "text"])
def test_markdown_and_text_say_the_same(owner, world, form):
    response = owner.get(f"/runs/{world.run.pk}/technical.{form}")
    words = response.content.decode()
    for expected in (
        "print(1 < 2)",
        "flowchart LR",
        "Key findings",
        "Results",
        "What is recommended for heat pumps?",
    ):
        assert expected in words
    assert "attachment" in response["Content-Disposition"]


def test_a_diagram_has_a_frame_that_may_do_nothing_else(owner, world):
    response = owner.get(f"/runs/{world.run.pk}/diagrams/0/")
    policy = response["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "unsafe-eval" not in policy
    assert "flowchart LR" in response.content.decode()
    assert owner.get(f"/runs/{world.run.pk}/diagrams/2/").status_code == 404


def test_german_readers_get_headings_and_our_own_diagram_in_german(owner, world):
    german = {"Accept-Language": "de"}
    page = owner.get(f"/runs/{world.run.pk}/report/", headers=german).content.decode()
    assert "Welche Quelle was sagt" in page
    assert "Wichtigste Ergebnisse: 2 Aussagen aus „Cold field trial“" in page
    assert "Wichtigste Ergebnisse" in owner.get(
        f"/runs/{world.run.pk}/diagrams/0/", headers=german
    ).content.decode()  # fmt: skip


def test_one_click_asks_further_and_a_second_finds_the_same_run(owner, world, ada):
    first = owner.post(f"/runs/{world.run.pk}/ask-further/", {"number": "0"})
    again = owner.post(f"/runs/{world.run.pk}/ask-further/", {"number": "0"})
    assert first.url == again.url
    with tenant_context(ada.tenant.pk):
        child = Run.objects.get(parent=world.run)
        assert (child.kind, child.relation) == (Kind.TECHNICAL, Relation.FOLLOW_UP)
        assert child.config["own"]["type"] == "best-practices"
    assert owner.post(f"/runs/{world.run.pk}/ask-further/", {"number": "7"}).status_code == 404


@pytest.mark.parametrize("page", ["technical.json", "diagrams/0/", "technical.pdf"])
def test_a_stranger_finds_nothing(client, world, page):
    client.force_login(join("bob").user)
    assert client.get(f"/runs/{world.run.pk}/{page}").status_code == 404


def test_the_form_starts_a_run_with_what_was_chosen(owner, ada):
    sent = {"question": "Faiss vs Annoy?", "type": "comparison", "technologies": "Faiss, Annoy", "recency": "any",
            "depth": "quick", "max_results": "5", "format": "json", "include_code": "on"}  # fmt: skip
    response = owner.post("/technical/", sent)
    assert response.status_code == 302
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get(kind=Kind.TECHNICAL)
        assert run.config["own"]["technologies"] == ["Faiss", "Annoy"]
        assert run.config["own"]["synthesize"] is False
    assert "Faiss, Annoy" in owner.get(f"/technical/?again={run.pk}").content.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"question": ""}, "Write a question first."),
        ({"question": "x"}, "at least 3 characters"),
        ({"max_results": "99"}, "50"),
        ({"type": "poem"}, "poem"),
        ({"technologies": "Faiss, faiss"}, "each may be named once"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(owner, wrong, words):
    sent = {"question": "Faiss vs Annoy?", "type": "comparison", "keywords": "speed", "recency": "any",
            "depth": "quick", "max_results": "5", "format": "json"}  # fmt: skip
    response = owner.post("/technical/", {**sent, **wrong})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert "speed" in response.content.decode()
