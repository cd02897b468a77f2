"""Rows of the lists of runs are drawn once as long as they say the same, and say at once what has changed."""

from datetime import timedelta
from decimal import Decimal

import pytest

from citations.models import Claim, Strength
from research.db.tenancy import tenant_context
from research.models import Kind, Relation, Run, State
from research.web.site.page_fragment_cache import parts
from research.web.templatetags import run_row_tags
from tests.web.pages import tree, words
from tests.worlds import make_report

LISTS = ["/", "/runs/"]
CHANGES = {
    "a state": ({"state": State.READING, "completed_at": None}, "Reading"),
    "a pause": ({"state": State.READING, "completed_at": None, "paused_at": "now"}, "Paused"),
    "a verdict": ({"result": {"insufficient": True, "reasons": []}}, "Insufficient evidence"),
    "a cost": ({"cost_usd": Decimal("1.25")}, "$1.25"),
    "an unknown cost": ({"cost_usd": None}, "unknown"),
    "a kind": ({"kind": Kind.TECHNICAL}, "Technical"),
    "a question": ({"topic": "Another question altogether"}, "Another question altogether"),
    "an age": ({"created_at": "earlier"}, "2 days ago"),
}


@pytest.fixture(autouse=True)
def _empty_cache():
    parts.forget()
    yield
    parts.forget()


@pytest.fixture
def row_templates(monkeypatch):
    """Templates of rows that were drawn."""
    found: list[str] = []
    draw = run_row_tags.render_to_string
    monkeypatch.setattr(run_row_tags, "render_to_string", lambda *a: found.append(a[0]) or draw(*a))
    return found


def change(world, **columns):
    with tenant_context(world.person.tenant.pk):
        moment = world.run.created_at
        moments = {"now": moment, "earlier": moment - timedelta(days=2)}
        columns = {
            name: moments.get(value, value) if isinstance(value, str) else value
            for name, value in columns.items()
        }
        Run.objects.filter(pk=world.run.pk).update(**columns)


@pytest.mark.parametrize("address", LISTS)
def test_evidence_of_one_strength_is_a_word_and_no_bar(client, ada, address):
    world = make_report(ada)
    with tenant_context(world.person.tenant.pk):
        Claim.objects.update(strength=Strength.LIMITED)
    row = tree(client.get(address)).xpath("//tbody/tr")[0]
    assert row.xpath(".//td[@data-label='Evidence']/text()") == ["Limited"]
    assert row.xpath(".//*[local-name()='svg']") == []


def test_a_run_that_is_done_wears_no_green(client, ada):
    make_report(ada)
    [tag] = tree(client.get("/runs/")).xpath("//tbody//*[contains(@class, 'tag')]")
    assert (tag.text_content(), tag.get("class").split()) == ("Done", ["tag"])


def rows(client, address):
    page = client.get(address)
    assert page.status_code == 200
    return [" ".join(row.text_content().split()) for row in tree(page).xpath("//tbody/tr")]


@pytest.mark.parametrize("address", LISTS)
def test_a_row_that_nothing_changed_is_drawn_once(client, world, row_templates, address):
    first = rows(client, address)
    assert len(first) == len(row_templates) == 1
    assert rows(client, address) == first
    assert len(row_templates) == 1


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("address", LISTS)
def test_what_changed_is_seen_at_once(client, world, address, what):
    columns, said = CHANGES[what]
    (before,) = rows(client, address)
    assert said not in before
    change(world, **columns)
    (after,) = rows(client, address)
    assert said in after.replace("\xa0", " ")


@pytest.mark.parametrize("address", LISTS)
def test_children_and_evidence_are_seen_at_once(client, world, ada, address):
    (before,) = rows(client, address)
    child = make_report(ada)
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=child.run.pk).update(parent=world.run, relation=Relation.RERUN)
        Claim.objects.filter(run=world.run).update(strength=Strength.LIMITED)
    page = client.get(address)
    assert "1 run continues from it" not in before
    assert "1 run continues from it" in words(page)
    assert tree(page).xpath("//td[@data-label='Evidence']/text()") == ["Limited"]


def test_each_language_has_its_own(client, world):
    english = words(client.get("/runs/"))
    german = words(client.get("/runs/", headers={"Accept-Language": "de"}))
    assert "just now" in english
    assert "just now" not in german
    assert words(client.get("/runs/")) == english


def test_another_tenant_sees_none_of_them(client, world, stranger):
    (mine,) = rows(client, "/runs/")
    assert "heat pumps" in mine
    assert not rows(stranger, "/runs/")
