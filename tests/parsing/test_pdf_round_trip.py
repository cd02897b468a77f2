"""A PDF's content comes out again: text, tables, notes, raised figures, line numbers, columns drawn at random.

`make test` makes a few files, with PLUMBLINE_TEST_FULL two hundred.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest

import pytest

from research.parsing.formats.parse_pdf import read_pdf
from research.parsing.parsed_document import BlockKind, ReadDocument
from tests.often import IS_FULL
from tests.parsing.documents import Shape, Words, pdf, prose
from tests.parsing.field_pdfs import number_lines

FILES = 200 if IS_FULL else 24
NOUNS = (
    "river mill bridge harbour school forest tower market meadow chapel ferry quarry orchard station".split()
)
VERBS = "holds counts needs sells carries shows gives keeps reaches covers".split()
ENDS = "in a dry year|after the flood|at the old town|for the whole valley|on both sides|since the war".split(
    "|"
)


def sentence(chance: random.Random) -> str:
    noun, other = chance.sample(NOUNS, 2)
    return f"The {noun} {chance.choice(VERBS)} {chance.randint(2, 9_999):,} {other}s {chance.choice(ENDS)}."


def paragraph(chance: random.Random, least: int = 2) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(least, least + 3)))


def build(seed: int) -> tuple[bytes, list[str], list[list[list[str]]]]:  # noqa: C901 - one branch a kind
    """A file, its paragraphs in the order of reading, and its tables."""
    chance = random.Random(seed)
    drawn: list[Words | Shape] = []
    texts: list[str] = []
    tables: list[list[list[str]]] = []
    notes: list[Words] = []
    top = 730.0
    has_columns = False
    kind = "prose"  # first, as the type of the text is the one that most of it has
    for place in range(chance.randint(2, 4)):
        # Columns right below columns are read as one pair of longer ones: one pair a page.
        kinds = ["prose", "table", "power", "note", "numbers"] + ["columns"] * (not has_columns)
        kind = chance.choice(kinds) if place else kind
        has_columns = has_columns or kind == "columns"
        if kind == "prose":
            text = paragraph(chance)
            lines = prose(text, top=top)
            drawn += lines
            texts.append(text)
            top = lines[-1].y - 34
        elif kind == "columns":
            left, right = paragraph(chance, 4), paragraph(chance, 4)
            whole = [prose(text, top=top, width=42, x=x) for text, x in ((left, 60), (right, 330))]
            count = max(map(len, whole))
            drawn += [line for pair in zip_longest(*whole) for line in pair if line]
            texts += [left, right]
            top -= 13 * count + 24
        elif kind == "table":
            rows = [["Place", "Households", "Length (m)"]]
            for name in chance.sample(NOUNS, chance.randint(3, 6)):
                rows.append([name.title(), f"{chance.randint(10, 9_999):,}", f"{chance.uniform(1, 99):.1f}"])
            for number, row in enumerate(rows):
                for x, cell in zip((72, 220, 350), row, strict=True):
                    drawn.append(Words(cell, x, top - 16 * number, bold=number == 0))
            tables.append(rows)
            top -= 16 * len(rows) + 24
        elif kind == "power":
            power, base = chance.randint(3, 19), chance.randint(2, 9)
            drawn.append(raise_mark(f"The sample held {base} x 10", str(power), " cells of the strain.", top))
            texts.append(f"The sample held {base} x 10^{power} cells of the strain.")
            top -= 34
        elif kind == "note":
            mark, words = len(notes) + 1, sentence(chance)
            figure = chance.randint(11, 99)
            drawn.append(
                raise_mark(f"The share of the town was {figure}", str(mark), " % in that year.", top)
            )
            texts.append(f"The share of the town was {figure} % in that year.")
            notes.append(Words(f"{mark} {words}", 72, 90 - 10 * len(notes), 8))
            top -= 34
        else:
            text = paragraph(chance, 4)
            lines = [line.text for line in prose(text, width=60)]
            how = chance.choice(("before", "after", "last"))
            drawn += number_lines(lines, first=chance.randint(1, 30), top=top, how=how)
            texts.append(text)
            top -= 16 * len(lines) + 24
    return pdf([[*drawn, *notes]]), [*texts, *(note.text for note in notes)], tables


def raise_mark(before: str, mark: str, after: str, y: float) -> Shape:
    return Shape(
        f"BT /F1 11 Tf 72 {y} Td ({before}) Tj /F1 7 Tf 4 Ts ({mark}) Tj 0 Ts /F1 11 Tf ({after}) Tj ET"
    )


def difference(document: ReadDocument, texts: list[str], tables: list[list[list[str]]]) -> Iterator[str]:
    prose_read = [document.text[b.start : b.end] for b in document.blocks if b.kind is not BlockKind.TABLE]
    if " ".join(prose_read) != " ".join(texts):
        read, put_in = set(prose_read), set(texts)
        yield f"text: {read - put_in} for {put_in - read}"
    grids = [[list(table.headers), *map(list, table.rows)] for table in document.tables]
    if grids != tables:
        yield f"tables: {grids} for {tables}"


@pytest.mark.parametrize("seed", range(FILES))
def test_what_was_put_in_comes_out(seed: int) -> None:
    data, texts, tables = build(seed)
    assert list(difference(read_pdf(data, "a.pdf"), texts, tables)) == []
