"""Words of texts and what they do to a statement, with all that is read of them."""

import pytest

from citations.text.claim_polarity import (
    breadth,
    find_negated_heads,
    find_negated_stems,
    force,
    is_attributed,
    is_hedged,
    negations,
)
from citations.text.claim_words_and_stems import words
from tests.citations.telling import join_parts, parse_expectations

POLARITY = """
It was sold.
    none, sure, breadth 0, own
It was not sold in France.
    “not”, reaching franc sell, denying sell, none, sure, breadth 0, own
It wasn't really sold, but bought in France.
    “wasn't”, reaching realli sell, denying sell, none, sure, breadth 0, own
No user may ever log in without a password.
    “No”, “without”, reaching log secret user, denying secret user, may, hedged, breadth 0, own
not only users but also servers
    none, sure, breadth 0, own
no fewer than 12 users
    none, sure, breadth 0, own
whether or not it works
    none, sure, breadth 0, own
It failed to start and refused to stop
    “failed to”, “refused to”, reaching begin refus stop, denying begin stop, none, sure, breadth 0, own
They declined an offer and turned down all others
    “declined an”, “turned down”, reaching offer other turn, denying offer other, none, sure, breadth 3, own
The firm is yet to deliver any goods
    “yet to”, reaching deliv good, denying deliv, none, sure, breadth 0, own
far from safe, hardly used, never seen red green blue black white birds
    “far from”, “hardly”, “never”, reaching black blue green red safe see use, denying safe see use, none,
  sure, breadth 0, own
instead of salt rather than sugar
    “instead of”, “rather than”, reaching salt sugar, denying salt sugar, none, sure, breadth 0, own
unlike salt
    “unlike”, reaching salt, denying salt, none, sure, breadth 0, own
It is free of sugar (and salt)
    “free of”, reaching sugar, denying sugar, none, sure, breadth 0, own
denied slowly
    “denied”, reaching slowli, none, sure, breadth 0, own
Users must and should choose; they may leave.
    must, hedged, breadth 0, own
Users should choose; they may leave.
    should, hedged, breadth 0, own
It is recommended to leave.
    should, sure, breadth 0, own
It is allowed to leave.
    may, sure, breadth 0, own
Optionally it may leave
    may, hedged, breadth 0, own
It is required
    must, sure, breadth 0, own
It has to be
    must, sure, breadth 0, own
In May 2017 it rose; 5 May was cold
    none, sure, breadth 0, own
May 5 was cold, since May
    none, sure, breadth 0, own
It may rain
    may, hedged, breadth 0, own
It could, perhaps, suggest it
    may, hedged, breadth 0, own
It is thought to be so
    none, hedged, breadth 0, own
It appears to be
    none, hedged, breadth 0, own
All users always log in
    none, sure, breadth 3, own
Most users
    none, sure, breadth 2, own
Some users
    none, sure, breadth 1, own
The critics claim it is a myth
    none, sure, breadth 0, attributed
According to the ministry
    none, sure, breadth 0, attributed
nothing
    “nothing”, none, sure, breadth 0, own
"""

WORDS = """
She wrote the world's largest movies
    She, she, function, 0, 3
    wrote, write, content, 4, 9
    the, the, function, 10, 13
    world's, world, content, 14, 21
    largest, largest, content, 22, 29
    movies, movi, content, 30, 36
U.S. e.g. don't well-known
    U.S, usa, content, 0, 3
    e.g, e.g, function, 5, 8
    don't, don't, content, 10, 15
    well-known, famous, content, 16, 26
Größe of Müller’s cars
    Größe, gross, content, 0, 5
    of, of, function, 6, 8
    Müller’s, muller, content, 9, 17
    cars, car, content, 18, 22
a x 12.5 AES-256
    a, a, function, 0, 1
    x, x, content, 2, 3
    12.5, 12.5, content, 4, 8
    AES-256, aes-256, content, 9, 16
"""


def describe_polarity(text):
    stems, heads = sorted(find_negated_stems(text)), sorted(find_negated_heads(text))
    return [
        join_parts(
            *(f"“{span.cut(text)}”" for span in negations(text)),
            f"reaching {' '.join(stems)}" if stems else "",
            f"denying {' '.join(heads)}" if heads else "",
            force(text).name.lower(),
            "hedged" if is_hedged(text) else "sure",
            f"breadth {breadth(text)}",
            "attributed" if is_attributed(text) else "own",
        )
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(POLARITY))
def test_what_turns_a_statement_round_is_read_whole(text, lines):
    assert describe_polarity(text) == lines


def describe_words(text):
    return [
        join_parts(
            each.text, each.stem, "content" if each.is_content else "function", each.span.start, each.span.end
        )
        for each in words(text)
    ]


@pytest.mark.parametrize(("text", "lines"), parse_expectations(WORDS))
def test_every_word_is_read_whole(text, lines):
    assert describe_words(text) == lines
