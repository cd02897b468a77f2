"""Names of the things of a kind, as texts list them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.extractive.answer_instances import find_class_asked, find_instances, names_one_of


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which task queue should I use in 2026?", "task queue"),
        ("List every signal that Huey sends.", "signal"),
        ("What kinds of pumps are there?", "pumps"),
        ("What are all the broker options?", "broker options"),
        ("How deep must wells be?", ""),
    ],
)
def test_the_kind_asked_for_is_read_from_the_question(question, noun):
    assert find_class_asked(question) == noun


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Brokers such as RabbitMQ, Redis and SQS are supported.", {"rabbitmq", "redis", "sqs"}),
        ("RabbitMQ and other brokers can be used.", {"rabbitmq"}),
        ("RabbitMQ is a message broker.", {"rabbitmq"}),
        ("Pumps such as the Lumen 9 are supported.", set()),
        ("Brokers such as these are slow.", set()),
    ],
)
def test_names_are_found_where_texts_say_of_what_kind_they_are(text, names):
    assert find_instances("message broker", [text]) == names


def test_a_name_is_a_word_of_its_own():
    assert names_one_of({"rq"}, "Use RQ for this.")
    assert not names_one_of({"rq"}, "Use arq for this.")
    assert not names_one_of({"rq"}, "Use django-rq for this.")


@given(st.text(max_size=80), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_is_searched_without_an_error(question, texts):
    find_instances(find_class_asked(question), texts)
