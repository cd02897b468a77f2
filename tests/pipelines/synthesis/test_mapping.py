"""Tables of studies as people have them, and what their cells mean."""

import io

import pytest
from openpyxl import Workbook

from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.synthesis.read_synthesis_files import LARGEST, read_grid
from research.pipelines.synthesis.store_synthesis_evidence_table import to_stored_table
from research.pipelines.synthesis.synthesis_finding_directions import direction_of, parse_direction
from research.pipelines.synthesis.synthesis_result import StudyRow
from research.pipelines.synthesis.synthesis_study_columns import (
    StudyTable,
    conclusion_of,
    guess_mapping,
    map_rows,
)
from research.pipelines.synthesis.synthesis_study_rows import Direction

BIB = b"""@article{smith, title={The {Big} Sleep}, author={M{\\"u}ller, Anna and Lee, Bo}, year=2020,
 doi={10.1000/xyz}, journal={Sleep}, abstract={Background. We tried. Conclusions: Sleep was better. End.}}
@misc{lee, title={Other}, year={2021}, note={x}}"""
RIS = b"""TY  - JOUR
TI  - The Big Sleep
AU  - Smith, Anna
AU  - Lee, Bo
PY  - 2020/05/01
DO  - 10.1000/xyz
AB  - We found no effect of tea on sleep.
ER  -
"""


def map_studies(
    *rows: tuple[str, ...], headers: tuple[str, ...] = ("Title", "N", "Year", "Direction", "Preprint")
):
    return map_rows(StudyTable(headers, rows), guess_mapping(headers))


def test_bibtex_is_read_with_its_letters():
    grid = read_grid("a.bib", BIB)
    [first, second] = map_rows(grid, guess_mapping(grid.headers)).studies
    assert (first.title, first.authors, first.year) == ("The Big Sleep", "Müller, Anna; Lee, Bo", 2020)
    assert first.finding == "Sleep was better."
    assert second.title == "Other"


def test_bibtex_styles_and_escapes_are_read_as_they_are_shown():
    title = rb"title={50\% of {\$}3 \& \textit{E. coli}}"
    grid = read_grid(
        "a.bib", rb"@article{a, author={Erd{\H o}s, P{\'a}l and others}, " + title + rb", year=2020}"
    )
    [study] = map_rows(grid, guess_mapping(grid.headers)).studies
    assert (study.title, study.authors) == ("50% of $3 & E. coli", "Erdős, Pál; et al.")


def test_ris_is_read():
    grid = read_grid("a.ris", RIS)
    [study] = map_rows(grid, guess_mapping(grid.headers)).studies
    assert (study.authors, study.year, study.doi) == ("Smith, Anna; Lee, Bo", 2020, "10.1000/xyz")
    assert study.direction is Direction.NULL


def test_a_workbook_is_read_by_the_walled_reader():
    book, out = Workbook(), io.BytesIO()
    for row in (("Title", "Sample size"), ("Tea", 1180), ("Light", 12)):
        book.active.append(row)
    book.save(out)
    grid = read_grid("a.xlsx", out.getvalue())
    assert [study.sample_size for study in map_rows(grid, guess_mapping(grid.headers)).studies] == [1180, 12]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"Title,Year\n", "no_rows"),
        ("a.csv", b"Title,Title\na,b\n", "twice"),
        ("a.csv", b'Title,Year\n"a,2000\n', "bad_csv"),
        ("a.csv", b"Title\n" + b"a\n" * 501, "too_many"),
        ("a.csv", b",".join(b"c%d" % one for one in range(300_000)) + b",c1\n1\n", "too_wide"),
        ("a.bib", b"".join(b"@a{k%d,}\n" % one for one in range(501)), "too_many"),
        ("a.bib", b'@string{a = "x"}' + b"@string{a = a # a}" * 30 + b"@a{b, title = a}", "bad_bibtex"),
        ("a.bib", b'@string{a = "x"}@a{b, title = a' + b" # a" * 20_001 + b"}", "bad_bibtex"),
        ("a.bib", b"@a{b, author = {" + b"a and " * 50_001 + b"b}}", "bad_bibtex"),
        ("a.ris", b"TY  - x\n" + b"\n" * 2_000_000, "bad_ris"),
        ("a.csv", b"a" * (LARGEST + 1), "too_large"),
        ("a.bib", b"@article{a, title = ", "bad_bibtex"),
        ("a.ris", b"TY  - JOUR\nTI  - x\n", "bad_ris"),
        ("a.xlsx", b"PK\x03\x04 no workbook", "unreadable"),
    ],
)
def test_each_malformed_file_has_its_named_error(name, data, code):
    with pytest.raises(InputRefused) as refusal:
        read_grid(name, data)
    assert refusal.value.code == code


def test_a_table_without_titles_is_refused_by_name():
    with pytest.raises(InputRefused) as refusal:
        map_studies(("2",), headers=("N",))
    assert refusal.value.code == "no_title"


def test_what_a_cell_cannot_mean_is_left_empty_and_told():
    found = map_studies(("Tea", "about a dozen", "long ago", "sideways", "perhaps"))
    assert [problem.field for problem in found.problems] == ["year", "sample_size", "direction", "preprint"]
    assert (found.studies[0].sample_size, found.studies[0].year, found.studies[0].preprint) == (
        None,
        None,
        False,
    )


@pytest.mark.parametrize(
    ("text", "size"),
    [("1,180", 1180), ("n = 42 adults", 42), ("755.0", 755), ("1 200", 1200), ("NR", None), ("", None)],
)  # fmt: skip
def test_sizes_are_read_as_people_write_them(text, size):
    found = map_studies(("Tea", text, "", "", ""))
    assert (found.studies[0].sample_size, found.problems) == (size, ())


@pytest.mark.parametrize("text", ["9" * 19, "9" * 5_000, "99999999999", "about a dozen", "-7", "."])
def test_a_size_that_no_study_has_is_told_and_left_empty(text):
    found = map_studies(("Tea", text, "", "", ""))
    assert found.studies[0].sample_size is None
    assert [(problem.row, problem.field) for problem in found.problems] == [(1, "sample_size")]


def test_a_study_that_stands_twice_counts_once():
    found = map_studies(("Tea", "1", "2020", "", ""), ("tea", "2", "2020", "", ""), ("", "3", "", "", ""))
    assert (len(found.studies), found.repeated) == (1, (2,))
    assert [problem.row for problem in found.problems] == [3]


@pytest.mark.parametrize(
    ("finding", "direction"),
    [
        ("No association was seen (OR 0.95).", Direction.NULL),
        ("The virus was detected in none of 186 samples.", Direction.NULL),
        ("Weight loss was associated with higher mortality.", Direction.HARM),
        ("Protective efficacy was 82%.", Direction.BENEFIT),
        ("Positive association (r = 0.39).", Direction.HIGHER),
        ("It was done in 2019.", Direction.UNCLEAR),
    ],
)
def test_a_direction_follows_from_the_words(finding, direction):
    assert direction_of(finding) is direction


def test_a_column_of_directions_is_read_by_its_words():
    assert parse_direction("Harmful effect") is Direction.HARM
    assert parse_direction("sideways") is None


def test_the_conclusion_of_an_abstract_is_its_own_words():
    assert conclusion_of("We tried. Conclusion: Tea helps. Thanks.") == "Tea helps."
    assert conclusion_of("") == ""


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Main result", "finding"), ("Key findings", "finding"), ("Primary outcome result", "finding"),
        ("Hauptergebnis", "finding"), ("Resultat", "finding"), ("mainFinding", "finding"), ("Conclusion", "finding"),
        ("sampleSize", "sample_size"), ("Number of participants", "sample_size"), ("Fallzahl", "sample_size"),
        ("Study type", "design"), ("Studientyp", "design"), ("Verfasser", "authors"), ("Peer-reviewed?", "preprint"),
        ("Refereed", "preprint"), ("Outcome measure", "outcome"), ("Primary endpoint", "outcome"),
        ("Type", "design"), ("Art der Studie", "design"), ("Untersucht", "population"), ("Erscheinungsjahr", "year"),
        ("Year of publication", "year"),
    ],
)  # fmt: skip
def test_a_column_is_known_by_the_words_of_its_name(header, field):
    assert guess_mapping(("Title", header)) == {"title": "Title", field: header}


@pytest.mark.parametrize("cell", ["JOUR", "Journal Article", "inproceedings"])
def test_a_type_of_publication_is_no_design(cell):
    found = map_studies(("Tea", "RCT"), ("Light", cell), headers=("Title", "Type"))
    assert [study.design for study in found.studies] == ["RCT", ""]


@pytest.mark.parametrize(
    ("header", "cell", "preprint"),
    [
        ("Peer reviewed", "yes", False), ("Peer reviewed", "No", True), ("Refereed", "ja", False),
        ("Preprint", "yes", True), ("Preprint", "no", False), ("Status", "published", False),
        ("Status", "Under review", True), ("Publication type", "journal article", False),
        ("Publication type", "working paper", True), ("Begutachtet", "nein", True), ("Peer reviewed", "", False),
    ],
)  # fmt: skip
def test_what_was_reviewed_is_no_preprint(header, cell, preprint):
    found = map_studies(("Tea", cell), headers=("Title", header))
    assert (found.studies[0].preprint, found.problems) == (preprint, ())


@pytest.mark.parametrize(
    ("header", "cell", "reviewed"),
    [
        ("Peer reviewed", "yes", True), ("Peer reviewed", "no", False), ("Peer reviewed", "", None),
        ("Preprint", "no", None), ("Preprint", "yes", False), ("Status", "published", None), ("Journal", "Sleep", None),
    ],
)  # fmt: skip
def test_review_is_known_only_if_the_table_states_it(header, cell, reviewed):
    (study,) = map_studies(("Tea", cell), headers=("Title", header)).studies
    row = StudyRow(number=1, label="Tea", title="Tea", preprint=study.preprint, reviewed=study.reviewed)
    assert row.peer_reviewed is reviewed
    told = to_stored_table([row])["rows"][0]["cells"][-1]
    wanted = {True: {"text": "yes", "value": True}, False: {"text": "no", "value": False}}
    assert told == wanted.get(reviewed, {"reason": "The table does not say."})


def test_a_column_called_outcome_may_hold_the_findings():
    rows = (("Tea", "Sleep was better."), ("Light", "Sleep did not improve."))
    table = StudyTable(("Title", "Outcome"), rows)
    assert guess_mapping(table.headers, table.rows)["finding"] == "Outcome"
    assert guess_mapping(table.headers, (("Tea", "sleep"), ("Light", "pain")))["outcome"] == "Outcome"


def test_a_sample_of_numbers_is_a_size_and_one_of_words_a_population():
    headers = ("Title", "Sample")
    assert guess_mapping(headers, (("A", "40"), ("B", "n = 1,200")))["sample_size"] == "Sample"
    assert guess_mapping(headers, (("A", "adults"), ("B", "nurses in Oslo")))["population"] == "Sample"


def test_studies_that_were_put_together_are_no_participants():
    found = map_studies(("Tea", "18 studies", "", "", ""))
    assert found.studies[0].sample_size is None
    assert [problem.field for problem in found.problems] == ["sample_size"]


def test_a_paper_without_a_column_of_designs_has_that_which_it_names():
    grid = read_grid(
        "a.ris", RIS.replace(b"We found", b"This randomised controlled trial had 80 people. We found")
    )
    [study] = map_rows(grid, guess_mapping(grid.headers)).studies
    assert study.design == "randomised controlled trial"
