import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citations.anchoring import Anchor, AnchorMatchType, QuotableText, Span, anchor, cuts_word, occurrences

TEXT = (
    "Verifiers SHALL require subscriber-chosen memorized secrets to be at least 8 characters in length. "
    "Verifiers SHOULD permit secrets at least 64 characters in length. Passwords shorter than 15 characters "
    "are weak. The “salt” SHALL be at least 32 bits and be chosen arbi-\ntrarily."
)


def words_of(found: Anchor | None, text: str = TEXT) -> str:
    assert found is not None
    return found.span.cut(text)


def test_words_that_stand_in_the_text_are_exact():
    found = anchor("at least 64 characters in length", TEXT)
    assert words_of(found) == "at least 64 characters in length"
    assert found == Anchor(
        Span(TEXT.index("at least 64"), TEXT.index(" Passwords") - 1), AnchorMatchType.EXACT, 1.0
    )


def test_the_exact_place_nearest_to_the_hint_is_taken():
    second = TEXT.rindex("characters in length")
    found = anchor("characters in length", TEXT, hint=second + 5)
    assert found is not None
    assert found.span.start == second


def test_without_a_hint_the_first_place_is_taken():
    found = anchor("characters in length", TEXT)
    assert found is not None
    assert found.span.start == TEXT.index("characters in length")


@pytest.mark.parametrize("hint", [-5, 0, 10_000_000])
def test_a_hint_outside_the_text_does_no_harm(hint):
    assert words_of(anchor("at least 64 characters", TEXT, hint=hint)) == "at least 64 characters"


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("verifiers shall require", "Verifiers SHALL require"),
        ('The "salt" SHALL be', "The “salt” SHALL be"),
        ("be chosen arbitrarily.", "be chosen arbi-\ntrarily."),
        ("subscriber‑chosen  memorized\nsecrets", "subscriber-chosen memorized secrets"),
        ('"Verifiers SHOULD permit"', "Verifiers SHOULD permit"),
    ],
)
def test_other_typography_is_a_normalized_match(quote, words):
    found = anchor(quote, TEXT)
    assert words_of(found) == words
    assert found is not None
    assert found.match_type is AnchorMatchType.NORMALIZED


def test_a_normalized_match_near_the_hint_is_taken():
    text = "The SALT shall be long. " * 3
    found = anchor("the salt SHALL be long", text, hint=30)
    assert found is not None
    assert found.span.start == 24


def test_a_long_quote_with_few_edits_is_a_close_match():
    found = anchor("Verifiers should permit a secret at least 64 characters in length", TEXT)
    assert found is not None
    assert found.match_type is AnchorMatchType.CLOSE
    assert words_of(found) == "Verifiers SHOULD permit secrets at least 64 characters in length"


def test_a_close_match_is_labelled_with_its_percentage():
    found = anchor("Verifiers should permit a secret at least 64 characters in length", TEXT)
    assert found is not None
    assert found.label == "close match, 95 %"


def test_a_close_match_never_reads_as_a_full_one():
    found = Anchor(Span(0, 400), AnchorMatchType.CLOSE, 0.9975)
    assert found.label == "close match, 99 %"


@pytest.mark.parametrize(
    ("match_type", "similarity", "label"),
    [
        (AnchorMatchType.EXACT, 1.0, "exact match"),
        (AnchorMatchType.NORMALIZED, 1.0, "same words, other typography"),
        (AnchorMatchType.CLOSE, 0.9, "close match, 90 %"),
    ],
)
def test_a_match_is_named_to_a_reader(match_type, similarity, label):
    assert Anchor(Span(0, 4), match_type, similarity).label == label


@pytest.mark.parametrize(
    ("text", "position", "cuts"),
    [
        ("ab", 0, False),
        ("ab", 1, True),
        ("ab", 2, False),
        ("a b", 1, False),
        ("1.5", 1, True),
        ("1.5", 2, True),
        ("1. 5", 1, False),
        ("1,000", 2, True),
        ("x.y", 1, False),
        ("a1", 1, True),
        ("5.", 1, False),
        ("0" * 40 + "5", 40, True),
    ],
)
def test_a_cut_through_a_word_or_a_number_is_seen(text, position, cuts):
    assert cuts_word(text, position) is cuts


@pytest.mark.parametrize(
    ("hint", "starts"),
    [
        (None, [0, 3, 6, 9]),
        (0, [0, 3, 6, 9]),
        (4, [3, 6, 0, 9]),
        (9, [9, 6, 3, 0]),
        (-7, [0, 3, 6, 9]),
        (99, [9, 6, 3, 0]),
    ],
)
def test_places_come_nearest_to_the_hint_first(hint, starts):
    assert [span.start for span in occurrences("ab", "ab ab ab ab", hint)] == starts


def test_places_may_overlap_and_a_far_one_before_the_hint_is_found():
    assert list(occurrences("aa", "aaa")) == [Span(0, 2), Span(1, 3)]
    far = "needle" + " " * 200_000
    assert list(occurrences("needle", far, 200_000)) == [Span(0, 6)]


def test_marks_around_a_close_quote_are_no_edits():
    quote = "Verifiers should permit a secret at least 64 characters in length"
    assert anchor(f"“{quote}”", TEXT) == anchor(quote, TEXT)


@pytest.mark.parametrize(
    ("edits", "found"), [("ten little hungry foxes eat", True), ("xen xxttle hungry foxes eat", False)]
)
def test_a_tenth_of_the_quote_may_be_edited(edits, found):
    assert (anchor(edits, "so ten little hungry foxes ate it") is not None) is found


@pytest.mark.parametrize(
    ("barred", "carries"),
    [
        ([], True),
        ([Span(0, 5)], True),
        ([Span(0, 11)], False),
        ([Span(0, 5), Span(6, 11)], False),
        ([Span(6, 11), Span(0, 5)], False),
        ([Span(0, 4), Span(5, 11)], True),
        ([Span(0, 11), Span(20, 30)], False),
        ([Span(20, 30)], True),
        ([Span(3, 8)], True),
    ],
)
def test_a_quote_counts_when_some_of_its_words_stand_outside_what_is_barred(barred, carries):
    assert QuotableText("alpha gamma and more words, 12", barred).carries(Span(0, 11)) is carries


def test_a_close_match_ends_on_whole_words():
    found = anchor("passwords longer than 15 characters are wea", TEXT.replace("shorter", "longest"))
    assert words_of(found, TEXT.replace("shorter", "longest")).endswith("are weak")


def test_a_short_quote_with_an_edit_does_not_anchor():
    assert anchor("be at most 32 bits", TEXT) is None


def test_more_than_a_tenth_of_edits_does_not_anchor():
    assert anchor("Verifiers MAY forbid secrets under 64 characters in size", TEXT) is None


@pytest.mark.parametrize("quote", ["", "   ", "8 characters"[:11], "in  \n  length"])
def test_under_twelve_characters_nothing_anchors(quote):
    assert anchor(quote, TEXT + " in length") is None


def test_dashes_alone_do_not_anchor():
    assert anchor("—" * 12, "a table row ----------------- ends") is None


def test_a_quote_does_not_anchor_in_the_middle_of_a_number():
    assert anchor("5 characters are weak", TEXT) is None


@pytest.mark.parametrize("text", ["costs 1.5 percent of it all", "costs 12,500 percent of it all"])
def test_a_quote_does_not_anchor_behind_a_decimal_point(text):
    quote = text[text.index("5 ") if "." in text else text.index("500") :]
    assert anchor(quote, text) is None


def test_a_quote_does_not_anchor_before_a_decimal_point():
    assert anchor("it all costs 1", "it all costs 1.5 percent") is None


def test_a_full_stop_after_a_number_does_not_hide_it():
    assert (
        words_of(anchor("it all costs 1", "it all costs 1. Then"), "it all costs 1. Then") == "it all costs 1"
    )


def test_whole_words_go_before_cut_words():
    text = "unsafe passwords are, and safe passwords are"
    found = anchor("safe passwords", text)
    assert found is not None
    assert found.span.start == text.rindex("safe")


def test_a_hint_at_the_very_place_may_cut_a_number():
    start = TEXT.index("5 characters are")
    found = anchor("5 characters are weak", TEXT, hint=start)
    assert found is not None
    assert found.span.start == start


def test_a_barred_heading_does_not_carry_a_quote():
    text = "Password length\nThe password length is 12."
    assert anchor("Password length", QuotableText(text, [Span(0, 15)])) == Anchor(
        Span(20, 35), AnchorMatchType.NORMALIZED, 1.0
    )


def test_a_quote_that_stands_in_a_heading_only_does_not_anchor():
    text = "Password length rules\nTwelve characters."
    assert anchor("Password length rules", QuotableText(text, [Span(0, 21)])) is None


def test_a_quote_that_is_nowhere_does_not_anchor():
    assert anchor("Users must rotate passwords every ninety days", TEXT) is None


def test_an_empty_text_holds_no_quote():
    assert anchor("Users must rotate passwords", "") is None


def test_a_prepared_text_gives_the_same_answer():
    quote = "verifiers should permit"
    assert anchor(quote, QuotableText(TEXT)) == anchor(quote, TEXT)


@pytest.mark.parametrize(
    "text",
    [
        "كلمة المرور يجب أن تكون طويلة بما يكفي دائما",
        "密码长度至少为十二个字符，并且不得重复使用旧密码。",
        "a \ud800 lone surrogate stands in this text",
        "control \x00\x01\x02 characters in this text",
    ],
)
def test_any_script_anchors_in_itself(text):
    assert words_of(anchor(text[4:], text), text) == text[4:].strip()


PARTS = st.sampled_from(["alpha", "Beta", "gamma,", "δέλτα", "naïve", "“quote”", "12", "3.5", "café", "end."])
DOCUMENTS = st.lists(PARTS, min_size=12, max_size=60).map(" ".join)


@given(DOCUMENTS, st.data())
def test_any_words_of_a_text_anchor_as_they_stand(text, data):
    parts = text.split(" ")
    start = data.draw(st.integers(0, len(parts) - 6))
    quote = " ".join(parts[start : start + 6])
    found = anchor(quote, text)
    assert found is not None
    assert found.match_type is AnchorMatchType.EXACT
    assert found.span.cut(text) == quote


MUTATIONS = [
    lambda word: word.upper(),
    lambda word: word.replace("“", '"').replace("”", '"'),
    lambda word: word[:2] + "\u00ad" + word[2:] if len(word) > 3 else word,
    lambda word: word[:2] + "-\n" + word[2:] if word.isalpha() and word.isascii() else word,
    lambda word: word + " \n",
    lambda word: word.replace("é", "e\u0301"),
]


@given(DOCUMENTS, st.lists(st.sampled_from(MUTATIONS), min_size=60, max_size=60), st.integers(0, 6))
def test_mutated_typography_maps_back_to_the_original_words(text, mutations, start):
    parts = text.split(" ")
    changed = [mutate(word) for mutate, word in zip(mutations, parts, strict=False)]
    copy = " ".join(changed)
    offset = len(" ".join(changed[:start])) + bool(start)
    quote = " ".join(parts[start : start + 6])
    found = anchor(quote, copy, hint=offset)
    assert found is not None
    expected = " ".join(changed[start : start + 6]).rstrip()
    assert found.match_type in (AnchorMatchType.EXACT, AnchorMatchType.NORMALIZED)
    assert found.span.cut(copy).split("\u00ad")[0].startswith(expected.split("\u00ad")[0][:3])


@given(DOCUMENTS, st.lists(st.integers(0, 500), max_size=3))
def test_few_edits_in_a_long_quote_keep_it_anchored(text, places):
    assume(len(text) >= 60)
    quote = list(text)
    for place in places:
        quote[place % len(quote)] = "x"
    found = anchor("".join(quote), "Some other words. " + text + " More words.")
    assert found is not None
    assert found.similarity >= 0.9


@given(st.text(min_size=0, max_size=60), st.text(max_size=200))
def test_any_input_gets_an_answer_inside_the_text(quote, text):
    found = anchor(quote, text)
    if found is not None:
        assert 0 <= found.span.start < found.span.end <= len(text)
        assert 0.9 <= found.similarity <= 1.0


@given(st.text(min_size=12, max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_an_exact_match_is_the_quote_itself(quote, before, after):
    found = anchor(quote, before + " " + quote + " " + after)
    if found is not None and found.match_type is AnchorMatchType.EXACT:
        assert found.span.cut(before + " " + quote + " " + after) == quote.strip()


@given(DOCUMENTS, st.text(min_size=12, max_size=60))
def test_the_same_question_has_the_same_answer(text, quote):
    assert anchor(quote, text) == anchor(quote, text)


def test_a_quote_of_two_headings_is_carried_by_neither():
    text = "Password length\n\nMinimum and maximum\n\nTwelve characters or more are required."
    barred = [Span(17, 36), Span(0, 15)]
    assert anchor("Password length Minimum and maximum", QuotableText(text, barred)) is None
    assert anchor("Password length: Minimum and maximun", QuotableText(text, barred)) is None


def test_a_quote_that_goes_on_after_the_heading_anchors():
    text = "Password length\n\nTwelve characters or more."
    found = anchor("password length twelve characters", QuotableText(text, [Span(0, 15)]))
    assert words_of(found, text) == "Password length\n\nTwelve characters"


def test_the_body_goes_before_a_barred_heading_that_is_nearer_to_the_hint():
    text = "The length of passwords\n\nHere the length of passwords is said."
    found = anchor("the length of passwords", QuotableText(text, [Span(0, 23)]), hint=0)
    assert found is not None
    assert found.span.start == text.rindex("the length")


def test_the_nearest_place_before_the_hint_is_found_far_away():
    text = "safe passwords are long. " + "x" * 300_000 + " the end of the text"
    found = anchor("safe passwords are", text, hint=300_000)
    assert found is not None
    assert found.span.start == 0


@pytest.mark.parametrize("edits", [1, 40, 120])
def test_a_long_quote_with_edits_all_over_is_close(edits):
    text = " ".join(f"the {number}th site reported {number * 37} hours" for number in range(400))
    words = text[text.index("the 118th") : text.index(" the 163th")]
    step = len(words) // edits
    quote = "".join("#" if index % step == step // 2 else each for index, each in enumerate(words))
    found = anchor(quote, text)
    assert found is not None
    assert (found.match_type, found.span.cut(text).strip()) == (AnchorMatchType.CLOSE, words.strip())
