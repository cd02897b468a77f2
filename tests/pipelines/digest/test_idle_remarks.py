"""Jokes, rants and small talk are no part of a digest."""

from research.pipelines.digest.digest_idle_remarks import find_idle_remarks


def test_jokes_and_rants_are_told_from_advice():
    remarks = [
        "Rice is a lie invented by Big Spoon.",
        "It's not swollen, it's just big boned.",
        "this game is trash lol",
        "Mine came on Monday, love the red!",
        "Freeze it in portions the same evening.",
        "The cassette is worn and skips on the cogs that you use most.",
        "Deleting the shader cache did nothing for me.",
    ]
    assert find_idle_remarks(remarks) == [True, True, True, True, False, False, False]


def test_german_remarks_are_kept():
    assert find_idle_remarks(["Mein Chef ist die Katze."]) == [False]
