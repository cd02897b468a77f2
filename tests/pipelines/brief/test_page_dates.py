"""The date of a cited page is read from the end of its title."""

import pytest

from research.pipelines.brief.freeze_pages_for_brief import date_in


@pytest.mark.parametrize(
    ("title", "date"),
    [
        ("Google Security Blog (May 2019)", "2019-05"),
        ("Bericht zur Lage, 3. Mai 2019", "2019-05-03"),
        ("WHO: Noise in cities (2023)", "2023"),
        ("Plans for 2030", ""),
        ("Climate review (2010–2020)", ""),
        ("Sales (before 2019)", ""),
        ("WaschTech manual", ""),
    ],
)
def test_a_date_at_the_end_of_a_title_is_that_of_its_page(title, date):
    assert date_in(title) == date
