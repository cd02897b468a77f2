"""Generated pages and Word files: the text and grid that come out are those that were put in."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from research.parsing.read_document import read
from tests.parsing.documents import page
from tests.parsing.word_parts import cell, lowered, paragraph, raised, row, run, table, word_file

LEAD = "The district wrote this report for people who live there, and it was printed twice in that year."
WORDS = st.sampled_from("amber brook cedar delta ember fjord grove heath islet knoll".split())
NUMBERS = st.integers(3, 999).map(str)
# Of each piece: its text as read, then as the page and the Word file have it.
Part = tuple[str, str, str]
PARTS: st.SearchStrategy[Part] = st.one_of(
    WORDS.map(lambda word: (word, word, run(word))),
    NUMBERS.map(lambda number: (f"{number} items", f"{number} items", run(f"{number} items"))),
    st.integers(2, 99).map(lambda n: (f"10^{n}", f"10<sup>{n}</sup>", run("10") + raised(str(n)))),
    st.just(("5 km²", "5 km<sup>2</sup>", run("5 km") + raised("2"))),
    st.just(("CO2", "CO<sub>2</sub>", run("CO") + lowered("2"))),
    NUMBERS.map(
        lambda n: (
            f"now {n}",
            f"<del>old {n}7</del> now {n}",
            run("old 777", "<w:strike/>") + run(f"now {n}"),
        )
    ),
)
LINES = st.lists(PARTS, min_size=2, max_size=7)


@st.composite
def grids(draw: st.DrawFn) -> list[list[tuple[str, int]]]:
    """Rows of cells with the columns that each covers; the first cell names the row and covers one."""
    rows = []
    for number in range(draw(st.integers(1, 4))):
        spans = draw(st.sampled_from([(1, 1, 1), (2, 1), (1, 2)]))
        rows.append([(f"r{number}", 1), *((f"{number}v{at}", span) for at, span in enumerate(spans))])
    return [*rows, [("last", 1), ("a", 1), ("b", 1), ("c", 1)]]


def filled(grid: list[list[tuple[str, int]]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text for text, span in line for _ in range(span)) for line in grid)


@settings(max_examples=30, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=4), grids())
def test_what_is_put_into_a_page_comes_out(
    lines: list[list[Part]], grid: list[list[tuple[str, int]]]
) -> None:
    body = "".join(f"<p>{' '.join(part[1] for part in line)}.</p>" for line in lines)
    cells = "".join(
        f"<tr>{''.join(f'<td colspan={span}>{text}</td>' for text, span in line)}</tr>" for line in grid
    )
    head = "<tr><th>Name</th><th>A</th><th>B</th><th>C</th></tr>"
    document = read(page(f"<main><p>{LEAD}</p>{body}<table>{head}{cells}</table></main>"), "a.html")
    wanted = [LEAD, *(" ".join(part[0] for part in line) + "." for line in lines)]
    assert document.text.split("\n\n")[:-1] == wanted
    assert (document.tables[0].headers, document.tables[0].rows) == (("Name", "A", "B", "C"), filled(grid))


@settings(max_examples=30, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=4), grids())
def test_what_is_put_into_a_word_file_comes_out(
    lines: list[list[Part]], grid: list[list[tuple[str, int]]]
) -> None:
    body = "".join(paragraph(run(" ").join(part[2] for part in line), run(".")) for line in lines)
    rows = [row(*(cell(text, span=span) for text, span in line)) for line in grid]
    given_table = table(row("Name", "A", "B", "C", is_header=True), *rows)
    document = read(word_file(paragraph(LEAD) + body + given_table), "a.docx")
    wanted = [LEAD, *(" ".join(part[0] for part in line) + "." for line in lines)]
    assert document.text.split("\n\n")[:-1] == wanted
    assert (document.tables[0].headers, document.tables[0].rows) == (("Name", "A", "B", "C"), filled(grid))
