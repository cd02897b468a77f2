"""Natural questions on many subjects, as they are typed, and the form of answer that each asks for."""

import pytest

from research.extractive.question.answer_forms import AnswerForm, detect_form
from research.extractive.question.question_translation import to_english

QUESTIONS = {
    AnswerForm.FACT: (
        "When was the Gotthard base tunnel opened?",
        "who wrote the maintenance handbook",
        "How many bridges does the line cross?",
        "What is the longest bridge of the line called?",
        "After how many hours must the filter be changed?",
        "What is the minimum age for a pilot licence?",
        "Which default number of rounds does the handbook show?",
    ),
    AnswerForm.CHANGE: (
        "What tariff changes have there been in the past two years?",
        "How has the price of solar panels changed over the last ten years?",
        "What's new in the third edition?",
        "what did the third edition throw out",
        "What has the railway dropped this year?",
        "what happened to the night train to Rome",
        "What has changed in the tariff since 2021?",
        "How did unemployment develop between 1990 and 2010?",
    ),
    AnswerForm.COMPARISON: (
        "heat pump vs gas boiler",
        "What is the difference between a lease and a rental?",
        "How does the 2018 edition compare with the 2023 edition on fire doors?",
        "Is copper more conductive than aluminium?",
    ),
    AnswerForm.POSITIONS: (
        "Should I insulate the roof first?",
        "Is it true that fasting improves sleep?",
        "Which battery is best for a small boat?",
        "Is raw milk still safe to drink?",
        "What's wrong with a tiled stove in the kitchen?",
        "cast iron stove safe",
        "What are the risks of early retirement?",
        "electric car worth it or not",
    ),
    AnswerForm.STEPS: (
        "How do I bleed a radiator?",
        "how to renew a passport",
        "What should I do after a data breach?",
    ),
    AnswerForm.LIST: (
        "List all stations on the coastal line.",
        "Which countries have ratified the treaty?",
        "What are the side effects of ibuprofen?",
        "What kinds of insulation are there?",
    ),
    AnswerForm.SOURCE: (
        "What does the handbook say about overtime?",
        "According to the WHO, what counts as clean air?",
        "What did the auditors recommend about stock counts?",
    ),
    AnswerForm.DEFINITION: (
        "What is a fuel cell?",
        "What does amortisation mean?",
        "Define pro rata.",
    ),
    AnswerForm.MECHANISM: (
        "How does a heat pump work?",
        "Why do leaves turn red?",
        "Why is copper more conductive than aluminium?",
        "Why should roofs be steep?",
    ),
    AnswerForm.TOPIC: ("heat output minus 15 degrees", "notice period tenants", "secure door lock cylinder"),
}


@pytest.mark.parametrize(
    ("form", "question"), [(form, text) for form, texts in QUESTIONS.items() for text in texts]
)
def test_form_is_detected(form, question):
    assert detect_form(question) is form


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Wie entlüftet man einen Heizkörper?", AnswerForm.STEPS),
        ("Was ist der Unterschied zwischen Miete und Pacht?", AnswerForm.COMPARISON),
        ("Wie hat sich der Strompreis seit 2015 entwickelt?", AnswerForm.CHANGE),
        ("Sollte man das Dach zuerst dämmen?", AnswerForm.POSITIONS),
        ("Was ist eine Brennstoffzelle?", AnswerForm.DEFINITION),
    ],
)
def test_form_is_detected_in_german(question, form):
    assert detect_form(to_english(question)) is form
