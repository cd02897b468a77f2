"""Two people of a thread contradict each other, in figures too."""

import pytest

from research.pipelines.digest.digest_disagreements import find_disagreements, say_the_same
from tests.pipelines.digest.test_drafting import texts_of


def find_between(first: str, second: str, *, title: str = "A question"):
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "body": first, "score": 40},
        {"id": "c2", "parent_id": "t3_p", "author": "bob", "body": second, "score": 8},
    ]
    post = {
        "id": "p",
        "title": title,
        "selftext": "",
        "author": "op",
        "score": 5,
        "url": "https://f.example/p/",
    }
    texts = texts_of({"query": title, "posts": [post | {"comments": comments}]})
    return find_disagreements([said for text in texts for said in text.utterances])


def test_an_answer_that_begins_with_what_it_was_denies_nothing():
    comments = [
        {
            "id": "c1",
            "parent_id": "t3_p",
            "author": "ann",
            "body": "Bleed the radiators on the top floor first.",
            "score": 9,
        },
        {
            "id": "c2",
            "parent_id": "t1_c1",
            "author": "bob",
            "body": "It was the radiators on the top floor here too.",
            "score": 8,
        },
    ]
    post = {
        "id": "p",
        "title": "Why?",
        "selftext": "",
        "author": "op",
        "score": 5,
        "url": "https://f.example/p/",
    }
    texts = texts_of({"query": "Why?", "posts": [post | {"comments": comments}]})
    assert find_disagreements([said for text in texts for said in text.utterances]) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Delete the shader cache, it fixed the stutter.", "Deleting the shader cache did nothing for me."),
        ("Check the tension screw first, could be that.", "Tension doesn't cause skipping on two cogs only."),
        ("Es sind 5 Euro pro Tag und höchstens 600 Euro.", "Das war bis 2022 so, seit 2023 gelten 6 Euro."),
        ("No, carriers do not accept damaged batteries.", "They took mine with a special label."),
        (
            "In our state the landlord has 30 days to send a list.",
            "Here it is 45 days, if he acts in good faith.",
        ),
    ],
)
def test_an_answer_that_reports_the_contrary_contradicts(first, second):
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "body": first, "score": 40},
        {"id": "c2", "parent_id": "t1_c1", "author": "bob", "body": second, "score": 8},
    ]
    post = {
        "id": "p",
        "title": "Why?",
        "selftext": "",
        "author": "op",
        "score": 5,
        "url": "https://f.example/p/",
    }
    texts = texts_of({"query": "Why?", "posts": [post | {"comments": comments}]})
    (found,) = find_disagreements([said for text in texts for said in text.utterances])
    assert (found.claim.text, found.answer.text) == (first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The card draws 220 watts under load.", "The card draws 350 watts under load, I measured it."),
        ("A hen sits on her eggs for 21 days.", "Our hen sat on her eggs for 28 days."),
        ("The deposit may be at most three months' rent.", "The deposit may be at most two months' rent."),
        ("The visa costs 80 euros.", "The visa costs 90 euros since June."),
        (
            "Proof the dough for 4 hours at room temperature.",
            "Proof the dough for 12 hours at room temperature.",
        ),
    ],
)
def test_two_figures_for_one_thing_contradict_each_other(first, second):
    (found,) = find_between(first, second)
    assert {found.claim.text, found.answer.text} == {first, second}
    assert not found.is_refuted, "votes decide no figure"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The card draws 220 watts under load.", "The card draws 18 watts when idle."),
        ("Change the oil every 10,000 miles.", "I have changed the oil at 10,000 and at 20,000 miles."),
        (
            "My battery lasts 30 miles on a charge in winter.",
            "In summer the battery lasts 55 miles on a charge.",
        ),
        ("One litre of deck stain covers 12 square metres.", "I used 3 litres for the deck."),
        ("Proof the dough for 4 hours at room temperature.", "Proof it for 16 hours in the fridge."),
        (
            "You need a permit for a wall above 3 feet.",
            "You need a permit for a wall above 3 feet here, too.",
        ),
    ],
)
def test_figures_of_other_things_do_not(first, second):
    assert find_between(first, second) == []


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        (
            "How long can I keep cooked rice?",
            "I was taught three to four days in the fridge.",
            "Keep it in the fridge for at most one day.",
        ),
        (
            "How often is it normal to top up?",
            "Once a month is fine with an old system.",
            "Twice a year is normal here.",
        ),
        (
            "Wie oft gießt ihr Kakteen?",
            "Ich gieße sie jede Woche ein wenig.",
            "Einmal im Monat ist genug für sie.",
        ),
    ],
)
def test_answers_whose_figures_exclude_each_other_are_two_positions(title, first, second):
    (found,) = find_between(first, second, title=title)
    assert {found.claim.text, found.answer.text} == {first, second}
    assert found.is_on_question
    assert not found.is_refuted


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        (
            "How long to proof dough?",
            "I let it rise for 4 hours at room temperature.",
            "It needs 16 hours in the fridge.",
        ),
        (
            "How long to keep rice?",
            "Three to four days in the fridge.",
            "I keep it in the fridge for four days.",
        ),
        (
            "How long to keep rice?",
            "Cool it within an hour after cooking.",
            "Three days is what I was taught.",
        ),
    ],
)
def test_answers_for_other_conditions_or_in_other_units_are_none(title, first, second):
    assert find_between(first, second, title=title) == []


def test_a_reply_with_a_figure_for_another_thing_contradicts_nothing():
    comments = [
        {
            "id": "c1",
            "parent_id": "t3_p",
            "author": "ann",
            "body": "The pump cost me 300 euros.",
            "score": 40,
        },
        {
            "id": "c2",
            "parent_id": "t1_c1",
            "author": "bob",
            "body": "I paid 50 euros for postage alone.",
            "score": 8,
        },
    ]
    post = {"id": "p", "title": "Which pump?", "selftext": "", "author": "op", "score": 5}
    texts = texts_of({"query": "Which pump?", "posts": [post | {"comments": comments}]})
    assert find_disagreements([said for text in texts for said in text.utterances]) == []


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [
        ("Mine got worse after the second wash.", "The second wash made mine better.", "Does washing help?"),
        ("My sleep is better than ever.", "It didn't change anything for me.", "What did it do for you?"),
        ("No problem with mine on gravel.", "My tyre failed twice on gravel.", "Gravel tyres"),
    ],
)
def test_experiences_that_differ_stand_side_by_side_and_neither_is_refuted(first, second, title):
    (found,) = find_between(first, second, title=title)
    assert {found.claim.text, found.answer.text} == {first, second}
    assert not found.is_refuted


def test_an_answer_whose_own_case_went_otherwise_is_set_beside_the_claim():
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "score": 49},
        {"id": "c2", "parent_id": "t1_c1", "author": "bob", "score": 28},
    ]
    comments[0]["body"] = "A hinge that squeaks is usually done. Mine lasted two weeks after the oil."
    comments[1]["body"] = "Oiling mine worked fine, it has held for two winters since."
    post = {"id": "p", "title": "Squeaky hinge", "selftext": "", "author": "op", "score": 5}
    post |= {"url": "https://f.example/p/", "comments": comments}
    texts = texts_of({"query": "Squeaky hinge", "posts": [post]})
    (found,) = find_disagreements([said for text in texts for said in text.utterances])
    assert found.answer.text.startswith("Oiling mine worked fine")
    assert not found.is_refuted


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I paid 600 for the oak.", "Mine was worse to cut."),
        ("The blue one works fine for me.", "My neighbour's dog died."),
    ],
)
def test_reports_of_different_things_are_no_disagreement(first, second):
    assert find_between(first, second) == []


def test_an_answer_against_a_comment_does_not_repeat_it():
    comments = [
        {"id": "c1", "parent_id": "t3_p", "author": "ann", "body": "Cut the nap to one hour.", "score": 33},
        {"id": "c2", "parent_id": "t1_c1", "author": "bob", "score": 52},
    ]
    comments[1]["body"] = "Cutting the nap made ours wake even earlier because he was overtired."
    post = {"id": "p", "title": "Awake at five", "selftext": "", "author": "op", "score": 5}
    post |= {"url": "https://f.example/p/", "comments": comments}
    texts = texts_of({"query": "Awake at five", "posts": [post]})
    said = [utterance for text in texts for utterance in text.utterances if utterance.comment]
    assert not say_the_same(*said)
    assert [found.answer.text for found in find_disagreements(said)] == [comments[1]["body"]]
