import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.contradiction.align_claim_terms import TermFit, TermPair, fit, is_form, lay, value
from citations.contradiction.claim_statement_terms import terms


def list_meeting_terms(a: str, b: str) -> list[tuple[str, str]]:
    return [
        (pair.mine.text, pair.theirs.text) for pair in lay(a, b) if pair.mine and pair.theirs and pair.meets
    ]


def list_placed_terms(a: str, b: str) -> list[tuple[str, str]]:
    return [
        (pair.mine.text, pair.theirs.text)
        for pair in lay(a, b)
        if pair.mine and pair.theirs and pair.fit is TermFit.PLACE
    ]


SIGNS = {TermFit.SAME: "=", TermFit.NEAR: "~", TermFit.PLACE: "/"}


def format_pair(pair: TermPair) -> str:
    """An alignment as a reader sees it: "a=a" the same, "a~b" near, "a/b" in its place, "-a" and "+b" on one side."""
    if pair.mine and pair.theirs:
        return pair.mine.text + SIGNS[pair.fit] + pair.theirs.text
    assert pair.fit is TermFit.NONE
    return f"-{pair.mine.text}" if pair.mine else f"+{pair.theirs.text if pair.theirs else ''}"


def fit_of(a: str, b: str) -> TermFit:
    (one,), (other,) = terms(a), terms(b)
    return fit(one, other)


def test_equal_words_meet_in_order():
    assert list_meeting_terms("Salted hashes resist tables.", "Salted hashes also resist big tables.") == [
        ("Salted", "Salted"),
        ("hashes", "hashes"),
        ("resist", "resist"),
        ("tables", "tables"),
    ]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (
            "The mill burned in 1802.",
            "The old mill burned in May 1802 at night.",
            "The=The | +old | mill=mill | burned=burned | in=in | 1802~May 1802 | +at | +night",
        ),
        (
            "The team won nine games in May.",
            "The team won seven games in May.",
            "The=The | team=team | won=won | nine/seven | games=games | in=in | May.=May.",
        ),
        ("Red fox, blue hen.", "Blue hen, red fox.", "+Blue | +hen | Red=red | fox=fox | -blue | -hen"),
        (
            "They beat Norway 3 times.",
            "They beat Sweden 4 times.",
            "They=They | beat=beat | Norway/Sweden | 3/4 | times=times",
        ),
        (
            "He organised the harvest of wheat.",
            "They organized a harvest of rye and oats.",
            "-He | +They | organised~organized | -the | +a | harvest=harvest | of=of | wheat/rye | +and | +oats",
        ),
        (
            "Oslo grew to 1,234 people.",
            "Bergen grew to 1200 people.",
            "Oslo/Bergen | grew=grew | to=to | 1,234/1200 | people=people",
        ),
        ("It weighs 1.5 kg.", "It weighs 1500 g.", "It=It | weighs=weighs | 1.5 kg=1500 g"),
        ("It weighs 1.5 kg.", "It weighs 2 kg.", "It=It | weighs=weighs | 1.5 kg~2 kg"),
        (
            "It fell by 12 percent.",
            "It fell by 12.4 percent.",
            "It=It | fell=fell | by=by | 12 percent~12.4 percent",
        ),
        (
            "It fell by 12 percent.",
            "It fell by 12 points.",
            "It=It | fell=fell | by=by | 12 percent/12 | +points",
        ),
        (
            "It ran from 1914 to 1918.",
            "It ran from May 1914 to November 1918.",
            "It=It | ran=ran | from=from | 1914 to 1918~May 1914 to November 1918",
        ),
        ("It ran from 1914 to 1918.", "It ran in 1914.", "It=It | ran=ran | -from | +in | 1914 to 1918/1914"),
        (
            "It ran from 1914 to 1918.",
            "It ran from 1914 to 1919.",
            "It=It | ran=ran | from=from | 1914 to 1918/1914 to 1919",
        ),
        ("It opened in May 1987.", "It opened in 1987.", "It=It | opened=opened | in=in | May 1987~1987"),
        (
            "It opened in May 1987.",
            "It opened in May 1988.",
            "It=It | opened=opened | in=in | May 1987/May 1988",
        ),
        ("It is not open.", "It is open.", "It=It | is=is | -not | open=open"),
        ("The fox saw the hen.", "The hen saw the fox.", "The=The | fox/hen | saw=saw | the=the | hen/fox"),
        (
            "The fox and the hen met.",
            "The fox or the hen met.",
            "The=The | fox=fox | and/or | the=the | hen=hen | met=met",
        ),
        (
            "Berlin hosts trade fairs.",
            "Berliner hosts trade fairs.",
            "Berlin=Berliner | hosts=hosts | trade=trade | fairs=fairs",
        ),
        ("Salt.", "Pepper.", "Salt/Pepper"),
        ("", "Pepper.", "+Pepper"),
        ("Salt.", "", "-Salt"),
        ("a b c d e", "a x c y e", "a=a | b/x | c=c | d/y | e=e"),
        ("corn corn rye", "rye corn corn", "+rye | corn=corn | corn=corn | -rye"),
        (
            "He sold the corn to Norway in May.",
            "The corn was bought by 12 men.",
            "-He | -sold | the=The | corn=corn | -to | +was | Norway/bought | -in | +by | May./12 | +men",
        ),
        ("more corn than rye", "less corn than rye", "more/less | corn=corn | than=than | rye=rye"),
    ],
)
def test_two_statements_are_laid_against_each_other_term_by_term(a, b, expected):
    assert " | ".join(map(format_pair, lay(a, b))) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("mill", "mills", 40),
        ("12 %", "12.4 percent", 30),
        ("1987", "May 1987", 30),
        ("mill", "wheat", 6),
        ("3", "4", 6),
        ("mill", "Norway", 3),
        ("mill", "not", 3),
        ("the", "the", 12),
        ("the", "of", 0),
        ("the", "mill", 0),
        ("mill", "the", 0),
    ],
)
def test_what_aligning_two_terms_is_worth(a, b, expected):
    (one,), (other,) = terms(a), terms(b)
    assert value(one, other) == expected


def test_what_stands_in_anothers_place_is_paired_with_it():
    assert list_placed_terms("The team won nine games in May.", "The team won seven games in May.") == [
        ("nine", "seven")
    ]


def test_words_are_paired_with_words_and_names_with_names():
    a, b = "They beat Norway 3 times.", "They beat Sweden 4 times."
    assert set(list_placed_terms(a, b)) == {("Norway", "Sweden"), ("3 times", "4 times")} or set(
        list_placed_terms(a, b)
    ) == {
        ("Norway", "Sweden"),
        ("3", "4"),
    }


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("1987", "1987", TermFit.SAME),
        ("March 1987", "1987", TermFit.NEAR),
        ("1986", "1987", TermFit.PLACE),
        ("12 %", "12 percentage points", TermFit.PLACE),
        ("1.5 kg", "1500 g", TermFit.SAME),
        ("1.5 kg", "2 kg", TermFit.NEAR),
        ("1.5 kg", "2.1 kg", TermFit.PLACE),
        ("1.5 kg", "1.5 m", TermFit.PLACE),
        ("12.4 %", "12 %", TermFit.NEAR),
        ("12.6 %", "12 %", TermFit.PLACE),
        ("1914 to 1918", "1914", TermFit.PLACE),
        ("1914 to 1918", "May 1914 to November 1918", TermFit.NEAR),
        ("1914 to 1918", "1914 to 1919", TermFit.PLACE),
        ("1913 to 1918", "1914 to 1918", TermFit.PLACE),
        ("1,234", "1200", TermFit.PLACE),
        ("colour", "colours", TermFit.SAME),
        ("organise", "organize", TermFit.NEAR),
    ],
)
def test_how_far_two_terms_meet(a, b, expected):
    assert fit_of(a, b) is expected
    assert fit_of(b, a) is expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("electr", "electric", True),
        ("bellfast", "belfast", True),
        ("argon2i", "argon2id", False),
        ("word", "wordy", True),
        ("words", "wordy", True),
        ("tide", "tides", True),
        ("abc", "abcd", False),
        ("abcd", "abcdef", False),
        ("belfast", "belfest", True),
        ("electrc", "electric", True),
        ("electr", "electrically", False),
        ("color", "xolor", False),
        ("color", "cxlor", True),
        ("brad", "bread", False),
        ("paint", "painter", False),
        ("acbde", "abcde", False),
        ("win", "wind", False),
        ("wide", "tide", False),
        ("", "", False),
    ],
)
def test_forms_of_one_word(a, b, expected):
    assert is_form(a, b) is expected
    assert is_form(b, a) is expected


WORDS = st.lists(
    st.sampled_from("the fox saw 12 13 not Oslo Bergen hens hen before after 1987".split()), max_size=9
)


@given(WORDS, WORDS)
def test_exchanging_the_statements_exchanges_the_sides(a, b):
    one, other = " ".join(a), " ".join(b)
    assert lay(one, other) == tuple(TermPair(pair.theirs, pair.mine, pair.fit) for pair in lay(other, one))


@given(WORDS, WORDS)
def test_every_term_is_in_the_alignment_once_and_in_order(a, b):
    pairs = lay(" ".join(a), " ".join(b))
    assert tuple(pair.mine for pair in pairs if pair.mine) == terms(" ".join(a))
    assert tuple(pair.theirs for pair in pairs if pair.theirs) == terms(" ".join(b))


@given(st.text(max_size=60))
def test_a_text_meets_itself_whole(text):
    assert all(pair.fit is TermFit.SAME for pair in lay(text, text))


def test_a_huge_text_is_compared_by_its_beginning():
    long = "word " * 50_000
    assert len(lay(long, "other " * 50_000)) < 1_000
