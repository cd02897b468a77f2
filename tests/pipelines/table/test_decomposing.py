"""A request in words, a list or a table becomes items, a template and columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.table.decomposing.decompose_table_request_by_rules import (
    NO_FIELDS,
    NO_ITEMS,
    decompose,
)
from research.pipelines.table.decomposing.guess_table_column_types import field_of, is_plural
from research.pipelines.table.decomposing.read_pasted_table_rows import read_grid
from research.pipelines.table.decomposing.table_request_decomposition import INPUT, MAX_ITEMS, Decomposition
from research.pipelines.table.table_columns import complaints


def shapes(found: Decomposition) -> list[tuple[str, str, str, bool]]:
    return [(field.name, field.type.value, field.format, field.many) for field in found.fields]


@pytest.mark.parametrize(
    "text",
    [
        "Acme\nGlobex\nInitech",
        "- Acme\n- Globex\n\n- Initech\n",
        "1. Acme\n2) Globex\n3. Initech",
        "Acme, Globex and Initech",
        "Acme; Globex; Initech",
        "“Acme”\n“Globex”\n“Initech”",
        "Company,Founded\nAcme,1998\nGlobex,\nInitech,",
        "Rank;Company\n1;Acme\n2;Globex\n3;Initech",
        "| Company | Note |\n|---|---|\n| Acme | x |\n| Globex | |\n| Initech | y |",
        "Acme\tx\nGlobex\ty\nInitech\tz",
    ],
)
def test_items_are_read_from_any_form_of_list(text):
    assert decompose("the CEO of each", text).items == ("Acme", "Globex", "Initech")


@pytest.mark.parametrize(
    ("text", "above"),
    [
        ("Market survey 2026\n\nNo.,Country,Contact\n1,Chad,a\n2,Mali,b\n3,Niger,c", 1),
        ("Market survey 2026,,\n,,\nNo.,Country,Contact\n1,Chad,a\n2,Mali,b\n3,Niger,c", 2),
        ('"Markets, second edition",,\nNo.,Country,"Contact, if any"\n1,Chad,a\n2,Mali,b\n3,Niger,c', 1),
        ("Survey\nNo.\tCountry\n1\tChad\n2\tMali\n3\tNiger", 1),
        ("Our markets\n\n| Country | Note |\n|---|---|\n| Chad | x |\n| Mali | |\n| Niger | y |", 1),
        ("Country\tCapital\tArea\nChad\t\t\nMali\t\t\nNiger\t\t", 0),
    ],
)
def test_a_title_above_a_table_is_left_out_and_told(text, above):
    found = decompose("the capital of each", text)
    assert found.items == ("Chad", "Mali", "Niger")
    assert (f"Lines left out above the headings of the table: {above}." in found.notes) == bool(above)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Cities\nParis, France\nBerlin, Germany", ("Cities", "Paris, France", "Berlin, Germany")),
        ("Chad\t\t\nMali\t\t\nNiger\t\t", ("Chad", "Mali", "Niger")),
    ],
)
def test_no_item_is_taken_for_a_title(text, items):
    assert decompose("the capital of each", text).items == items


LANDS = ("Chad", "Mali", "Niger")


@pytest.mark.parametrize(
    "text",
    [
        ",Country,Note\n1,Chad,a\n2,Mali,b\n3,Niger,c",
        "\tCountry\tNote\n1\tChad\ta\n2\tMali\t\n3\tNiger\tc",
        "No;Country;\n1;Chad;\n2;Mali;\n3;Niger;",
        'Country,Note\nChad,"two\nlines, and a comma"\nMali,"one ""more"""\nNiger,"a\n\nb"',
        'Land;Bemerkung\nChad;"zwei\nZeilen; und mehr"\nMali;\nNiger;x',
    ],
)
def test_a_spreadsheet_is_read_though_a_heading_is_missing_or_a_cell_has_lines(text):
    assert decompose("the capital of each", "", [text]).items == LANDS


def test_an_inch_mark_opens_no_cell():
    text = 'Pipe 3", steel\nBolt, 2"\n"Valve" 4"\nNut'
    assert decompose("the price of each", text).items == ('Pipe 3", steel', "Bolt, 2", 'Valve" 4', "Nut")


def test_the_heading_of_a_file_with_one_column_is_no_item():
    found = decompose("the capital of each", "", ["Country\nChad\nMali\nNiger\n"])
    assert found.items == LANDS
    assert "“Country” is in the first row of the file and is used as the heading." in found.notes


def test_names_with_commas_stay_whole_in_a_list_of_lines():
    assert decompose("", "Washington, D.C.\nParis, France\nBerlin").items == (
        "Washington, D.C.",
        "Paris, France",
        "Berlin",
    )


@pytest.mark.parametrize(
    ("prompt", "items"),
    [
        ("The CEO of each of these companies: Acme, Globex", ("Acme", "Globex")),
        ("Compare licence and first release of Python, Go and Rust.", ("Python", "Go", "Rust")),
        ("Founding year of each:\nAcme Works\nGlobex Inc", ("Acme Works", "Globex Inc")),
        ("The CEO of each company", ()),
    ],
)
def test_a_list_may_stand_in_the_request_itself(prompt, items):
    assert decompose(prompt, "").items == items


@pytest.mark.parametrize(
    ("prompt", "fields"),
    [
        (
            "founding year, headquarters and CEO of each company",
            [
                ("founding_year", "date", "year", False), ("headquarters", "string", "", False),
                ("ceo", "string", "", False),
            ],
        ),
        (
            "For each company, give the number of employees and its website.",
            [("number_of_employees", "number", "", False), ("website", "url", "", False)],
        ),
        (
            "When was it founded? Who is the CEO? How many employees does it have? Is it publicly listed?",
            [
                ("founded", "date", "year", False), ("ceo", "string", "", False),
                ("number_of_employees", "number", "", False), ("is_publicly_listed", "boolean", "", False),
            ],
        ),
        (
            "Columns: area in km², official languages, contact e-mail",
            [
                ("area_in_km2", "number", "", False), ("official_languages", "string", "", True),
                ("contact_e_mail", "string", "email", False),
            ],
        ),
        (
            "founding year of each company, and is it publicly listed",
            [("founding_year", "date", "year", False), ("is_publicly_listed", "boolean", "", False)],
        ),
        ("What is the capital of {{input}}?", [("capital", "string", "", False)]),
        ("Umsatz und Homepage für jede Firma", [("umsatz", "number", "", False), ("homepage", "url", "", False)]),
        ("Tell me about these companies.", []),
    ],
)  # fmt: skip
def test_columns_come_from_what_is_asked_for(prompt, fields):
    assert shapes(decompose(prompt, "Acme\nGlobex")) == fields


def test_columns_may_be_described_one_a_line():
    found = decompose(
        "Fields:\n- Founding year: when it was founded\n- CEO (who leads it)\n- Website", "Acme\nGlobex"
    )
    assert [(field.title, field.description) for field in found.fields] == [
        ("Founding year", "when it was founded"), ("CEO", "who leads it"), ("Website", ""),
    ]  # fmt: skip


def test_columns_with_gaps_are_asked_for_in_the_form_of_their_values():
    table = "Company,Founded,Staff,Web,Listed,Country\nAcme,1998,1200,,yes,US\nGlobex,,900,https://g.example,,DE\nHooli,,,,,FR\n"
    found = decompose("", table)
    assert shapes(found) == [
        ("founded", "date", "year", False), ("staff", "number", "", False), ("web", "url", "", False),
        ("listed", "boolean", "", False),
    ]  # fmt: skip
    assert found.notes == ("The column “Country” has a value in every row and is not looked up.",)


def test_another_column_can_hold_the_items():
    table = "Name,City,Note\nAcme,Oslo,\nGlobex,Rome,\n"
    assert decompose("", table).columns == ("Name", "City", "Note")
    assert decompose("", table).column == 0
    for column in ("city", "2"):
        found = decompose("", "", [table], column=column)
        assert (found.items, found.column) == (("Oslo", "Rome"), 1)
    assert decompose("", table, column="no such column").column == 0


@pytest.mark.parametrize(
    ("prompt", "titles"),
    [
        (
            "Capital, area in square kilometres and whether it is landlocked",
            ["capital", "area", "is landlocked"],
        ),
        ("capital", ["capital"]),
        ("Please find the founding year, CEO", ["founding year", "CEO"]),
        ("I wonder about a lot of things in the history of these lands", []),
        ("Some notes. Then more, and others", []),
    ],
)
def test_beside_a_list_of_items_a_request_need_not_say_that_it_is_of_each(prompt, titles):
    found = decompose(prompt, "Chad\nMali\nNiger").fields
    assert [field.title.casefold().split(" in ")[0] for field in found] == [
        title.casefold() for title in titles
    ]


@pytest.mark.parametrize(
    ("prompt", "template"),
    [
        ("Find the CEO of each company.", "Find the CEO of {{input}}."),
        ("For each company, give the CEO.", "For {{input}}, give the CEO."),
        ("What is the capital of {{input}}?", "What is the capital of {{input}}?"),
        ("Who is the CEO?", "{{input}}: Who is the CEO?"),
        ("", INPUT),
    ],
)
def test_the_template_speaks_of_one_item(prompt, template):
    assert decompose(prompt, "Acme\nGlobex").template == template


def test_full_columns_are_told_in_one_sentence():
    found = decompose(
        "the capital of each", "Country,Contact,Priority\nChad,a@b.example,A\nMali,c@d.example,B"
    )
    assert found.notes == (
        "These columns have a value in every row and are not looked up: Contact, Priority.",
    )


def test_what_is_left_out_is_told():
    text = "\n".join(["Acme", "ACME", "x" * 501, *(f"Item {number}" for number in range(MAX_ITEMS))])
    found = decompose("the CEO of each", text)
    assert len(found.items) == MAX_ITEMS
    assert found.items[0] == "Acme"
    assert found.notes == (
        "1 of the items were longer than 500 characters and are left out.",
        "1 items are listed more than once and are used once.",
        "Only the first 2000 of 2001 items are used, the maximum for a table.",
    )


def test_a_request_for_nothing_says_what_is_missing():
    assert decompose("Hello", "").notes == (NO_ITEMS, NO_FIELDS)
    assert decompose("", "").template == INPUT


@pytest.mark.parametrize(
    ("title", "many"),
    [
        ("official languages", True),
        ("countries of operation", True),
        ("headquarters", False),
        ("address", False),
        ("status", False),
    ],
)
def test_plural_titles_ask_for_lists(title, many):
    assert is_plural(title) is many


def test_a_title_of_signs_is_no_column():
    assert field_of("—!") is None


@given(
    st.text(max_size=300),
    st.text(max_size=300),
    st.lists(st.text(max_size=200), max_size=2),
    st.text(max_size=10),
)
def test_whatever_is_pasted_comes_to_a_table_that_can_be_edited(prompt, text, files, column):
    found = decompose(prompt, text, files, column=column)
    assert all(item and item == item.strip() for item in found.items)
    assert len({item.casefold() for item in found.items}) == len(found.items) <= MAX_ITEMS
    assert not found.fields or not complaints(found.fields)
    assert INPUT in found.template
    assert found.column is None or 0 <= found.column < len(found.columns)
    assert found == decompose(prompt, text, files, column=column)


@given(
    st.lists(
        st.tuples(*[st.from_regex(r"[A-Za-z][A-Za-z ]{0,9}[A-Za-z]", fullmatch=True)] * 3),
        min_size=2,
        max_size=8,
    )
)
def test_a_table_that_was_written_is_read_again(rows):
    grid = read_grid("name;city;type\n" + "\n".join(";".join(row) for row in rows))
    assert grid is not None
    assert grid.headers == ("name", "city", "type")
    assert grid.rows == tuple(tuple(" ".join(cell.split()) for cell in row) for row in rows)


def test_one_endless_line_among_many_short_ones_is_no_table():
    """All rows would get its cells: 120 000 times 400 000."""
    assert read_grid("\n".join(["Name,City", *["a,b"] * 120_000, "," * 400_000])) is None


@pytest.mark.parametrize("column", ["", "0", "3", "²", "-1", "9" * 5_000, "Nowhere"])
def test_a_column_that_there_is_not_leaves_the_choice_to_the_rules(column):
    assert decompose("", "City,CEO\nRome,\nOslo,\n", column=column).items == ("Rome", "Oslo")
    assert decompose("", "City,CEO\nRome,Ann\nOslo,Bo\n", column="2").items == ("Ann", "Bo")


def test_a_german_genitive_names_the_items_and_no_column():
    found = decompose("Nenne Fläche (km²) und Bürgermeister jeder Gemeinde", "Kaltental\nLohweiler")
    assert [field.title for field in found.fields] == ["Fläche (km²)", "Bürgermeister"]
    assert found.template == f"Nenne Fläche (km²) und Bürgermeister von {INPUT}"
