"""Pages of the graph: what they show, to whom, and that names stay text."""

import pytest
from lxml import html

from research.db.tenancy import tenant_context
from research.library.knowledge.knowledge_graph_shape import EntitySummary
from research.models import EntityKind, Step
from research.web.knowledge.knowledge_graph_view import draw_star
from tests.gallery.rooms.knowledge import fill, report_with_known_claims
from tests.library.knowledge.finished_runs import Said, make_finished_run

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert(1)</script> & "Söhne" AG\'); DROP'


def page_of(person, address):
    answer = person.sign_in().get(address)
    assert answer.status_code == 200
    return html.fromstring(answer.content.decode())


def test_knowledge_says_in_the_table_what_the_picture_draws(ada):
    fill(ada)
    page = page_of(ada, "/knowledge/")
    drawn = {text.rstrip("…") for text in page.xpath("//svg[@class='graph']/text/text()")}
    listed = page.xpath("//tbody//th//a/text()")
    assert drawn
    assert all(any(name.startswith(label) for name in listed) for label in drawn)


def test_knowledge_finds_a_name(ada):
    fill(ada)
    assert page_of(ada, "/knowledge/?q=ACME").xpath("//tbody//th//a/text()") == ["Acme"]


def test_knowledge_is_empty_for_another_workspace(ada, bob):
    fill(ada)
    assert page_of(bob, "/knowledge/").xpath("//p[@class='empty']")
    assert bob.sign_in().get("/knowledge/?entity=acme").status_code == 404


def test_entity_shows_statements_disputes_and_changes(ada):
    fill(ada)
    told = page_of(ada, "/knowledge/?entity=acme").text_content()
    assert "How it changed" in told
    assert told.index("310") < told.index("500") < told.index("720")
    told = page_of(ada, "/knowledge/?entity=gotthard base tunnel").text_content()
    assert "Disputed:" in told
    assert "2 independent sources" in told


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Gotthard", "Gotthard"),
        ("Gotthard Base Tunnel", "Gotthard Base…"),
        ("ゴットハルトベーストンネル", "ゴットハルト…"),
    ],
)
def test_picture_cuts_a_name_to_its_room(name, label):
    entity = EntitySummary(key="key", name=name, kind=EntityKind.NAME, claims=1, runs=1)
    assert [dot.label for dot in draw_star(entity, [entity]).dots] == [label, label]


def test_picture_leaves_room_above_the_middle():
    entity = EntitySummary(key="key", name="Acme", kind=EntityKind.NAME, claims=1, runs=1)
    for count in range(1, 15):
        *around, middle = draw_star(entity, [entity] * count).dots
        assert not [dot for dot in around if dot.y < middle.y and abs(dot.x - middle.x) < 10]


@pytest.mark.parametrize("key", ["nothing", "a" * 500, "\0", "acme\0"])
def test_entity_is_not_found_for_a_key_that_no_claim_has(ada, key):
    assert ada.sign_in().get("/knowledge/", {"entity": key}).status_code == 404


def test_hostile_names_stay_text_everywhere(ada):
    said = Said(f"In 1967, Acme sued {HOSTILE} over its steel.", "2016", HOSTILE, title=HOSTILE)
    make_finished_run(ada, f"What of {HOSTILE} at Acme?", [said])
    client = ada.sign_in()
    for address in ("/knowledge/", f"/knowledge/?q={HOSTILE}", "/knowledge/?entity=acme"):
        assert "<script>alert" not in client.get(address).content.decode()
    assert HOSTILE in page_of(ada, "/knowledge/?entity=acme").text_content()


def test_question_form_lists_statements_that_are_known(ada):
    length = "The Gotthard Base Tunnel is 57 km long."
    run = make_finished_run(ada, "How long is the Gotthard Base Tunnel?", [Said(length, "2019", "SBB")])
    [known] = page_of(ada, f"/runs/new/?again={run.pk}").xpath("//details[.//a[contains(@href, '/claims/')]]")
    assert "Already known: 1 statement from 1 run." in " ".join(known.text_content().split())
    assert length in known.text_content()


def test_report_that_used_no_known_claim_counts_no_statements(ada):
    address = report_with_known_claims(ada)
    with tenant_context(ada.tenant.pk):
        output = {"known": [], "statements": 0, "runs": 0, "dropped": {"changed": 2}}
        Step.objects.filter(handler="report.known").update(output=output)
    [section] = page_of(ada, address).xpath("//details[@id='known-before']")
    shown = " ".join(section.text_content().split())
    assert "Nothing that earlier runs found was used. 2 quotes were not used" in shown
    assert "statement" not in shown
