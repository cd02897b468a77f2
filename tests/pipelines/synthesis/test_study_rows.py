"""A row of a table of studies, and what tables say of their own weaknesses, by the words of people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from research.pipelines.report.report_config import ConfigError
from research.pipelines.synthesis.group_synthesis_studies import Agreement, group_studies
from research.pipelines.synthesis.synthesis_config import parse_config
from research.pipelines.synthesis.synthesis_finding_directions import direction_of, parse_direction
from research.pipelines.synthesis.synthesis_study_columns import conclusion_of, study_of
from research.pipelines.synthesis.synthesis_study_rows import (
    Direction,
    Study,
    bare_doi,
    labels_of,
    merge_duplicates,
)
from research.pipelines.synthesis.synthesis_study_weaknesses import (
    find_shared_origin,
    find_shared_population,
    weaknesses,
)


def codes(*studies: Study) -> list[str]:
    return [weakness.code for weakness in weaknesses(studies)]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 2_001}, "title"),
        ({"year": 1499}, "year"),
        ({"year": 2101}, "year"),
        ({"sample_size": -1}, "sample_size"),
        ({"direction": "sideways"}, "direction"),
        ({"colour": "red"}, "colour"),
        ({"doi": "1" * 301}, "doi"),
    ],
)
def test_what_no_study_has_is_refused_by_its_field(given, field):
    with pytest.raises(ValidationError) as refused:
        Study.model_validate({"title": "Tea"} | given)
    assert [error["loc"] for error in refused.value.errors()] == [(field,)]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"studies": [{"title": "Tea", "year": 3000}]}, "studies.0.year: "),
        ({"studies": [{}]}, "studies.0.title: "),
        ({"engine": "guess"}, "engine: "),
        ({"exports": ["exe"]}, "exports.0: "),
        ({"budget_credits": 0}, "budget_credits: "),
        ({"depth": "quick"}, "depth: there is no such setting"),
    ],
)
def test_a_setting_that_cannot_be_is_named(config, words):
    with pytest.raises(ConfigError) as refused:
        parse_config(config)
    assert str(refused.value).startswith(words)


def test_what_a_study_cannot_have_is_left_out_and_told():
    told: list[tuple[str, str]] = []
    study = study_of({"title": "Tea", "year": 2999, "journal": "j" * 501}, lambda *one: told.append(one))
    assert (study, [field for field, _message in told]) == (Study(title="Tea"), ["year", "journal"])
    assert study_of({"title": "x" * 2_001}, lambda *one: None) is None


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/XYZ.", "10.1000/xyz"),
        ("doi:10.1000/182", "10.1000/182"),
        ("https://doi.org/10.1371/journal.pmed.0020171)", "10.1371/journal.pmed.0020171"),
        ("10.12/x", ""),
        ("none", ""),
    ],
)
def test_a_doi_is_found_in_what_stands_around_it(text, doi):
    assert bare_doi(text) == doi


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ({"title": "A", "doi": "10.1000/x"}, {"title": "B", "doi": "10.1000/x"}, True),
        ({"title": "The  Tea"}, {"title": "the tea."}, True),
        ({"title": "Tea: a trial", "doi": "10.1000/x"}, {"title": "Tea – a Trial"}, True),
        ({"title": "Tea", "year": 2020}, {"title": "Tea", "year": 2021}, False),
        (
            {"title": "Tea", "year": 2020, "authors": "Lee B"},
            {"title": "Tea", "year": 2021, "authors": "Lee B"},
            True,
        ),
        ({"title": "Tea", "doi": "10.1000/x"}, {"title": "Tea", "doi": "10.1000/y"}, False),
        ({"title": "Tea", "doi": "10.1101/x", "preprint": True}, {"title": "Tea", "doi": "10.1000/y"}, True),
    ],
)
def test_two_rows_are_one_study_by_their_doi_else_by_title_and_year(first, second, are_one):
    found = merge_duplicates([Study(**first), Study(**second)])
    assert (len(found.studies) == 1) is are_one
    assert found.repeated_places == ((1,) if are_one else ())


def test_a_study_takes_from_its_second_row_what_the_first_lacks():
    first = Study(title="Tea", doi="10.1101/x", preprint=True, finding="It helps.")
    [study] = merge_duplicates(
        [first, Study(title="Tea", doi="10.1000/y", sample_size=40, journal="J")]
    ).studies
    assert (study.finding, study.sample_size, study.preprint) == ("It helps.", 40, False)
    assert study.doi == "10.1000/y", "the paper is cited, not its preprint"


def test_a_study_is_read_at_its_doi():
    assert Study(title="Tea", doi="10.1000/x", url="https://a.example").address == "https://doi.org/10.1000/x"


@pytest.mark.parametrize(
    ("authors", "label"),
    [
        ("", "Tea and sleep of, n.d."),
        ("Smith, Anna", "Smith, n.d."),
        ("Smith, Anna; Lee, Bo", "Smith & Lee, n.d."),
        ("Smith, Anna; Lee, Bo; Ray, Cy", "Smith et al., n.d."),
        ("Smith J", "Smith, n.d."),
        ("Smith J, Doe A", "Smith & Doe, n.d."),
        ("Van Dongen HP, Maislin G, Mullington JM", "Van Dongen et al., n.d."),
        ("Smith J, et al.", "Smith et al., n.d."),
        ("World Health Organization", "World Health Organization, n.d."),
    ],
)
def test_a_study_is_called_by_its_people_else_by_its_title(authors, label):
    assert labels_of([Study(title="Tea and sleep of adults", authors=authors)]) == [label]


@pytest.mark.parametrize(
    ("said", "direction"),
    [
        ("Beneficial", Direction.BENEFIT), ("adverse", Direction.HARM), ("+", Direction.HIGHER),
        ("inverse", Direction.LOWER), ("n.s.", Direction.NULL), ("mixed", Direction.MIXED),
        ("?", Direction.UNCLEAR), ("", None), ("blue", None),
    ],
)  # fmt: skip
def test_a_word_in_the_column_of_directions_is_one_of_them(said, direction):
    assert parse_direction(said) is direction


@pytest.mark.parametrize(
    ("abstract", "conclusion"),
    [
        ("Aim. We tried. CONCLUSIONS: Tea helps. More is needed.", "Tea helps."),
        ("We tried tea. We found that tea helps adults. It was 2019.", "We found that tea helps adults."),
        ("Tea was given. Nothing else.", "Nothing else."),
        ("no sentence at all", "no sentence at all"),
    ],
)
def test_the_conclusion_is_the_sentence_that_says_what_was_found(abstract, conclusion):
    assert conclusion_of(abstract) == conclusion


def test_studies_of_one_outcome_agree_or_not_by_their_directions():
    benefit, harm, unclear = (
        Study(title=f"Tea, {name}", outcome="sleep quality", direction=name)
        for name in ("benefit", "harm", "unclear")
    )
    assert [study.agreement([benefit, benefit]) for study in group_studies([benefit, benefit])] == [
        Agreement.AGREE
    ]
    assert [study.agreement([benefit, harm]) for study in group_studies([benefit, harm])] == [
        Agreement.DISAGREE
    ]
    assert [study.agreement([benefit, unclear]) for study in group_studies([benefit, unclear])] == [
        Agreement.SINGLE
    ]


def test_outcomes_that_share_half_their_words_are_one_and_no_outcome_joins_none():
    crashes = [
        Study(title="T", outcome=name) for name in ("injury collisions", "injury crashes", "rear-end crashes")
    ]
    assert [group.members for group in group_studies(crashes)] == [(0, 1), (2,)]
    named = ("sleep quality", "quality of sleep", "sleep onset", "", "", "pain")
    groups = group_studies([Study(title="T", outcome=outcome) for outcome in named])
    assert [group.members for group in groups] == [(0, 1), (2,), (3,), (4,), (5,)]


def row(title: str, finding: str, outcome: str = "sick leave") -> Study:
    return Study(title=title, outcome=outcome, finding=finding, direction=direction_of(finding, outcome))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            row("Short weeks and sick leave", "Employees took fewer sick days."),
            row("Overtime and sick leave", "Long overtime was linked to 12 % more sick leave."),
        ),
        (
            row("Street lights and crashes", "Crashes fell by 22 % on lit roads.", "crashes"),
            row("Removal of street lights", "Crashes rose by 18 % on dark roads.", "crashes"),
        ),
        (
            row("Green roofs and rooms", "Rooms were 2 °C cooler under green roofs.", "indoor temperature"),
            row("Bare roofs and rooms", "Bare roofs made rooms 3 °C hotter.", "indoor temperature"),
        ),
    ],
)
def test_opposite_exposures_with_opposite_effects_agree(first, second):
    (group,) = group_studies([first, second])
    assert group.agreement([first, second]) is Agreement.AGREE
    assert len(group.turned_members([first, second])) == 1


@pytest.mark.parametrize(
    ("first", "second", "agreement"),
    [
        (  # a screen adds light, glasses block it
            row("Evening light and melatonin", "Melatonin was lower after reading on a tablet.", "melatonin"),
            row("Blue light glasses and melatonin", "Melatonin was higher with amber lenses.", "melatonin"),
            Agreement.UNLIKE,
        ),
        (  # the titles differ, but both findings are on trees
            row("Street trees in childhood", "Asthma was more common in streets with trees.", "asthma"),
            row("Greenery and health", "Asthma was less common where streets had trees.", "asthma"),
            Agreement.DISAGREE,
        ),
        (  # the lack of one thing is not set against another thing
            row("Sunny rooms", "Patients with low vitamin D had more falls.", "falls"),
            row("Balance training", "No effect on falls was found.", "falls"),
            Agreement.UNLIKE,
        ),
        (
            row("Modern review", "Components with low review coverage had more defects.", "defects"),
            row("Defects revisited", "No association with review coverage was found.", "defects"),
            Agreement.DISAGREE,
        ),
    ],
)
def test_findings_are_compared_only_if_their_exposure_is_one(first, second, agreement):
    (group,) = group_studies([first, second])
    assert group.agreement([first, second]) is agreement


def test_one_exposure_with_opposite_effects_is_a_disagreement():
    rows = [
        row("Low-dose aspirin and bleeding", "Bleeding was more frequent with aspirin.", "bleeding"),
        row("Aspirin and bleeding", "Bleeding was less frequent with aspirin.", "bleeding"),
    ]
    (group,) = group_studies(rows)
    assert group.agreement(rows) is Agreement.DISAGREE


@pytest.mark.parametrize(
    ("finding", "outcome", "direction"),
    [
        ("Rooms were 2 °C cooler under the roof.", "indoor noise", "benefit"),
        ("Carriers developed dementia 4.5 years later.", "age at onset of dementia", "benefit"),
        ("Onset was about the same in both groups.", "age at onset of dementia", "null"),
        ("Der BMI blieb nach zwei Jahren unverändert.", "BMI", "null"),
        ("Der Gemüseverzehr stieg um eine Portion.", "Gemüseverzehr", "benefit"),
    ],
)
def test_what_a_finding_says_of_its_outcome(finding, outcome, direction):
    assert direction_of(finding, outcome).value == direction


def test_another_exposure_does_not_disagree_with_those_that_agree():
    rows = [
        row("Music during surgery", "Anxiety was lower with music.", "anxiety"),
        row("Music in intensive care", "Patients with music had less anxiety.", "anxiety"),
        row("Noise at night in wards", "Louder wards were linked with higher anxiety.", "anxiety"),
    ]
    assert [group.members for group in group_studies(rows)] == [(0, 1), (2,)]


def test_each_weakness_is_counted_from_the_rows():
    trial = Study(title="A", authors="Ann, A", journal="J", design="randomised trial", sample_size=100)
    assert codes(trial) == ["G041"]
    assert codes(trial, trial.model_copy(update={"preprint": True})) == ["W040", "G041", "W041"]
    assert codes(Study(title="A", sample_size=99)) == ["W042"]
    assert codes(Study(title="A")) == ["W043"]
    assert codes(Study(title="A", design="cohort", sample_size=500)) == ["G040", "G041"]


def test_three_in_ten_preprints_weigh_more_than_fewer():
    def severity(preprints: int) -> str:
        rows = [Study(title=f"T{n}", sample_size=500, preprint=n < preprints) for n in range(10)]
        return next(weakness.severity.value for weakness in weaknesses(rows) if weakness.code == "W040")

    assert (severity(2), severity(3)) == ("low", "medium")


def test_what_all_studies_share_is_told():
    one, other = (
        Study(title=t, authors=a, journal="J") for t, a in (("A", "Ann, A; Lee, B"), ("B", "Lee, B"))
    )
    assert find_shared_origin([one, other]) == "author"
    assert find_shared_origin([one, Study(title="C", authors="Ray, C", journal="j")]) == "journal"
    assert find_shared_origin([one, Study(title="C", authors="Ray, C", journal="K")]) == ""
    assert find_shared_origin([one]) == ""


@pytest.mark.parametrize(
    ("populations", "group"),
    [
        (("pregnant women", "mothers aged 30"), "women"),
        (("schoolboys", "adult males"), ""),
        (("adults", "Adults"), "adults"),
        (("older adults", "elderly men", ""), "older people"),
        (("women",), ""),
        (("women and men", "men"), "men"),
    ],
)
def test_a_population_that_all_share_is_told_where_it_is_a_part_of_mankind(populations, group):
    assert (
        find_shared_population([Study(title="T", population=population) for population in populations])
        == group
    )


@given(
    st.lists(st.builds(Study, title=st.just("T"), sample_size=st.none() | st.integers(0, 300)), max_size=8)
)
def test_sizes_are_either_known_or_told_as_unknown(studies):
    unknown = sum(study.sample_size is None for study in studies)
    [*told] = [weakness.text for weakness in weaknesses(studies) if weakness.code == "W043"]
    assert told == (
        [f"{unknown} of {len(studies)} studies do not say how many took part."] if unknown else []
    )
