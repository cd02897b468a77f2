"""Lines of authors at the margins of what is a person."""

import pytest

from citations.bibliography.names import author_names, names
from citations.bibliography.references import Name


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Smith et al.", ("Smith",)),
        ("Anna Lind & Bo Lee and Cy Day; Di Ek", ("Anna Lind", "Bo Lee", "Cy Day", "Di Ek")),
        ("Lind, Anna", ("Lind, Anna",)),
        ("Lind, Anna, Lee", ("Lind", "Anna", "Lee")),
        ("The Acme Team", ("The Acme",)),
        ("Lind (editor), and others.", ("Lind",)),
        (" ; , . ", ()),
    ],
)
def test_a_line_is_parted(line, expected):
    assert author_names(line) == expected


@pytest.mark.parametrize(
    ("line", "publisher", "expected"),
    [
        ("  ", "", ()),
        (" Blue Harbour ", "Blue Harbour ", (Name(literal="Blue Harbour"),)),
        ("Blue Harbour", "Other", (Name("Harbour", "Blue"),)),
        ("Anna", "", (Name(literal="Anna"),)),
        ("A B C D E", "", (Name("E", "A B C D"),)),
        ("A B C D E F", "", (Name(literal="A B C D E F"),)),
        ("Van Berg", "", (Name("Berg", "Van"),)),
        ("van Berg", "", (Name("Berg", "van"),)),
        ("Anna van", "", (Name("van", "Anna"),)),
        ("J.-P. Sartre", "", (Name("Sartre", "J.-P."),)),
        ("J. NASA", "", (Name("NASA", "J."),)),
        ("Anna NASA", "", (Name(literal="Anna NASA"),)),
        ("Anna lind", "", (Name(literal="Anna lind"),)),
        ("J. lind", "", (Name("lind", "J."),)),
        ("J. Press", "", (Name(literal="J. Press"),)),
        ("Acme Inc.", "", (Name(literal="Acme Inc."),)),
        ("Lind,", "", (Name(literal="Lind"),)),
        ("Lind, Anna Maria", "", (Name("Lind", "Anna Maria"),)),
        ("Anna Lind, Bo", "", (Name("Anna Lind", "Bo"),)),
        ("Anna Lind; Acme Press; Lee, Bo", "", (Name("Lind", "Anna"), Name(literal="Acme Press"), Name("Lee", "Bo"))),
    ],
)  # fmt: skip
def test_each_name_is_a_person_or_an_organization(line, publisher, expected):
    assert names(line, publisher) == expected
