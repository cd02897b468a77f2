"""Rows of a table are found in lists of the sources, each with the words that name it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.listing.merge_lists_into_table import ListedRows, merge_lists
from research.pipelines.table.listing.read_lists_for_table import find_lists, read_stated_count
from research.pipelines.table.listing.table_list_request import RowsRequest, parse_rows_request
from research.pipelines.table.listing.table_rows_in_prose import (
    MemberAnswer,
    MembersAnswer,
    admit_members,
    choose_passages,
)
from tests.pipelines.table.made_up.world import read_text


@pytest.mark.parametrize(
    ("prompt", "phrase", "count", "titles"),
    [
        ("the 500 largest companies by revenue", "largest companies by revenue", 500, ["Revenue"]),
        ("All members of the European Union", "members of the European Union", None, []),
        (
            "Headquarters and CEO of each of the 500 largest companies by revenue",
            "largest companies by revenue",
            500,
            ["Headquarters", "CEO", "Revenue"],
        ),
        (
            "For all 27 EU member states: capital, population and area",
            "EU member states",
            27,
            ["Capital", "Population", "Area"],
        ),
        (
            "Top 100 universities in Europe with their founding year and number of students",
            "universities in Europe",
            100,
            ["Founding year", "Number of students"],
        ),
        (
            "The fifty tallest buildings in the world: height, city",
            "tallest buildings in the world",
            50,
            ["Height", "City"],
        ),
        (
            "alle Mitglieder des Bundesrates mit Partei und Kanton",
            "Mitglieder des Bundesrates",
            None,
            ["Partei", "Kanton"],
        ),
        (
            "Capital and population of every country in Africa",
            "country in Africa",
            None,
            ["Capital", "Population"],
        ),
        (
            "For each of the 50 US states, the capital, the governor and the population",
            "US states",
            50,
            ["Capital", "Governor", "Population"],
        ),
        (
            "all moons of Saturn, their diameter and discoverer",
            "moons of Saturn",
            None,
            ["Diameter", "Discoverer"],
        ),
        (
            "Nenne mir alle Zoos in Neuland und die Zahl der Besucher",
            "Zoos in Neuland",
            None,
            ["Zahl der Besucher"],
        ),
        ("2,000 largest US cities by population", "largest US cities by population", 2000, ["Population"]),
    ],
)
def test_a_request_says_which_rows_how_many_and_what_of_each(prompt, phrase, count, titles):
    found = parse_rows_request(prompt)
    assert found is not None
    assert (found.phrase, found.count, [field.title for field in found.fields]) == (phrase, count, titles)


@pytest.mark.parametrize(
    "prompt", ["When was the treaty signed?", "capital of Arden", "", "all", "the 90000 largest towns"]
)
def test_a_request_that_names_no_rows_gives_none(prompt):
    assert parse_rows_request(prompt) is None


@given(st.text(max_size=300))
def test_any_text_can_be_parsed(prompt):
    found = parse_rows_request(prompt)
    assert found is None or found.phrase


COMPANIES = """# Largest companies by revenue

The 6 largest companies of the coast.

| Rank | Company | Country | Revenue |
|---|---|---|---|
| 1 | Acme, Inc. | Arden | 900 |
| 2 | Globex[3] | Calder | 800 |
| 3 | Initech* | Arden | 700 |
| 4 | Umbra | Calder | 600 |
|  | Total | | 3,000 |

## Countries

| Country | Companies |
|---|---|
| Arden | 2 |
| Calder | 2 |
| Weir | 0 |
"""
MEMBERS = """# League of the coast

## Members

The members of the league are:

- Arden (since 1900)
- Brightsea – a founder
- Calder

## See also

- Treaty of Weir
- Union of the lakes
- Members of the council
"""


def list_rows(prompt: str, *pages: str) -> ListedRows:
    request = parse_rows_request(prompt) or RowsRequest(prompt)
    texts = [read(page, number) for number, page in enumerate(pages)]
    counts = [read_stated_count(request, text) for text in texts]
    found = [each for text in texts for each in find_lists(request, text)]
    return merge_lists(request, found, [count for count in counts if count])


def read(page: str, number: int = 0) -> ReadText:
    return read_text(f"{number}.{'html' if page.startswith('<') else 'md'}", page)


def names(found: ListedRows) -> list[str]:
    return [row.name for row in found.rows]


def test_a_table_names_its_rows_in_the_column_that_is_headed_so():
    found = list_rows("the 6 largest companies by revenue", COMPANIES)
    assert names(found) == ["Acme, Inc.", "Globex", "Initech", "Umbra"]
    assert found.notes == ("4 of 6 asked for; from 1 page.",)


def test_another_column_of_the_page_is_taken_where_it_is_what_is_wanted():
    assert names(list_rows("all countries of the largest companies by revenue", COMPANIES)) == [
        "Arden",
        "Calder",
        "Weir",
    ]


def test_a_list_names_its_rows_without_what_it_says_of_them():
    found = list_rows("all members of the League of the coast", MEMBERS)
    assert names(found) == ["Arden", "Brightsea", "Calder"]


def test_each_row_is_quoted_from_its_source():
    page = read(COMPANIES)
    (companies,) = [
        each
        for each in find_lists(RowsRequest("largest companies by revenue"), page)
        if len(each.entries) == 4
    ]
    for entry in companies.entries:
        assert entry.place.cut(page.text) == entry.name
        assert entry.row.start <= entry.place.start < entry.place.end <= entry.row.end


def test_a_list_of_something_else_is_not_taken():
    assert not list_rows("all rivers of Arden", COMPANIES, MEMBERS).rows
    assert list_rows("all rivers of Arden", COMPANIES).notes == (
        "No list of “rivers of Arden” was found in the sources.",
    )


def test_two_pages_with_the_same_headings_are_one_list():
    head = "# Largest towns by population\n\n| Rank | Town | Population |\n|---|---|---|\n"
    first = head + "".join(f"| {n} | Town {chr(64 + n)} | {n} |\n" for n in range(1, 6))
    second = head + "".join(f"| {n} | Town {chr(64 + n)} | {n} |\n" for n in range(5, 10))
    found = list_rows("the 20 largest towns by population", first, second)
    assert names(found) == [f"Town {chr(64 + n)}" for n in range(1, 10)]
    assert found.notes == ("9 of 20 asked for; from 2 pages.", "1 of the rows stand on two pages or more.")
    assert [len(row.places) for row in found.rows] == [1, 1, 1, 1, 2, 1, 1, 1, 1]


def test_a_name_is_taken_once_however_it_is_written():
    other = "# Largest companies by revenue\n\n- ACME\n- Globex Corp.\n- Initech\n- Hooli\n"
    assert names(list_rows("the 9 largest companies by revenue", COMPANIES, other)) == [
        "Acme, Inc.",
        "Globex",
        "Initech",
        "Umbra",
        "Hooli",
    ]


LAKES = "# Lakes of Norrland\n\n| Lake | Area (km²) | Depth |\n|---|---|---|\n" + "".join(
    f"| {name} | {area} | {depth} |\n"
    for name, area, depth in [
        ("Ash", 12.5, 4),
        ("Black", 150, 9),
        ("Cold", 3.2, 30),
        ("Dun", 88, 2),
        ("Elter", 1, 1),
    ]
)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("the 2 largest lakes of Norrland by area", ["Black", "Dun"]),
        ("the two smallest lakes of Norrland by area", ["Elter", "Cold"]),
        ("the 2 deepest lakes of Norrland by depth", ["Cold", "Black"]),
        ("2 lakes of Norrland", ["Ash", "Black"]),
    ],
)
def test_rows_in_another_order_are_ranked_by_what_is_asked_for(prompt, expected):
    assert names(list_rows(prompt, LAKES)) == expected


def test_a_page_that_ranks_its_rows_is_believed():
    ranked = "# Lakes of Norrland\n\n| Rank | Lake | Area |\n|---|---|---|\n"
    ranked += "| 1 | Ash | 8 |\n| 2 | Black | 9 |\n| 3 | Cold | 7 |\n"
    assert names(list_rows("the 2 largest lakes of Norrland by area", ranked)) == ["Ash", "Black"]


LEAGUE = """# Marsh League

## Members

- Varn (since 1951)
- Holm (since 1960)
- Pelland (since 1973)

## Former members

- Brack (1951–1970)
- Thessia (1951–1960)
- Dunmore (1951–1953)
"""


def test_former_members_are_no_rows_unless_they_are_asked_for():
    assert names(list_rows("all members of the Marsh League", LEAGUE)) == ["Varn", "Holm", "Pelland"]
    assert names(list_rows("all former members of the Marsh League", LEAGUE)) == [
        "Brack",
        "Thessia",
        "Dunmore",
    ]


def test_the_letters_of_an_index_are_one_list_in_the_order_of_the_page():
    index = "# Frogs of Bellmoor\n\n## A\n\n- Ash frog\n- Amber frog\n- Arrow frog\n\n## B\n\n- Bog frog\n\n"
    index += "## M\n\n- Moor frog\n- Marsh frog\n- Mud frog\n- Mist frog\n"
    found = list_rows("all frogs of Bellmoor", index)
    assert [name.split()[0] for name in names(found)] == "Ash Amber Arrow Bog Moor Marsh Mud Mist".split()


@pytest.mark.parametrize("numbers", [(1, 2, 3), (3, 2, 1)])
def test_headings_that_are_numbered_through_are_a_list(numbers):
    told = dict(zip((1, 2, 3), ("Holm Light", "Sula Light", "Fugl Light"), strict=True))
    page = "# The oldest lighthouses of the coast\n\n" + "".join(
        f"## {number}. {told[number]}\n\nIt was built long ago.\n\n" for number in numbers
    )
    assert names(list_rows("the three oldest lighthouses of the coast", page)) == list(told.values())


def test_headings_of_a_manual_are_no_rows():
    page = "# Lighthouses of the coast\n\n## 2. History\n\nOld.\n\n## 4. Keepers\n\nFew.\n\n## 7. Lamps\n\nBright.\n"
    assert not list_rows("all lighthouses of the coast", page).rows


def test_a_saint_and_capitals_make_no_other_row():
    first = "# Breweries of Weir\n\n- MÜLLER BRÄU\n- Sankt Georg Bräu\n- Adler\n"
    second = "# Breweries of Weir\n\n- Müller Bräu\n- St. Georg Bräu\n- Adler GmbH\n"
    assert names(list_rows("all breweries of Weir", first, second)) == [
        "Müller Bräu",
        "Sankt Georg Bräu",
        "Adler",
    ]


def test_a_german_request_counts_in_words_and_meets_other_endings():
    page = "# Höchste Türme von Neuland\n\n"
    page += "1. Nordturm (210 m)\n2. Domturm (160 m)\n3. Ostturm (80 m)\n4. Torturm (33 m)\n"
    found = list_rows("Die drei höchsten Türme von Neuland nach Höhe, mit Baujahr", page)
    assert names(found) == ["Nordturm", "Domturm", "Ostturm"]


def test_no_more_rows_are_taken_than_were_asked_for():
    found = list_rows("the 2 largest companies by revenue", COMPANIES)
    assert names(found) == ["Acme, Inc.", "Globex"]
    assert "2 more stand in the lists and are left out." in found.notes


@pytest.mark.parametrize(
    ("opening", "note"),
    [
        ("The league has 7 members.", "3 rows found, from 1 page; a page speaks of 7."),
        (
            "Members, page 3. Members of the league.",
            "3 rows found, from 1 page; no page says how many there are.",
        ),
        ("The league has twelve full members.", "3 rows found, from 1 page; a page speaks of 12."),
        ("It has had members since 1950.", "3 rows found, from 1 page; no page says how many there are."),
    ],
)
def test_what_a_page_says_of_their_number_tells_how_complete_they_are(opening, note):
    page = MEMBERS.replace("The members of the league are:", opening)
    assert list_rows("all members of the League of the coast", page).notes[0] == note


CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C",), exclude_characters="|\n\r\\`<>&"),
    min_size=1,
    max_size=30,
)


@given(st.lists(CELLS, min_size=3, max_size=12))
def test_whatever_stands_in_a_list_each_name_is_quoted_from_it(cells):
    page = read(
        "# All lands\n\n| Land | Note |\n|---|---|\n" + "".join(f"| {cell} | x |\n" for cell in cells)
    )
    for each in find_lists(RowsRequest("lands"), page):
        for entry in each.entries:
            assert " ".join(entry.place.cut(page.text).split()) == entry.name


# --- named in prose


PROSE = """# League of the coast

The League of the coast was founded in 1900 by Arden and Brightsea. Calder joined it in 1950, and Dunmore
Bay, after long talks, in 1990. Elmhurst has applied twice.
"""
FOUNDED = "The League of the coast was founded in 1900 by Arden and Brightsea."


def members(*told: tuple[str, str]) -> tuple[list[str], int]:
    text = read(PROSE)
    passages = choose_passages(RowsRequest("members of the League of the coast"), [text])
    answer = MembersAnswer(members=[MemberAnswer(name=name, quote=quote, passage=1) for name, quote in told])
    lists, refused = admit_members(answer, [text], passages)
    for entry in (entry for each in lists for entry in each.entries):
        assert " ".join(entry.place.cut(text.text).split()) == entry.name
        assert entry.row.start <= entry.place.start < entry.place.end <= entry.row.end
    return [entry.name for each in lists for entry in each.entries], refused


def test_what_a_model_reads_out_of_prose_is_quoted_from_it():
    quote = "Calder joined it in 1950, and Dunmore Bay, after long talks, in 1990."
    assert members(("Arden", FOUNDED), ("Brightsea", FOUNDED), ("Calder", quote), ("Dunmore Bay", quote)) == (
        ["Arden", "Brightsea", "Calder", "Dunmore Bay"],
        0,
    )


@pytest.mark.parametrize(
    ("name", "quote"),
    [
        ("Fairhaven", "Fairhaven joined it in 1960."),  # nobody said so
        ("Fairhaven", FOUNDED),  # its quote does not name it
        ("Bright", FOUNDED),  # a part of a name
        ("Calder", "Calder joined the League in 1950."),  # other words
        ("Arden", ""),
        ("", FOUNDED),
        (FOUNDED, FOUNDED),  # no name
    ],
)
def test_a_name_that_no_quote_carries_is_refused(name, quote):
    assert members((name, quote)) == ([], 1)


def test_a_name_is_taken_once_and_ranks_behind_lists():
    assert members(("Arden", FOUNDED), ("arden", FOUNDED)) == (["Arden"], 0)
    request = RowsRequest("members of the League of the coast")
    text, listed_text = read(PROSE), read(MEMBERS, 1)
    passages = choose_passages(request, [text])
    told = MembersAnswer(members=[MemberAnswer(name=name, quote=FOUNDED) for name in ("Brightsea", "Arden")])
    prose, _ = admit_members(told, [text], passages)
    found = merge_lists(request, [*prose, *find_lists(request, listed_text)])
    assert [(row.name, len(row.places)) for row in found.rows] == [
        ("Arden", 2),
        ("Brightsea", 2),
        ("Calder", 1),
    ]
