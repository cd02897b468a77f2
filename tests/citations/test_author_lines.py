"""Lines of authors at the margins of what is a person."""

import pytest

from citations.bibliography.author_names import author_names, names
from citations.bibliography.csl_references import Name


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Smith J, Doe A, Lee B.", (Name("Smith", "J"), Name("Doe", "A"), Name("Lee", "B"))),
        ("van der Berg KL, García Márquez G", (Name("van der Berg", "KL"), Name("García Márquez", "G"))),
        ("Smith, J. A., Lee, B.", (Name("Smith", "J. A."), Name("Lee", "B."))),
        ("John Smith Jr.", (Name("Smith", "John", suffix="Jr."),)),
        ("King, Martin Luther, III", (Name("King", "Martin Luther", suffix="III"),)),
        ("Smith, Jr., John", (Name("Smith", "John", suffix="Jr."),)),
        ("Dr. Anna Berg, PhD", (Name("Berg", "Anna"),)),
        ("Prof. Dr. med. Karl-Heinz Weber", (Name("Weber", "Karl-Heinz"),)),
        ("Berg, Anna, MD; Lee, Bo, MSc", (Name("Berg", "Anna"), Name("Lee", "Bo"))),
        ("Anna Berg PhD and Bo Lee MD", (Name("Berg", "Anna"), Name("Lee", "Bo"))),
        ("Drew Berg", (Name("Berg", "Drew"),)),
        ("de la Cruz, María José", (Name("de la Cruz", "María José"),)),
        ("Statistisches Bundesamt (Destatis)", (Name(literal="Statistisches Bundesamt (Destatis)"),)),
        ("Robert Koch-Institut", (Name(literal="Robert Koch-Institut"),)),
        ("Smith and Sons Ltd.", (Name(literal="Smith and Sons Ltd."),)),
        ("Ministère de la Santé", (Name(literal="Ministère de la Santé"),)),
        ("Universidad de Chile", (Name(literal="Universidad de Chile"),)),
        ("Главное управление статистики", (Name(literal="Главное управление статистики"),)),
        ("{World Bank} and Lee, Bo", (Name(literal="World Bank"), Name("Lee", "Bo"))),
        ("Nguyen TH, de la Cruz M; SPRINT Research Group.", (
            Name("Nguyen", "TH"), Name("de la Cruz", "M"), Name(literal="SPRINT Research Group"))),
        ("Smith J. A., Lee B.", (Name("Smith", "J. A."), Name("Lee", "B."))),
        ("Lee, Bo; others", (Name("Lee", "Bo"),)),
        ("Mag. Eva Huber, MSc; Univ.-Prof. DDr. Maria Lang", (Name("Huber", "Eva"), Name("Lang", "Maria"))),
        ("Dr Sarah O’Neill, PhD, FRCP and Sir David Holt, OBE", (Name("O’Neill", "Sarah"), Name("Holt", "David"))),
        ("Иванов И. И., Петров П. П.", (Name("Иванов", "И. И."), Name("Петров", "П. П."))),
        ("山田 太郎、佐藤 花子", (Name("山田", "太郎"), Name("佐藤", "花子"))),
        ("김민수, 이영희", (Name(literal="김민수"), Name(literal="이영희"))),
        ("王小明；李华", (Name(literal="王小明"), Name(literal="李华"))),
        ("Deutsche Forschungsgemeinschaft", (Name(literal="Deutsche Forschungsgemeinschaft"),)),
        ("Kementerian Kesehatan Republik Indonesia", (Name(literal="Kementerian Kesehatan Republik Indonesia"),)),
        ("Federal Office for Water, Division 3; Anna Meier", (
            Name(literal="Federal Office for Water, Division 3"), Name("Meier", "Anna"))),
    ],
)  # fmt: skip
def test_lines_of_databases_offices_and_titled_people_are_read(line, expected):
    assert names(line) == expected
