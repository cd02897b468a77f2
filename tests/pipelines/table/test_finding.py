"""Values are found where a page says them, and not where it says something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.claim_confidence import MatchKind
from research.pipelines.table.convert_table_cell_values import Value, format_value
from research.pipelines.table.finding import FoundCell, find_cells
from research.pipelines.table.finding.found_table_values import Missing, ReadText
from research.pipelines.table.finding.score_table_column_labels import NO_FIT, label_fit
from research.pipelines.table.table_columns import TableField
from tests.often import often
from tests.pipelines.table.made_up.world import read_text

CAPITAL, HEIGHT = TableField(name="capital"), TableField(name="height_m", type="number", title="Height (m)")
OWNER, LISTED = (
    TableField(name="owner"),
    TableField(name="listed", type="boolean", title="Is publicly listed"),
)
STAFF = TableField(name="employees", type="number")
NEIGHBOURS = TableField(name="land_neighbours", many=True)


def find(field: TableField, *pages: str, item: str = "Acme", others: tuple[str, ...] = ()) -> FoundCell:
    """The cell of one column, from pages in Markdown (in HTML where they begin with it)."""
    sources = [
        read_text(f"{n}.{'html' if text.startswith('<') else 'md'}", text) for n, text in enumerate(pages)
    ]
    return find_cells(item, [field], sources, others)[0]


def of(field: TableField, sentence: str) -> Value | None:
    return find(field, f"# Acme\n\n{sentence}\n").value


@pytest.mark.parametrize(
    "sentence",
    [
        "Capital: Kabul",
        "- **Capital city:** Kabul",
        "The capital is Kabul.",
        "The capital of Acme is Kabul, a city of two million.",
        "Its capital is currently Kabul.",
        "Acme's capital is Kabul (since 1776).",
        "In 2020, the capital was Kabul.",
        "Kabul is its capital.",
        "It has its capital in Kabul.",
        "It is governed from its capital, Kabul.",
        "## Capital\n\nKabul",
        "Facts of it.\n\n| Property | Value |\n|---|---|\n| Capital | Kabul |",
    ],
)
def test_a_name_is_found_in_any_of_these_words(sentence):
    assert of(CAPITAL, sentence) == "Kabul"


@pytest.mark.parametrize("title", ["Area in square kilometres", "Area (km²)", "Total area in km²"])
def test_a_unit_in_a_title_is_no_word_that_a_page_must_have(title):
    field = TableField(name="area", type="number", title=title)
    row = "| Fact | Value |\n|---|---|\n| area km2 | The total area is 28,748 square kilometres. |"
    assert [of(field, row), of(field, "Its area is 28,748 km².")] == [28748, 28748]


@pytest.mark.parametrize(
    ("page", "basso", "tenor"),
    [
        ("Basso weighs 1,400 g. Tenor weighs 900 g.", 1400, 900),
        ("Basso is a wide speaker. Tenor weighs 900 g.", None, 900),
        ("# Basso\n\nIt is made of oak. Unlike it, the smaller Tenor has a weight of 900 g.", None, None),
        ("# Basso\n\nTenor is its sibling. Its weight is 900 g.", None, None),
        ("# Basso\n\nTenor is new. The weight is 900 g. Basso has a weight of 1,400 g.", 1400, None),
        ("# Basso\n\nIt is made of oak.\n\n## Tenor\n\nIts weight is 900 g.\n", None, 900),
        ("# Basso\n\n- Weight: 1,400 g\n- Tenor: weighs 900 g\n", 1400, 900),
        ("# Basso 2\n\nBasso 2 weighs 1,400 g. Basso weighs 900 g.\n", 900, None),
    ],
)
def test_what_is_told_of_another_row_is_not_taken(page, basso, tenor):
    field, names = TableField(name="weight", type="number", title="Weight (g)"), ("Basso", "Tenor", "Basso 2")
    found = [
        find(field, page, item=item, others=tuple(name for name in names if name != item))
        for item in ("Basso", "Tenor")
    ]
    assert [cell.value for cell in found] == [basso, tenor]


def test_another_row_may_be_the_owner():
    cell = find(OWNER, "# Acme\n\nGlobex Works is its owner.\n", others=("Globex Works",))
    assert cell.value == "Globex Works"


def test_a_heading_names_the_year_behind_its_unit():
    field = TableField(name="waste", type="number", title="Waste in 2024 (t)")
    page = "| Town | Waste (t) 2024 | Waste (t) 2025 |\n|---|---|---|\n| Acme | 900 | 950 |\n| Skell | 70 | 80 |\n"
    assert find(field, page).value == 900


def test_a_range_in_a_sentence_is_named_where_one_number_is_asked_for():
    cell = find(
        TableField(name="population", type="number"), "# Acme\n\nIt has a population of 12 – 14 thousand.\n"
    )
    assert (cell.value, cell.reason) == (None, "“12 – 14 thousand” is a range, not one number.")


def test_a_row_of_a_table_speaks_of_its_item():
    cell = find(STAFF, "# Towns\n\n| Town | Waste (t) |\n|---|---|\n| Acme | 900 |\n| Skell | 70 |\n")
    assert cell.reason == "The sources on “Acme” say nothing of “Employees”."


def test_a_percentage_under_a_label_is_a_share_of_what_the_label_names():
    field = TableField(name="share_recycled", type="number", title="Share recycled in 2025 (%)")
    page = (
        "| Town | Waste (t) | Recycled 2025 |\n|---|---|---|\n| Acme | 12,100 | {} |\n| Skell | 900 | {} |\n"
    )
    shares, amounts = find(field, page.format("47.5%", "50%")), find(field, page.format("5,700", "450"))
    assert (shares.value, amounts.value) == (47.5, 5700)
    assert [each.kind for each in shares.evidence] == [MatchKind.NORMALIZED]
    assert [each.kind for each in amounts.evidence] == [MatchKind.PARAPHRASE]


@pytest.mark.parametrize(
    "sentence",
    [
        "The share of capital gains tax is Kabul.",
        "The capital of Globex is Oslo.",
        "Globex's capital is Oslo.",
        "Capital: unknown",
        "Capital: n/a",
        "The former capital is Oslo.",
        "## See also\n\n- Capital: Oslo",
        "It is a city.",
    ],
)
def test_what_is_told_of_something_else_is_not_taken(sentence):
    assert of(CAPITAL, sentence) is None


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Its height is 60 metres.", 60),
        ("Height: 200 ft", 60.96),
        ("The height of Acme is 33 metres; until 1990, it was 45 metres high.", 33),
        ("An older edition gave the height as 45 metres.", None),
        ("Height: 9-11 m", None),
        ("Height: 5 kg", None),
    ],
)
def test_a_number_is_taken_in_the_unit_of_its_column(sentence, value):
    assert of(HEIGHT, sentence) == value


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The company is publicly listed.", True),
        ("Acme is not publicly listed.", False),
        ("Acme isn't publicly listed.", False),
        ("Publicly listed: no", False),
        ("Acme may become publicly listed.", None),
        ("Is Acme publicly listed?", None),
        ("Listed buildings surround it.", None),
    ],
)
def test_yes_and_no_come_from_what_is_affirmed_and_denied(sentence, value):
    assert of(LISTED, sentence) is value


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("It shares land borders with China, Iran and Tajikistan.", ("China", "Iran", "Tajikistan")),
        ("Land neighbours: Chad", ("Chad",)),
        ("It has no land borders.", ()),
        ("Land neighbours: none", ()),
        ("## Land neighbours\n\n- Chad\n- Niger", ("Chad", "Niger")),
        ("Nobody knows its land borders.", None),
    ],
)
def test_lists_are_found_and_so_is_that_there_is_nothing_to_list(sentence, value):
    assert of(NEIGHBOURS, sentence) == value


def test_a_rival_in_the_same_text_does_not_answer():
    text = "Acme makes wheels. Its rival Globex employs 900 people. Ann Lee runs the company."
    assert of(STAFF, text) is None
    assert of(STAFF, f"{text} It employs 40 people.") == 40


def test_the_items_own_name_is_no_word_of_a_column():
    cell = find(STAFF, "# Acme Works\n\nAcme Works was made by two brothers.\n", item="Acme Works")
    assert cell.value is None


def test_a_row_of_a_list_of_many_items_is_taken_by_its_name():
    rows = "| Company | Employees | Owner |\n|---|---|---|\n| Globex | 9 | Bob |\n| Acme | 7 | Ann Lee |\n"
    table = f"# Members\n\n{rows}"
    assert find(STAFF, table).value == 7
    assert find(OWNER, table).value == "Ann Lee"
    assert find(OWNER, table, item="Initech").missing is Missing.NOT_ABOUT


def test_items_side_by_side_are_read_by_column():
    table = (
        "# Compared\n\n| | Globex | Acme |\n|---|---|---|\n| Employees | 9 | 7 |\n| Owner | Bob | Ann Lee |\n"
    )
    assert (find(STAFF, table).value, find(OWNER, table).value) == (7, "Ann Lee")


def test_of_values_with_years_the_latest_is_taken():
    table = "# Acme\n\n- Employees (2010): 30\n- Employees (2020): 70\n"
    cell = find(STAFF, table)
    assert cell.value == 70
    assert not cell.is_disputed


def test_an_outdated_value_stands_beside_the_current_one():
    cell = find(STAFF, "# Acme\n\nEmployees: 70\n\nAn earlier report counted 30 employees.\n")
    assert cell.value == 70
    assert [(other.value, other.is_outdated) for other in cell.others] == [(30, True)]
    assert not cell.is_disputed


def test_sources_that_disagree_are_both_shown_and_the_majority_is_taken():
    pages = [f"# Acme\n\nEmployees: {number}\n" for number in (30, 70, 70)]
    cell = find(STAFF, *pages)
    assert cell.value == 70
    assert [one.source for one in cell.evidence] == ["1.md", "2.md"]
    assert [(other.value, other.evidence[0].source) for other in cell.others] == [(30, "0.md")]
    assert cell.is_disputed


def test_a_rounded_value_disputes_nothing():
    cell = find(STAFF, "# Acme\n\nEmployees: 1,204,311\n", "# Acme\n\nEmployees: 1.2 million\n")
    assert not cell.others
    assert len(cell.evidence) == 2


@pytest.mark.parametrize(
    ("pages", "missing", "words"),
    [
        ([], Missing.NO_SOURCE, "No source on “Acme” was found."),
        (["# Globex\n\nIts owner is Bob. Partners: Acme.\n"], Missing.NOT_ABOUT, "only mention it"),
        (["# Acme\n\nA firm.\n"], Missing.NOT_SAID, "say nothing of “Employees”"),
        (["# Acme\n\nEmployees: several\n"], Missing.NO_VALUE, "“several” is not a number."),
        (["# Acme\n\nFormer employees: 30\n"], Missing.OUTDATED, "outdated"),
    ],
)
def test_an_empty_cell_says_why(pages, missing, words):
    cell = find(STAFF, *pages)
    assert cell.value is None
    assert cell.missing is missing
    assert words in cell.reason


@pytest.mark.parametrize("item", ["Congo", "Guinea", "Dominica"])
def test_a_page_on_something_of_a_similar_name_is_not_about_the_item(item):
    others = {"Congo": "DR Congo", "Guinea": "Guinea-Bissau", "Dominica": "Dominican Republic"}
    cell = find(CAPITAL, f"# {others[item]}\n\nThe capital is Oslo.\n", item=item)
    assert cell.missing is Missing.NOT_ABOUT


def test_an_address_is_an_item_too():
    source = ReadText("a", "Owner: Ann Lee", url="https://www.acme.example/about/")
    assert find_cells("https://acme.example/about", [OWNER], [source])[0].value == "Ann Lee"
    assert find_cells("https://acme.example/other", [OWNER], [source])[0].value is None


def test_labelled_words_are_trusted_more_than_a_sentence_in_passing():
    plain, loose = (
        find(STAFF, "# Acme\n\nEmployees: 7\n"),
        find(STAFF, "# Acme\n\nIt grew to 7 employees in all.\n"),
    )
    assert plain.evidence[0].kind is MatchKind.NORMALIZED
    assert loose.evidence[0].kind is MatchKind.PARAPHRASE
    assert loose.evidence[0].fit < plain.evidence[0].fit == 1.0


FIELDS = [
    CAPITAL,
    HEIGHT,
    OWNER,
    LISTED,
    STAFF,
    NEIGHBOURS,
    TableField(name="opened", type="date"),
    TableField(name="web", type="url"),
]
WORDS = st.sampled_from(
    "Acme Globex capital owner height employees 12 60 m 1998 is has no , . : | - # \n \n\n the of Ann Lee not former "
    "listed https://a.example ( ) ; and borders land opened “ ’ ß 𝔘".split(" ")
)


def test_a_label_without_words_names_no_column():
    assert {label_fit(field, "") for field in FIELDS} == {NO_FIT}


@often(150)
@given(st.lists(WORDS, max_size=60).map(" ".join), st.lists(WORDS, max_size=20).map(" ".join))
def test_whatever_stands_in_a_text_each_value_is_quoted_from_it(text, other):
    sources = [ReadText("a", f"Acme\n\n{text}", title="Acme"), ReadText("b", other, title="Acme")]
    cells = find_cells("Acme", FIELDS, sources)
    texts = {source.key: source.text for source in sources}
    assert cells == find_cells("Acme", FIELDS, sources)
    assert [cell.field for cell in cells] == FIELDS
    for cell in cells:
        assert (cell.value is None) == (not cell.evidence) == bool(cell.reason)
        for one in (*cell.evidence, *(quote for each in cell.others for quote in each.evidence)):
            assert 0 <= one.start <= one.value_start <= one.value_end <= one.end <= len(texts[one.source])
            assert texts[one.source][one.start : one.end].strip()
        if isinstance(cell.value, str) and cell.field.type == "string":
            one = cell.evidence[0]
            assert format_value(cell.value) in " ".join(
                texts[one.source][one.value_start : one.value_end].split()
            )


def find_in_csv(columns: str, items: list[str], *lines: str) -> list[list[Value | None]]:
    from research.pipelines.table.decomposing.decompose_table_request_by_rules import decompose

    asked = decompose(columns, "\n".join(items))
    source = read_text("0.csv", "\n".join(lines))
    return [[cell.value for cell in find_cells(item, asked.fields, [source])] for item in asked.items]


def test_two_currencies_of_one_column_stay_two():
    columns = "price (CHF), price (EUR)"
    lines = ["Model,Price (CHF),Price (EUR)", "Alto,120,110", "Basso,90,84"]
    assert find_in_csv(columns, ["Alto", "Basso"], *lines) == [[120, 110], [90, 84]]


def test_a_column_in_another_unit_is_converted_and_one_in_the_same_unit_preferred():
    lines = ["Model,Mass (kg),Mass (lb)", "Alto,10,22"]
    assert find_in_csv("mass (kg), mass (lb)", ["Alto"], *lines) == [[10, 22]]
    assert find_in_csv("mass (g), height", ["Alto"], *lines)[0][0] == 10_000


def test_the_decimal_mark_is_that_of_the_table():
    lines = ["Million euros", "", "Kreis;Umsatz;Rate", "Ost;1.234;3,5", "West;987,10;1,25"]
    assert find_in_csv("umsatz in million euros, rate", ["Ost", "West"], *lines) == [
        [1234, 3.5],
        [987.1, 1.25],
    ]
    assert find_in_csv("umsatz (EUR), rate", ["Ost"], *lines)[0][0] == 1_234_000_000


def test_the_item_may_stand_in_the_column_whose_heading_names_it():
    lines = [
        "Region,River,Otters 2024,Otters 2025",
        "North,Tarn,55,61",
        "North,Wold,83,88",
        "South,Skell,74,90",
    ]
    columns = "region, number of otters in 2024, number of otters in 2025"
    assert find_in_csv(columns, ["Tarn", "Skell"], *lines) == [["North", 55, 61], ["South", 74, 90]]


def test_what_a_row_says_of_another_thing_is_no_value_of_a_person_in_it():
    assert find_in_csv(
        "staff, city", ["Ann Lee"], "Company,Owner,Staff", "Acme,Ann Lee,7", "Globex,Bob,9"
    ) == [[None, None]]


def test_a_range_is_no_number_and_stays_what_it_is():
    cell = find(STAFF, "# Acme\n\nEmployees: 12 – 14 thousand\n")
    assert cell.value is None
    assert cell.reason == "“12 – 14 thousand” is a range, not one number."
    assert of(STAFF, "It has between 12 and 14 thousand employees.") is None


def test_of_three_currencies_that_of_the_column_is_taken():
    cost = TableField(name="cost_of_the_town_hall_chf", type="number", title="Cost of the town hall (CHF)")
    text = "# Velm\n\nThe town hall of Velm cost CHF 1'250'000 (about EUR 1,310,000 or USD 1,420,000).\n"
    assert find(cost, text, item="Velm").value == 1_250_000


def test_struck_words_and_numbers_of_notes_are_no_values():
    cost = TableField(name="cost_eur", type="number", title="Cost of the hall (EUR)")
    text = "# Velm\n\n~~The hall of Velm cost EUR 400,000.~~ The hall of Velm cost EUR 460,000.[^1]\n"
    assert find(cost, text, item="Velm").value == 460_000


def amounts(titles: tuple[str, ...], page: str, item: str) -> list[Value | None]:
    fields = [TableField(name=f"n{place}", type="number", title=title) for place, title in enumerate(titles)]
    source = read_text("page.html" if page.startswith("<") else "page.md", page)
    return [cell.value for cell in find_cells(item, fields, [source], ())]


@pytest.mark.parametrize(
    ("titles", "page", "expected"),
    [
        (  # an amount of money is a price, whatever is said of it
            ("price per night (EUR)", "price per week (EUR)"),
            "| Lodge | per week | per night |\n|---|---|---|\n| Acme | €620 | €98 |\n| Basso | €540 | €85 |\n",
            [98, 620],
        ),
        (
            ("purchase price (GBP)", "purchase price (EUR)"),
            "# Acme\n\nThe Acme was bought for £ 12,400, which were € 14,260 on that day.\n",
            [12400, 14260],
        ),
        (  # the scale stands in the head
            ("population", "turnover (CHF)", "population (thousands)"),
            "<table><tr><th rowspan=2>Town<th>Population<th>Turnover</tr><tr><th>in 1,000<th>CHF million</tr>"
            "<tr><td>Acme<td>31.4<td>2.5</tr><tr><td>Basso<td>8.9<td>0.7</tr></table>",
            [31400, 2_500_000, 31.4],
        ),
        (  # the row names its currency
            ("cost (CHF)", "cost (EUR)", "cost (USD)"),
            "| Item | Currency | Cost |\n|---|---|---|\n| Acme | CHF | 1,250 |\n| Acme | EUR | 1,310 |\n"
            "| Basso | USD | 900 |\n",
            [1250, 1310, None],
        ),
        (  # the columns are years of what the table is about
            ("revenue 2023 (million EUR)", "revenue 2024 (million EUR)"),
            "<table><caption>Revenue in million EUR</caption><tr><th>Company<th>2024<th>2023</tr>"
            "<tr><td>Acme<td>12.4<td>11.9</tr><tr><td>Basso<td>7.1<td>6.8</tr></table>",
            [11.9, 12.4],
        ),
        (
            ("Einwohner", "Fläche (km²)"),
            "# Acme\n\n| | |\n|---|---|\n| Einwohnerzahl | 12.345 (31. Dez. 2025) |\n| Fläche | 45,6 km² |\n",
            [12345, 45.6],
        ),
    ],
)
def test_a_column_is_known_by_its_unit_scale_currency_and_time(titles, page, expected):
    assert amounts(titles, page, "Acme") == expected


@pytest.mark.parametrize("words", ["−20 to +45 °C", "5 … 35 °C", "−5 – 10 °C"])
def test_a_range_is_no_single_number(words):
    field = TableField(name="temperature", type="number", title="Operating temperature (°C)")
    cell = find(
        field, f"| Model | Operating temperature |\n|---|---|\n| Acme | {words} |\n| Basso | 5 °C |\n"
    )
    assert cell.value is None
    assert "is a range" in cell.reason


def test_a_managing_director_is_the_chief_executive():
    assert of(TableField(name="chief_executive"), "Managing director: Ruth Hale") == "Ruth Hale"


def test_german_sentences_name_values_too():
    field = TableField(name="burgermeister", title="Bürgermeister")
    assert of(field, "Bürgermeister ist Karl Vogt.") == "Karl Vogt"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (TableField(name="heat", type="number", format="kW"), 6.1),
        (TableField(name="heat", type="number"), 6.1),
        (TableField(name="maker", description="The company that makes it"), "Nordwarm"),
    ],
)
def test_number_in_an_items_name_is_no_value_and_what_made_it_is_its_maker(field, value):
    page = (
        "# Lumen 9: field test\n\nThe Lumen 9 is an air-source heat pump made by Nordwarm. At minus 15 degrees the"
        " Lumen 9 delivered 6.1 kilowatts of heat.\n"
    )
    assert find(field, page, item="Lumen 9").value == value
