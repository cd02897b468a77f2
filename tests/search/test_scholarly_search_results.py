"""Titles, abstracts and dates of scholarly works, as their indexes spell them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.models import SourceType
from research.search.providers.scholarly_search_results import (
    ScholarlyWork,
    date_of,
    hit_of,
    plain,
    rebuilt,
    shorten_text,
)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<i>In vitro</i> H<sub>2</sub>O", "In vitro H2O"),
        ("Fish &amp; chips", "Fish & chips"),
        ("&lt;i&gt;E. coli&lt;/i&gt; &amp;amp; more", "E. coli & more"),
        ("p < 0.05 and a > 3", "p < 0.05 and a > 3"),
        ("x<y but y>z", "x<y but y>z"),
        ("<jats:title>Abstract</jats:title><jats:p>One.</jats:p><jats:p>Two.</jats:p>", "One. Two."),
        ("<jats:sec><jats:title>Aims</jats:title><jats:p>To see.</jats:p></jats:sec>", "Aims To see."),
        ("<title>Summary.</title> Words", "Words"),
        ("Abstract Algebra", "Abstract Algebra"),
        ('<mml:math xmlns:mml="http://w3.org/x"><mml:mi>n</mml:mi></mml:math>-th', "n-th"),
        ('<p>See <a href="https://a.example/?x=1" rel="nofollow">this</a>.</p>\n<pre><code>a &lt; b</code></pre>',
         "See this. a < b"),
        ("", ""),
    ],
)  # fmt: skip
def test_markup_is_taken_out_and_words_stay(markup, words):
    assert plain(markup) == words


@given(st.text(alphabet="<>/&;abip =\"'lt\n"))
def test_whatever_the_markup_words_are_on_one_line(markup):
    assert "\n" not in plain(markup)


def test_a_long_row_of_broken_tags_is_read_in_time():
    assert plain("<p " * 50_000 + "x").endswith("x")


def test_an_abstract_is_put_in_order_again():
    assert rebuilt({"pumps": [1, 4], "Heat": [0], "move": [2], "heat;": [3]}) == "Heat pumps move heat; pumps"


def test_places_that_no_abstract_has_are_left_out():
    assert rebuilt({"a": [0], "b": [-1], "c": [10**9]}) == "a"


@given(st.lists(st.text(alphabet="abc", min_size=1), max_size=50))
def test_any_text_survives_being_an_index_of_its_words(words):
    index = {word: [at for at, one in enumerate(words) if one == word] for word in words}
    assert rebuilt(index) == " ".join(words)


@pytest.mark.parametrize(
    ("parts", "written"),
    [([2024, 5, 1], "2024-05-01"), ([2024, 5], "2024-05"), ([2024], "2024"), ([None], ""), ([], ""), ([0], ""),
     ([2024, 13], "2024"), ([2024, 2, 30], "2024-02"), ([2024, None, 3], "2024"), ([10**9], "")],
)  # fmt: skip
def test_a_date_is_as_precise_as_it_is_known(parts, written):
    assert date_of(parts) == written


def test_a_long_abstract_is_cut_at_a_word():
    cut = shorten_text("word " * 200)
    assert cut.endswith("word …")
    assert len(cut) <= 500


def test_a_work_is_found_at_its_doi_and_belongs_to_its_publisher():
    hit = hit_of(
        ScholarlyWork(
            "Heat", "Words.", "10.1038/x", "https://www.nature.com/articles/x", "https://a.example/x.pdf"
        )
    )
    assert (hit.url, hit.domain, hit.full_text) == (
        "https://doi.org/10.1038/x",
        "nature.com",
        "https://a.example/x.pdf",
    )


def test_a_work_of_no_known_publisher_is_academic():
    assert (
        hit_of(ScholarlyWork("Heat", landing="https://journal.example/1")).source_type == SourceType.ACADEMIC
    )


def test_a_ministrys_report_stays_one_of_the_government():
    assert (
        hit_of(ScholarlyWork("Heat", landing="https://www.energy.gov/report")).source_type
        == SourceType.GOVERNMENT
    )
