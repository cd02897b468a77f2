import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.text.quote_normalizing import NormalizedText, measure_common_prefix, normalize, without_accents
from citations.text.quote_span import Span

SPELLINGS = {
    "typographic quotation marks": ("the “strong” word", "the 'strong' word"),
    "low and angle quotation marks": ("das „Wort“ und «le mot»", "das 'wort' und 'le mot'"),
    "double for single marks": ('a "good" one', "a 'good' one"),
    "dashes": ("10–15 — or ‑ more", "10-15 - or - more"),
    "typed dashes": ("so -- it seems", "so - it seems"),
    "ligatures": ("a ﬁrst eﬃcient ﬂow", "a first efficient flow"),
    "soft hyphen": ("pass\u00adword", "password"),
    "soft hyphen at a line end": ("pass\u00ad\nword", "password"),
    "hyphenation at a line end": ("pass-\n   word", "password"),
    "hyphenation with a carriage return": ("pass-\r\nword", "password"),
    "hyphen within a word": ("well-known", "wellknown"),
    "white space": ("a\t b\n\nc\u00a0d", "a b c d"),
    "zero width space": ("pass\u200bword\ufeff", "password"),
    "case": ("ÉCOLE Straße", "école strasse"),
    "combining marks": ("e\u0301cole", "école"),
    "full width": ("ＡＢＣ１２", "abc12"),
    "ellipsis": ("and so on…", "and so on..."),
    "acute accent for an apostrophe": ("don´t", "don't"),
    "hangul letters": ("\u1112\u1161\u11ab", "한"),
    "half-width sound marks": ("ｶﾞ", "ガ"),
}


@pytest.mark.parametrize(("text", "form"), SPELLINGS.values(), ids=SPELLINGS.keys())
def test_spellings_of_the_same_words_get_one_form(text, form):
    assert normalize(text) == form


def test_a_hyphen_between_digits_stays():
    assert normalize("10-15 and SP 800-\n63B") == "10-15 and sp 800- 63b"


def test_a_dash_at_a_line_end_between_spaces_stays():
    assert normalize("so -\nit goes") == "so - it goes"


def test_an_unpaired_surrogate_is_kept():
    assert normalize("a \ud800 b") == "a \ud800 b"


def test_control_characters_are_kept_apart_from_white_space():
    assert normalize("a\x00b\x0bc") == "a\x00b c"


def test_a_character_of_a_ligature_stands_for_the_whole_ligature():
    text = NormalizedText("a ﬁrst step")
    assert text.original(Span(3, 7)).cut(text.text) == "ﬁrst"


def test_a_word_over_a_line_end_is_mapped_with_its_hyphen():
    text = NormalizedText("the pass-\nword is")
    start = text.normal.index("password")
    assert text.original(Span(start, start + 8)).cut(text.text) == "pass-\nword"


@pytest.mark.parametrize(
    ("text", "normal", "origins", "positions"),
    [
        (
            "pass-\n  word",
            "password",
            [(0, 1), (1, 2), (2, 3), (3, 4), (8, 9), (9, 10), (10, 11), (11, 12)],
            [0, 1, 2, 3, 4, 4, 4, 4, 4, 5, 6, 7, 8],
        ),
        (
            "pass\xad\nword",
            "password",
            [(0, 1), (1, 2), (2, 3), (3, 4), (6, 7), (7, 8), (8, 9), (9, 10)],
            [0, 1, 2, 3, 4, 4, 4, 5, 6, 7, 8],
        ),
        (
            "pass\xad word",
            "pass word",
            [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10)],
            [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9],
        ),
        ("10-\n15", "10- 15", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], [0, 1, 2, 3, 4, 5, 6]),
        ("a -- b", "a - b", [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6)], [0, 1, 2, 3, 3, 4, 5]),
        (
            "“a”  ``b''",
            "'a' 'b'",
            [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (7, 8), (8, 9)],
            [0, 1, 2, 3, 4, 4, 5, 5, 6, 7, 7],
        ),
        ("a\r\n\r\nb", "a b", [(0, 1), (1, 2), (5, 6)], [0, 1, 2, 2, 2, 2, 3]),
        ("ﬁne…", "fine...", [(0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (3, 4), (3, 4)], [0, 2, 3, 4, 7]),
        ("e\u0301a", "éa", [(0, 2), (2, 3)], [0, 1, 1, 2]),
        ("\u1112\u1161\u11abx", "한x", [(0, 3), (3, 4)], [0, 1, 1, 1, 2]),
        ("\uff76\uff9e1", "ガ1", [(0, 2), (2, 3)], [0, 1, 1, 2]),
        ("İx", "i̇x", [(0, 1), (0, 1), (1, 2)], [0, 2, 3]),
        ("ß-ss", "ssss", [(0, 1), (0, 1), (2, 3), (3, 4)], [0, 2, 2, 3, 4]),
        ("\xadab", "ab", [(1, 2), (2, 3)], [0, 0, 1, 2]),
        ("-a-", "-a-", [(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3]),
        ("a-b-c", "abc", [(0, 1), (2, 3), (4, 5)], [0, 1, 1, 2, 2, 3]),
        ("a\u200b-b", "a-b", [(0, 1), (2, 3), (3, 4)], [0, 1, 1, 2, 3]),
        ("x…-y", "x...-y", [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3), (3, 4)], [0, 1, 4, 5, 6]),
        ("a \u0301b", "a \u0301b", [(0, 1), (1, 2), (2, 3), (3, 4)], [0, 1, 2, 3, 4]),
        ("a-\n", "a- ", [(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3]),
        ("a\xad", "a", [(0, 1)], [0, 1, 1]),
        ("½-a", "1⁄2-a", [(0, 1), (0, 1), (0, 1), (1, 2), (2, 3)], [0, 3, 4, 5]),
    ],
)
def test_each_character_of_the_form_knows_where_it_comes_from(text, normal, origins, positions):
    found = NormalizedText(text)
    assert found.normal == normal
    places = [found.original(Span(place, place + 1)) for place in range(len(normal))]
    assert [(place.start, place.end) for place in places] == origins
    assert [found.normal_position(place) for place in range(len(text) + 1)] == positions
    assert found.normal_position(len(text) + 5) == positions[-1]


@given(st.text(alphabet="ab1A -\n\r\t\"'`.\x1c\x00", max_size=12))
def test_plain_letters_have_the_same_form_with_and_without_a_map_of_their_places(text):
    assert normalize(text) == NormalizedText(text).normal.strip()


@pytest.mark.parametrize("words", ["Noël ", "Noe\u0308l "])
def test_a_short_text_and_a_long_one_have_one_form(words):
    assert normalize(words * 20) == " ".join(["noël"] * 20)
    assert normalize(words) == "noël"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Noël", "Noel"), ("Łódź", "Łodz"), ("e\u0301", "e"), ("plain", "plain"), ("Å ﬁ", "A fi")],
)
def test_letters_are_read_without_their_accents(text, plain):
    assert without_accents(text) == plain


@pytest.mark.parametrize(
    ("a", "b", "count"), [("abc", "abd", 2), ("abc", "abc", 3), ("", "a", 0), ("b", "a", 0)]
)
def test_two_words_share_their_start(a, b, count):
    assert measure_common_prefix(a, b) == count


def test_edits_before_a_word_do_not_shift_it():
    text = NormalizedText("…“ﬁ”  \u00ad\n— x\u00adyz target")
    start = text.normal.index("target")
    assert text.original(Span(start, start + 6)).cut(text.text) == "target"


def test_a_hint_maps_to_the_same_place():
    text = NormalizedText("…… “one”  two   three")
    position = text.normal_position(text.text.index("three"))
    assert text.normal[position:] == "three"


def test_a_position_before_every_edit_maps_to_itself():
    assert NormalizedText("plain words — and more").normal_position(3) == 3


def test_a_span_cannot_end_before_it_starts():
    with pytest.raises(ValueError, match="not a span"):
        Span(3, 2)


def test_a_span_cannot_start_before_the_text():
    with pytest.raises(ValueError, match="not a span"):
        Span(-1, 2)


def test_a_span_within_another_is_told_from_one_that_sticks_out():
    assert Span(2, 4).within(Span(2, 5))
    assert not Span(2, 6).within(Span(2, 5))


@given(st.text(max_size=200))
def test_any_text_has_a_normal_form(text):
    assert isinstance(NormalizedText(text).normal, str)


@given(st.text(max_size=200))
def test_every_character_of_the_form_comes_from_inside_the_text(text):
    prepared = NormalizedText(text)
    for position in range(len(prepared.normal)):
        span = prepared.original(Span(position, position + 1))
        assert 0 <= span.start < span.end <= len(text)


@given(st.text(max_size=200))
def test_the_mapping_never_goes_backwards(text):
    prepared = NormalizedText(text)
    spans = [prepared.original(Span(i, i + 1)) for i in range(len(prepared.normal))]
    for one, other in zip(spans, spans[1:], strict=False):
        assert one.start <= other.start
        assert one.end <= other.end


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=100))
def test_ascii_without_layout_is_only_lowered(text):
    words = "".join(each for each in text if each.isalnum())
    assert normalize(words) == words.lower()


@given(st.lists(st.text(alphabet="aäéßﬁAÅ한ガ字", min_size=1, max_size=6), min_size=1, max_size=8))
def test_each_word_maps_back_to_itself(words):
    text = " \n ".join(words)
    prepared = NormalizedText(text)
    position = 0
    for word, form in zip(words, prepared.normal.split(" "), strict=True):
        assert prepared.original(Span(position, position + len(form))).cut(text) == word
        position += len(form) + 1


@given(st.text(max_size=100))
def test_the_same_text_has_the_same_form(text):
    assert normalize(text) == normalize(text)
