"""Sharper questions: what is offered follows from the question's own words, and is added where one wants it."""

from datetime import date

import pytest

from research.db.tenancy import tenant_context
from research.models import Run
from research.web.ask.ask_form_hints import MOST, add_hint_words, sharper
from tests.web.pages import tree, words

TODAY = date(2026, 11, 22)
HX = {"HX-Request": "true"}


def list_offers(question):
    return [one.words for one in sharper(question, TODAY)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "Do heat pumps work below -15 C?",
            ["in homes", "in offices", "compared with the alternatives", "in Europe"],
        ),
        ("Do heat pumps work in homes in Norway since 2018?", ["compared with the alternatives"]),
        ("Does vitamin D help?", ["in adults", "in children", "measured in randomised trials", "in Europe"]),
        ("Wirken Wärmepumpen unter -15 Grad?", ["in Wohnhäusern", "in Bürogebäuden",
                                                "im Vergleich zu den Alternativen", "in Deutschland"]),
        ("Was kostet der Strom in Deutschland seit 2020 pro Jahr?", ["in Wohnhäusern", "in Bürogebäuden"]),
    ],
)  # fmt: skip
def test_what_is_open_is_offered(question, found):
    assert list_offers(question) == found


@pytest.mark.parametrize("question", ["", "   ", "Why?", "x" * 7])
def test_of_what_is_hardly_a_question_nothing_is_said(question):
    assert list_offers(question) == []


def test_a_question_that_says_everything_is_left_alone():
    asked = "How did the cost of heating compare with gas in German homes since 2015, per year?"
    assert list_offers(asked) == []


def test_there_are_never_more_than_can_be_taken_in():
    assert len(list_offers("Does remote work help, and what does coffee cost?")) <= MOST


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("Do heat pumps work?", "Do heat pumps work in homes?"),
        ("Do heat pumps work", "Do heat pumps work in homes"),
        ("Do heat pumps work ?  ", "Do heat pumps work in homes ?"),
        ("Do heat pumps work in homes?", "Do heat pumps work in homes?"),
        ("", "in homes"),
    ],
)
def test_words_go_before_the_question_mark_and_once(question, result):
    assert add_hint_words(question, "in homes") == result


def test_beside_a_question_that_is_typed_stand_buttons(client):
    part = client.post("/runs/new/", {"question": "Do heat pumps work?"}, headers=HX)
    assert part.status_code == 200
    assert tree(part).xpath("//button[@name='add']/@value") == list_offers("Do heat pumps work?")
    assert "<html" not in part.content.decode()


def test_a_button_adds_its_words_and_keeps_what_was_filled_in(client, ada):
    page = client.post(
        "/runs/new/", {"question": "Do heat pumps work?", "add": "in homes", "max_quotes": "12"}
    )
    found = tree(page)
    assert (page.status_code, found.xpath("//textarea")[0].text.strip()) == (
        200,
        "Do heat pumps work in homes?",
    )
    assert found.xpath("//input[@name='max_quotes']/@value") == ["12"]
    assert "in homes" not in found.xpath("//button[@name='add']/@value")
    with tenant_context(ada.tenant.pk):
        assert not Run.objects.exists()


def test_with_a_script_the_question_alone_comes_back(client):
    sent = {"question": "Do heat pumps work?", "add": "in homes"}
    part = tree(client.post("/runs/new/", sent, headers=HX))
    assert part.xpath("//textarea[@autofocus]")[0].text.strip() == "Do heat pumps work in homes?"


def test_what_is_added_is_text_and_not_endless(client):
    sent = {"question": "Do heat pumps work?", "add": "<script>alert(1)</script>" + "x" * 500}
    page = client.post("/runs/new/", sent)
    assert b"<script>alert" not in page.content
    assert len(tree(page).xpath("//textarea")[0].text.strip()) < 130


def test_the_enter_key_in_a_field_starts_and_adds_nothing(client):
    page = tree(client.post("/runs/new/", {"question": "Do heat pumps work?"} | {"max_quotes": "0"}))
    first = page.xpath("//main//form//button")[0]
    assert (first.get("name"), first.get("tabindex")) == (None, "-1")


def test_a_plan_can_be_wanted_first(client, ada, library_stock):
    answer = client.post("/runs/new/", {"question": "Do heat pumps work?", "draft": "yes"})
    with tenant_context(ada.tenant.pk):
        run = Run.objects.get()
    assert run.config == {"plan_approval": "ask"}
    assert answer.url == f"/runs/{run.pk}/plan/"  # which shows it as soon as it is there


def test_a_plan_first_and_no_questions_at_all_contradict_each_other(client):
    page = client.post("/runs/new/", {"question": "Do they work?", "draft": "yes", "reviews": "never"})
    assert page.status_code == 422
    assert "nobody would be asked" in words(page)
