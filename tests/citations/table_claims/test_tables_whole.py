"""Tables as they are found in passages; a line break is written \\n, a tab \\t."""

import pytest

from citations.table_claims import find_tables
from tests.citations.telling import join_parts, parse_expectations

TABLES = r"""
a | b\nred | x
    untitled, whole, 0 to 13, text text
    a/b
    red/x
| a | b |\n|---|:-:|\n| 1 | x |\n| 2 | y |
    untitled, whole, 0 to 39, number text
    a/b
    1/x
    2/y
| 1 | 2 |\n|---|---|\n| 3 | 4 |\n| 5 | 6 |
    untitled, whole, 0 to 39, number number
    1/2
    3/4
    5/6
name\tcolour\nash\tgrey\noak\tbrown
    untitled, whole, 0 to 30, text text
    name/colour
    ash/grey
    oak/brown
Table: on | off\nlamp | watts | hours\nporch | 8 | 900\nhall | 5 | 700
    “on | off”, whole, 16 to 67, text number number
    lamp/watts/hours
    porch/8/900
    hall/5/700
Table 3.1: The walls\n\na | b\nred | x
    “The walls”, whole, 22 to 35, text text
    a/b
    red/x
## Walls ##\na | b\nred | x
    “Walls”, whole, 12 to 25, text text
    a/b
    red/x
The walls are listed below.\na | b\nred | x
    untitled, whole, 28 to 41, text text
    a/b
    red/x
They are these:\na | b\nred | x
    untitled, whole, 16 to 29, text text
    a/b
    red/x
Caption - The walls.\na | b\nred | x
    “The walls.”, whole, 21 to 34, text text
    a/b
    red/x
Walls\n\n\na | b\nred | x
    untitled, whole, 8 to 21, text text
    a/b
    red/x
Ada | 31 | 1.5\nBo | 24 | 2.5\nCy | 45 | 3.5
    untitled, in part, 0 to 42, text number number
    //
    Ada/31/1.5
    Bo/24/2.5
    Cy/45/3.5
town | 2004 | 2005\nHexley | 310 | 280\nStane | 455 | 120
    untitled, whole, 0 to 55, text number number
    town/2004/2005
    Hexley/310/280
    Stane/455/120
a | b\nred | x | more
    untitled, whole, 0 to 20, text text
    a/b
    red/x
a | b | c\nred | x | y\nblue | z
    untitled, whole, 0 to 30, text text text
    a/b/c
    red/x/y
    blue/z/
name | born | town | score\nAda | 1990 | Hexley | 31\nBo | 1985 | Stane | 24\nCy | Dunlow | 45
    untitled, whole, 0 to 91, text date text number
    name/born/town/score
    Ada/1990/Hexley/31
    Bo/1985/Stane/24
    Cy//Dunlow/45
gate | crowd\nn | 2248\ns | 1976\nw | 3154\ne | 12001
    untitled, whole, 0 to 49, text number
    gate/crowd
    n/2248
    s/1976
    w/3154
    e/12001
gate | opened | note\nn | 1948 | -\ns | 1976 | n/a
    untitled, whole, 0 to 48, text date empty
    gate/opened/note
    n/1948/-
    s/1976/n/a
one | two
a | b\n|---|---|
x\na | b\nred | x\ny
    “x”, whole, 2 to 15, text text
    a/b
    red/x
"""


def describe_tables(text):
    return [line for table in find_tables(unescape(text)) for line in describe_table(table, unescape(text))]


def unescape(text):
    return text.replace("\\n", "\n").replace("\\t", "\t")


def describe_table(table, text):
    for row in table.rows:
        assert all(cell.span.cut(text) == cell.text for cell in row)
    yield join_parts(
        f"“{table.title}”" if table.title else "untitled",
        "whole" if table.is_whole else "in part",
        f"{table.span.start} to {table.span.end}",
        " ".join(kind.value for kind in table.kinds),
    )
    for row in (table.headers, *([cell.text for cell in row] for row in table.rows)):
        yield "/".join(row)


@pytest.mark.parametrize(("text", "lines"), parse_expectations(TABLES))
def test_every_table_is_read_whole(text, lines):
    assert describe_tables(text) == lines
