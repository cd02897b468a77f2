import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text.claim_polarity import (
    Force,
    are_opposites,
    breadth,
    find_denied_words,
    find_negated_heads,
    find_negated_stems,
    force,
    is_attributed,
    is_hedged,
    negations,
    opposites,
)
from citations.text.claim_words_and_stems import stem


@pytest.mark.parametrize(
    "text",
    [
        "It is not so",
        "no rules apply",
        "It doesn't work",
        "without a salt",
        "never sent",
        "SMS is prohibited",
        "fails to work",
        "few of them work",
        "it rarely works",
        "little evidence for it",
        "it is rare for it to work",
    ],
)
def test_negations_are_seen(text):
    assert negations(text)


@pytest.mark.parametrize(
    "text",
    [
        "whereas others rise",
        "however, it rose",
        "not only fast",
        "no less than 8",
        "not be shorter than 8",
        "no more than 3",
        "a notable note",
        "whether or not it rains",
        "a few of them work",
        "the last few days",
        "few hundred metres",
        "a rare bird",
    ],
)
def test_words_that_negate_nothing_are_none(text):
    assert negations(text) == ()


def test_a_negation_reaches_what_follows_in_its_clause():
    reached = find_negated_stems("Verifiers SHOULD NOT impose composition rules, but should check lists")
    assert {stem("impose"), stem("composition")} <= reached
    assert stem("check") not in reached


def test_a_negation_reaches_five_content_words():
    reached = find_negated_stems("It never saw red green blue black white birds")
    assert reached == {stem(each) for each in "saw red green blue black".split()}


def test_each_negation_of_a_text_reaches_on_its_own():
    reached = find_negated_stems("They do not sell bread; they never bake cakes.")
    assert reached == {stem(each) for each in "sell bread bake cakes".split()}


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("It was not sold in France", {"sold"}),
        ("It was not recently sold", {"sold"}),
        ("no rules apply, and nobody complained", {"rules", "complained"}),
        ("Not only fast but cheap", set()),
        ("It is not", set()),
        ("The rule does not apply to farms", {"apply"}),
    ],
)
def test_a_negation_denies_its_first_content_word(text, heads):
    assert find_negated_heads(text) == {stem(head) for head in heads}


def test_what_is_denied_of_a_subject_can_be_left_out():
    text = "Neither the mayor nor the council met; they did not vote"
    assert find_negated_heads(text, of_subjects=False) == {stem("vote")}


def test_each_negation_has_the_words_that_it_may_reach():
    assert find_denied_words("Few birds sing, and none of them fly") == (
        (stem("birds"), stem("sing")),
        (stem("fly"),),
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("rose", "fell"),
        ("increase", "decreased"),
        ("safe", "unsafe"),
        ("before", "after"),
        ("require", "optional"),
        ("allowed", "prohibited"),
        ("accurate", "inaccurate"),
        ("honest", "dishonest"),
        ("regular", "irregular"),
        ("even", "uneven"),
        ("stop", "nonstop"),
        ("grew", "shrank"),
        ("raised", "lowered"),
        ("increased", "reduced"),
        ("slowly", "quickly"),
        ("likely", "unlikely"),
    ],
)
def test_opposites_are_known_both_ways(a, b):
    assert are_opposites(stem(a), stem(b))
    assert are_opposites(stem(b), stem(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("rose", "grew"),
        ("shrank", "less"),
        ("reduce", "fewer"),
        ("salt", "hash"),
        ("end", "bend"),
        ("it", "unit"),
        ("let", "inlet"),
        ("port", "import"),
        ("covers", "discovered"),
        ("formed", "informs"),
        ("charge", "discharge"),
    ],
)
def test_other_words_are_no_opposites(a, b):
    assert not are_opposites(stem(a), stem(b))


@pytest.mark.parametrize("word", ["rose", "safe", "unsafe", "require", "accurate"])
def test_what_is_opposite_is_among_what_may_be(word):
    assert any(are_opposites(stem(word), other) for other in opposites(stem(word)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Verifiers SHALL check", Force.MUST),
        ("must be 8", Force.MUST),
        ("Verifiers SHOULD check", Force.SHOULD),
        ("it is strongly recommended", Force.SHOULD),
        ("users may choose", Force.MAY),
        ("It began in May 2017", Force.NONE),
        ("It checks", Force.NONE),
    ],
)
def test_how_binding_a_sentence_is(text, expected):
    assert force(text) is expected


@pytest.mark.parametrize("text", ["It may help", "This suggests a link", "is probably so", "appears to rise"])
def test_hedges(text):
    assert is_hedged(text)


@pytest.mark.parametrize("text", ["in May 2017", "It helps", "on May 5"])
def test_no_hedges(text):
    assert not is_hedged(text)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("all users", 3),
        ("most users", 2),
        ("some users", 1),
        ("users", 0),
        ("nearly all users", 2),
        ("many users", 1),
    ],
)
def test_breadth(text, rank):
    assert breadth(text) == rank


def test_positions_of_others_are_seen():
    assert is_attributed("Critics argue that it fails")
    assert not is_attributed("It fails")


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=12), st.text(alphabet="abcdeinu", max_size=12))
def test_opposition_is_symmetric(a, b):
    assert are_opposites(a, b) == are_opposites(b, a)


@given(st.text(max_size=100))
def test_any_text_is_searched(text):
    assert all(span.end <= len(text) for span in negations(text))
    assert isinstance(find_negated_stems(text), frozenset)
