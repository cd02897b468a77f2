"""The threat to availability: texts that a pattern goes over again and again. None takes more than its length.

Whoever looks for one of these holds the whole process meanwhile: of the site for a form, of a worker for a page. Steps
are not counted here but bounded: with what stood here before, each of these took minutes, or longer than anybody lives.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from exports.stored.translate_exported_sentences import translate_sentences
from research.extractive.question.expected_answer_kinds import _FOUND, AnswerKind
from research.fetching.fetched_page_content import sniff_media_type
from research.fetching.fetched_page_links import attributes_of
from research.fetching.interstitials import detect_interstitial
from research.fetching.robots import _fits
from research.llm.call_store.model_call_personal_data import personal_data
from research.parsing.sniff_format import sniff
from research.pipelines.brief.brief_title import name_of
from research.pipelines.digest.safety import danger_in
from research.pipelines.synthesis.synthesis_study_columns import conclusion_of
from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose
from research.pipelines.table.decomposing.requested_table_columns import parse_requested_fields
from research.pipelines.technical.technical_informative_sentences import _CHANGE, _MAIL_ADDRESS
from research.search.mcp_tools.mcp_search_results import _in_words
from research.search.search_dois import doi_of
from research.web.ask.ask_form_hints import add_hint_words

ENOUGH_S = 30  # of a processor, for what takes far less than one; without a bound it would never end


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    def late(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, ENOUGH_S)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def page_of(mark: bytes) -> None:
    detect_interstitial("https://a.example/x/y", "https://a.example/x/y", {}, mark * (400_000 // len(mark)))


CASES: dict[str, Callable[[], object]] = {
    "a cell of a pasted table": lambda: decompose(
        "Capital of each country", "name;value\n" + f"a;{'1' * 130_000}!\n" * 3
    ),
    "a cell of money": lambda: decompose("Price of each", "name;value\n" + f"a;{'$1 ' * 40_000}!\n" * 3),
    "a pasted DOI of blanks": lambda: doi_of("doi" + " " * 1_000_000 + "x"),
    "a pasted DOI of brackets": lambda: doi_of("10.1000/x" + ")" * 1_000_000),
    "the end of a question": lambda: [add_hint_words(f"Why{'?' * 9_900}x", "in Europe") for _ in range(100)],
    "a heading of blanks": lambda: name_of("# a" + " " * 99_000 + "x"),
    "a line of brackets": lambda: name_of("[" * 100_000),
    "a rule of stars": lambda: _fits("/" + "*a" * 40 + "*b", "/" + "a" * 4_000),
    "a page of pictures": lambda: page_of(b"<svg "),
    "a page of headings": lambda: page_of(b"<h1>"),
    "a page of marks": lambda: page_of(b"<"),
    "a page of sheets before its root": lambda: sniff_media_type(b"<?xml-stylesheet>" * 60 + b"x", ""),
    "a page of comments before its root": lambda: sniff_media_type(b"<!---->" * 140 + b"x", ""),
    "a list that begins with comments": lambda: sniff(b"<!---->" * 500 + b"x", "a.txt"),
    "what a tool tells, of lines without end": lambda: list(
        _in_words("[a](https://b.example)" + "\n" * 100_000 + "x")
    ),
    "what is nearly a sentence of ours": lambda: translate_sentences(
        f"{'1: from 1 (1) to 1 (1), over ' * 1_000}x", "de"
    ),
    "a line of addresses": lambda: _MAIL_ADDRESS.findall("a@" + ".a" * 50_000),
    "a greeting before blanks": lambda: personal_data("Kind regards" + " " * 20_000 + "1"),
    "a rate of one long word": lambda: [
        _FOUND[AnswerKind.RATE].search("9" + "k" * 1_199) for _ in range(100)
    ],
    "a sentence without an end": lambda: danger_in("first " * 100_000, near="pills"),
    "an amount without an end": lambda: [danger_in("Take " + "1" * 4_900, near="pills") for _ in range(50)],
    "an abstract that finds without an end": lambda: conclusion_of("these findings " * 50_000),
    "an abstract of headings": lambda: conclusion_of(". conclusion " * 50_000),
    "an abstract of words alone": lambda: conclusion_of("x " * 100_000),
    "a wish for columns, and blanks": lambda: [
        parse_requested_fields(f"List for each country:\n * 1a{' ' * 9_900}x") for _ in range(20)
    ],
    "a line of a change log": lambda: _CHANGE.match(" v1." + "1" * 20_000),
    "a tag of names": lambda: [attributes_of("a" * 4_000) for _ in range(500)],
}


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_gone_over_again_and_again(case: str) -> None:
    CASES[case]()


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/a", "/ab", True),
        ("/a$", "/ab", False),
        ("/a$", "/a", True),
        ("/*/b", "/a/x/b/c", True),
        ("/*b$", "/a/b", True),
        ("/*b$", "/a/b/c", False),
        ("/a*$", "/abc", True),
        ("*", "/", True),
        ("*$", "/x", True),
        ("/a**b", "/axb", True),
        ("/ab*b$", "/ab", False),
        ("/*ab*ab$", "/ab", False),
        ("/*ab*ab$", "/abab", True),
        ("", "/x", True),
        ("/x.y", "/xzy", False),
    ],
)
def test_rules_of_robots_txt_mean_what_they_meant(pattern: str, path: str, fits: bool) -> None:
    assert _fits(pattern, path) is fits
