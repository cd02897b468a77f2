"""The graph is made of what runs found: agreement, contradiction and change each from runs of these tests."""

import pytest

from citations.models import Claim, ClaimStatus
from research.db.tenancy import tenant_context
from research.library.knowledge import build_knowledge_graph
from research.library.knowledge.build_knowledge_graph import ask_for_missing, build_run, rebuild_all
from research.library.knowledge.read_knowledge_graph import list_entities, read_entity
from research.library.knowledge.relate_known_claims import relate
from research.models import ClaimLink, EntityMention, Outbox, Run, RunKnowledge, State
from research.ops.retention.delete_run_after_retention import delete_run
from tests.library.knowledge.finished_runs import Said, links_of, make_finished_run

pytestmark = pytest.mark.django_db

# What two runs say, and how the graph joins it.
CASES = [
    (
        "agreement",
        Said("The Gotthard base tunnel is 57 kilometres long.", "2019", "SBB"),
        Said("The Gotthard Base Tunnel is 57 km long.", "2021", "Alpine News"),
    ),
    (
        "agreement",
        Said("bcrypt truncates passwords at 72 bytes.", "2018", "OWASP"),
        Said("bcrypt truncates passwords that are longer than 72 bytes.", "2022", "Auth docs"),
    ),
    (
        "contradiction",
        Said("The Gotthard base tunnel cost 12 billion francs to build.", "2017", "SBB"),
        Said("The Gotthard base tunnel cost 9 billion francs to build.", "2017", "Alpine News"),
    ),
    (
        "contradiction",
        Said("Night trains are profitable for their operators.", "2023", "Rail Weekly"),
        Said("Night trains are not profitable for their operators.", "2023", "Transport Institute"),
    ),
    (
        "contradiction",
        Said("The Treaty of Lunden was signed in 1658.", "2020", "History Net"),
        Said("The Treaty of Lunden was signed in 1661.", "2020", "Archive of Lund"),
    ),
    (
        "change",
        Said("Acme employed 500 people in 2021.", "2021", "Acme"),
        Said("Acme employed 720 people in 2024.", "2024", "Acme"),
    ),
    (
        "change",
        Said("The minimum wage in Norland is 12 euros an hour.", "2019", "Norland Labour Office"),
        Said("The minimum wage in Norland is 15 euros an hour.", "2024", "Economic Review"),
    ),
    (
        "change",
        Said("Electric cars accounted for 22 % of new cars in Sweden in 2020.", "2021", "Mobility Sweden"),
        Said("Electric cars accounted for 35 % of new cars in Sweden in 2024.", "2025", "Auto Monitor"),
    ),
    (
        "",
        Said("Heat pumps reach a seasonal factor of 3.2 in Norway.", "2022", "NTNU"),
        Said("Heat pumps reach a seasonal factor of 2.4 in Canada.", "2022", "NRC"),
    ),
    (
        "",
        Said("Acme employs 500 people in Berlin.", "2023", "Acme"),
        Said("Acme sells batteries for 500 euros.", "2023", "Shop News"),
    ),
    (
        "",
        Said("Solar panels lose 0.5 % of their output per year.", "2022", "NREL"),
        Said("Solar panels cost 200 euros each.", "2022", "Shop News"),
    ),
    (
        "",
        Said("Children under 10 sleep 9 hours a night.", "2021", "Sleep Fund"),
        Said("Adults over 60 sleep 6 hours a night.", "2021", "Health Board"),
    ),
]
QUESTIONS = {"Night": "Are night trains profitable?", "Acme": "How many people does Acme employ?"}


@pytest.mark.parametrize(("kind", "first", "second"), CASES, ids=[case[1].text[:24] for case in CASES])
def test_build_run_links_claims_of_two_runs(ada, kind, first, second):
    question = QUESTIONS.get(first.text.split()[0], "What is known about it?")
    make_finished_run(ada, question, [first])
    make_finished_run(ada, question, [second])
    assert [link[0] for link in links_of(ada)] == ([kind] if kind else [])


TUNNEL = Said("The Gotthard base tunnel cost 12 billion francs to build.", "2017", "SBB")
OTHER_COST = Said("The Gotthard base tunnel cost 9 billion francs to build.", "2017", "Alpine News")


def rows_of(person):
    with tenant_context(person.tenant.pk):
        mentions = sorted(EntityMention.objects.values_list("claim__text", "key", "name", "kind"))
        return mentions, links_of(person), RunKnowledge.objects.count()


def test_build_run_gives_the_same_rows_when_it_is_repeated(ada):
    runs = [make_finished_run(ada, "What did it cost?", [said]) for said in (TUNNEL, OTHER_COST)]
    before = rows_of(ada)
    for run in [*runs, *runs]:
        assert build_run(ada.tenant.pk, run.pk)
    assert rows_of(ada) == before


def test_rebuild_all_gives_the_same_rows_as_one_build_after_the_other(ada):
    for _kind, first, second in CASES[:6]:
        make_finished_run(ada, "What is known?", [first])
        make_finished_run(ada, "What is known?", [second])
    before = rows_of(ada)
    assert rebuild_all(ada.tenant.pk) == 12
    assert rows_of(ada) == before


def test_build_run_takes_out_a_claim_that_was_refused_since(ada):
    run = make_finished_run(ada, "What did it cost?", [TUNNEL])
    make_finished_run(ada, "What did it cost?", [OTHER_COST])
    with tenant_context(ada.tenant.pk):
        Claim.objects.filter(run=run).update(verification_status=ClaimStatus.CONTRADICTED)
    build_run(ada.tenant.pk, run.pk)
    assert links_of(ada) == []
    with tenant_context(ada.tenant.pk):
        assert not EntityMention.objects.filter(run=run).exists()


def test_build_run_leaves_out_a_run_that_did_not_complete(ada):
    run = make_finished_run(ada, "What did it cost?", [TUNNEL], build=False)
    with tenant_context(ada.tenant.pk):
        Run.objects.filter(pk=run.pk).update(state=State.CANCELLED)
    assert not build_run(ada.tenant.pk, run.pk)


def test_workspaces_never_meet_in_the_graph(ada, bob):
    make_finished_run(ada, "What did it cost?", [TUNNEL])
    run = make_finished_run(bob, "What did it cost?", [OTHER_COST])
    assert links_of(ada) == links_of(bob) == []
    assert not build_run(ada.tenant.pk, run.pk)
    with tenant_context(ada.tenant.pk):
        assert list_entities().runs == 1
        knowledge = read_entity("gotthard")
    assert knowledge is not None
    assert [statement.text for statement in knowledge.statements] == [TUNNEL.text]


@pytest.mark.parametrize("place", [0, 1])
def test_delete_run_takes_its_claims_out_of_the_graph(ada, place):
    runs = [make_finished_run(ada, "What did it cost?", [said]) for said in (TUNNEL, OTHER_COST)]
    with tenant_context(ada.tenant.pk):
        delete_run(runs[place].pk)
        assert not ClaimLink.objects.exists()
        assert not EntityMention.objects.filter(run=runs[place].pk).exists()
        assert RunKnowledge.objects.get().run_id == runs[1 - place].pk
        assert EntityMention.objects.exists()


def test_ask_for_missing_asks_once_for_each_run_outside_the_graph(ada):
    make_finished_run(ada, "What did it cost?", [TUNNEL])
    run = make_finished_run(ada, "What did it cost?", [OTHER_COST], build=False)
    assert ask_for_missing(ada.tenant.pk) == ask_for_missing(ada.tenant.pk) == 1
    with tenant_context(ada.tenant.pk):
        assert Outbox.objects.get(topic="research.tasks.build_knowledge").run_id == run.pk


def test_read_entity_counts_a_source_once_however_many_runs_cite_it(ada):
    said = Said("The Gotthard base tunnel is 57 kilometres long.", "2019", "SBB", path="one.txt")
    for _time in range(3):
        make_finished_run(ada, "How long is it?", [said])
    with tenant_context(ada.tenant.pk):
        knowledge = read_entity("gotthard")
    assert knowledge is not None
    [statement] = knowledge.statements
    assert (statement.runs, statement.sources, len(statement.accounts)) == (3, 1, 3)


def test_read_entity_counts_independent_sources_of_agreeing_runs(ada):
    for said in CASES[0][1:]:
        make_finished_run(ada, "How long is it?", [said])
    with tenant_context(ada.tenant.pk):
        knowledge = read_entity("gotthard base tunnel")
    assert knowledge is not None
    [statement] = knowledge.statements
    assert (statement.runs, statement.sources) == (2, 2)
    assert knowledge.entity.agreements == 1


def test_read_entity_shows_both_sides_of_a_contradiction(ada):
    for said in (TUNNEL, OTHER_COST):
        make_finished_run(ada, "What did it cost?", [said])
    with tenant_context(ada.tenant.pk):
        knowledge = read_entity("gotthard")
    assert knowledge is not None
    assert sorted((one.disputes[0].mine, one.disputes[0].theirs) for one in knowledge.statements) == [
        ("12 billion francs", "9 billion francs"),
        ("9 billion francs", "12 billion francs"),
    ]


def test_read_entity_tells_a_change_oldest_first(ada):
    values = {2024: 720, 2021: 500, 2018: 310}
    for year, people in values.items():
        said = Said(f"Acme employed {people} people in {year}.", str(year), "Acme")
        make_finished_run(ada, "How many people does Acme employ?", [said])
    with tenant_context(ada.tenant.pk):
        knowledge = read_entity("acme")
    assert knowledge is not None
    [points] = knowledge.changes
    assert [(point.time, point.value) for point in points] == [
        ("2018", "310"),
        ("2021", "500"),
        ("2024", "720"),
    ]


def test_list_entities_finds_names_in_any_case_and_accent(ada):
    make_finished_run(ada, "What is known?", [Said("The Zürich Tram Museum opened in 1967.")])
    with tenant_context(ada.tenant.pk):
        assert [entity.name for entity in list_entities("zurich TRAM").entities] == ["Zürich Tram Museum"]
        assert list_entities("basel").entities == []


def test_a_sentence_that_runs_repeat_is_compared_once(ada, monkeypatch):
    tunnel = Said("The Gotthard base tunnel is 57 kilometres long.", "2019", "SBB")
    for number in range(3):
        make_finished_run(ada, f"How long is tunnel {number}?", [tunnel])
    compared = []
    monkeypatch.setattr(build_knowledge_graph, "relate", lambda *pair: compared.append(pair) or relate(*pair))
    before = len(links_of(ada))
    make_finished_run(
        ada, "How long is it?", [Said("The Gotthard Base Tunnel is 57 km long.", "2021", "Alpine News")]
    )
    assert len(links_of(ada)) - before == 3
    assert len(compared) == 1
