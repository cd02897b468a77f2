"""The admin's page that holds confidences against verdicts."""

import pytest

from research.db.tenancy import tenant_context
from tests.people import join
from tests.review.verdicts import make_decided_claim
from tests.web.pages import tree, words
from tests.web.test_statements import ADMIN_LIST, statements

PAGE = "/admin/citations/claim/calibration/"


@pytest.fixture
def staff(db):
    return join("grace", is_staff=True, is_superuser=True)


@pytest.fixture
def client(staff):
    return staff.sign_in()


def decide(person, *verdicts, kind="report"):
    with tenant_context(person.tenant.pk):
        for confidence, status in verdicts:
            make_decided_claim(person.user, confidence, status, kind=kind)


def rows(page):
    """Return the rows of the table: each bin's words, those with verdicts alone."""
    found = [[cell.text_content().strip() for cell in row] for row in tree(page).xpath("//table//tbody/tr")]
    return [row for row in found if row[1] != "0"]


def test_verdicts_stand_in_the_bin_of_the_confidence_that_was_shown(client, staff):
    decide(staff, (0.85, "accepted"), (0.85, "accepted"), (0.85, "edited"), (0.25, "rejected"))
    page = client.get(PAGE)
    assert rows(page) == [
        ["0.2–0.3", "1", "0.25", "0.00", "0.00–0.79"],
        ["0.8–0.9", "3", "0.85", "0.67", "0.21–0.94"],
    ]
    said = words(page)
    assert "4 verdicts, 2 accepted; expected calibration error 0.200, Brier score 0.207." in said
    assert len(tree(page).xpath("//svg//rect")) == 2
    assert "n=3" in said


def test_what_is_not_decided_or_had_no_confidence_is_no_verdict(client, staff):
    decide(staff, (0.9, "open"), (0.9, "skipped"), (None, "accepted"))
    page = client.get(PAGE)
    assert "Nobody has reviewed a claim with a confidence yet." in words(page)
    assert (rows(page), tree(page).xpath("//svg//rect")) == ([], [])


def test_one_kind_of_run_can_be_looked_at_alone(client, staff):
    decide(staff, (0.9, "accepted"))
    decide(staff, (0.5, "rejected"), kind="brief")
    assert [row[0] for row in rows(client.get(PAGE, {"kind": "brief"}))] == ["0.5–0.6"]
    assert len(rows(client.get(PAGE, {"kind": "poem"}))) == 2
    [chosen] = tree(client.get(PAGE, {"kind": "brief"})).xpath(
        "//*[contains(@class, 'calibration')]//nav//a[@aria-current='page']/@href"
    )
    assert chosen == "?kind=brief"


def test_nobody_sees_anothers_verdicts_and_only_staff_the_page(client, staff):
    decide(staff, (0.9, "accepted"))
    other = join("bob", is_staff=True, is_superuser=True)
    assert rows(other.sign_in().get(PAGE)) == []
    assert rows(client.get(PAGE))
    assert join("ada").sign_in().get(PAGE).status_code == 302
    assert join("eve", is_staff=True).sign_in().get(PAGE).status_code == 403


def test_more_verdicts_take_no_more_statements(client, staff):
    decide(staff, (0.9, "accepted"))
    few = statements(client, PAGE)
    decide(staff, *[(0.9, "accepted")] * 5)
    assert statements(client, PAGE) == few <= ADMIN_LIST


def test_the_list_of_claims_leads_to_it(client):
    listed = tree(client.get("/admin/citations/claim/"))
    assert PAGE in listed.xpath("//ul[contains(@class, 'object-tools')]//a/@href")


def test_every_word_of_the_plot_stands_within_it(client, staff):
    decide(staff, (0.85, "accepted"))
    (drawing,) = tree(client.get(PAGE)).xpath("//div[@class='calibration']/svg")
    wide = float(drawing.get("viewbox").split()[2])
    letter = 7.5  # of 11 px, in a wide font
    for one in drawing.xpath("text"):
        length, at = letter * len(one.text_content()), float(one.get("x"))
        before = {"end": length, "middle": length / 2}[one.get("text-anchor")]
        assert before <= at <= wide - (length - before)
    assert "100%" in words(client.get(PAGE))
