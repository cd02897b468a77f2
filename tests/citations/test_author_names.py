"""Authors' names are read from the line that says who wrote it."""

import pytest

from citations.bibliography.author_names import author_names, names
from citations.bibliography.csl_references import Name


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("P. Grassi; J. Fenton (NIST)", ("P. Grassi", "J. Fenton")),
        ("Nick Campbell and contributors", ("Nick Campbell",)),
        ("Smith, Anna and Lee, Bo", ("Smith, Anna", "Lee, Bo")),
        ("Ann Smith, Bo Lee, Cy Day", ("Ann Smith", "Bo Lee", "Cy Day")),
        ("", ()),
    ],
)
def test_an_author_line_names_persons(line, expected):
    assert author_names(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ()),
        ("A. Lind", (Name("Lind", "A."),)),
        ("Lind, Anna", (Name("Lind", "Anna"),)),
        ("Anna Lind, Bo Lee", (Name("Lind", "Anna"), Name("Lee", "Bo"))),
        ("Lind, Anna; Lee, Bo", (Name("Lind", "Anna"), Name("Lee", "Bo"))),
        ("Jan van der Berg and Anton Müller", (Name("van der Berg", "Jan"), Name("Müller", "Anton"))),
        ("Ministry of Building", (Name(literal="Ministry of Building"),)),
        ("Department of Energy and Climate", (Name(literal="Department of Energy and Climate"),)),
        ("City Works", (Name(literal="City Works"),)),
        ("NBS", (Name(literal="NBS"),)),
        ("Madrigal", (Name(literal="Madrigal"),)),
        ("Anna Lind; Ministry of Building", (Name("Lind", "Anna"), Name(literal="Ministry of Building"))),
        ("李娜", (Name(literal="李娜"),)),
    ],
)
def test_persons_are_told_from_organizations(line, expected):
    assert names(line) == expected


def test_an_author_that_is_the_publisher_is_an_organization():
    assert names("Blue Harbour", "Blue Harbour") == (Name(literal="Blue Harbour"),)
