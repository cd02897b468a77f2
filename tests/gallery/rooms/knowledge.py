"""Knowledge across runs: the list of things, one of them, and what a question meets that is known."""

from playwright.sync_api import Page

from research.db.tenancy import tenant_context
from research.models import AgentRole, Step, StepStatus
from tests.gallery.scene import Room
from tests.library.knowledge.finished_runs import Said, make_finished_run
from tests.people import Person

room = Room("knowledge")
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


def fill(person: Person) -> None:
    """Runs that agree, contradict each other and tell a change."""
    question = "What is known about Acme and the Gotthard base tunnel?"
    for year, people in ((2018, 310), (2021, 500), (2024, 720)):
        said = Said(
            f"Acme employed {people} people in {year}.", str(year), "Acme", title="Acme annual report"
        )
        make_finished_run(person, question, [said])
    costs = ((12, "SBB"), (9, "Alpine News"))
    for billions, publisher in costs:
        cost = Said(f"The Gotthard base tunnel cost {billions} billion francs to build.", "2017", publisher)
        length = Said("The Gotthard Base Tunnel in Switzerland is 57 km long.", "2019", publisher)
        steel = Said(f"Acme supplied steel of {WORD} for the Gotthard Base Tunnel.", "2016", publisher)
        make_finished_run(person, question, [cost, length, steel])
    hostile = "Bombs & <script>alert(1)</script> Brothers supplied steel for the Gotthard Base Tunnel."
    make_finished_run(person, question, [Said(hostile, "2016", "<b>Press</b>")])


@room.scene()
def knowledge(person: Person) -> str:
    fill(person)
    return "/knowledge/"


@room.scene()
def knowledge_empty(person: Person) -> str:
    return "/knowledge/"


@room.scene()
def knowledge_not_found(person: Person) -> str:
    fill(person)
    return "/knowledge/?q=zeppelin"


@room.scene()
def knowledge_of_a_thing(person: Person) -> str:
    fill(person)
    return "/knowledge/?entity=gotthard base tunnel"


@room.scene()
def knowledge_that_changed(person: Person) -> str:
    fill(person)
    return "/knowledge/?entity=acme"


def open_known(page: Page) -> None:
    page.get_by_text("Already known:").click()


@room.scene(open_known)
def form_with_known_claims(person: Person) -> str:
    fill(person)
    asked = make_finished_run(person, "What did the Gotthard Base Tunnel cost to build?", [])
    return f"/runs/new/?again={asked.pk}"


@room.scene()
def report_with_known_claims(person: Person) -> str:
    said = Said("The Gotthard Base Tunnel is 57 km long.", "2019", "SBB", path="tunnel.txt")
    make_finished_run(person, "How long is the tunnel?", [said])
    with tenant_context(person.tenant.pk):
        run = make_finished_run(person, "Which tunnel is the longest?", [said])
        first = run.__class__.objects.exclude(pk=run.pk).get()
        output = {
            "known": [str(pk) for pk in first.claims.values_list("pk", flat=True)],
            "statements": 1,
            "runs": 1,
            "dropped": {"changed": 2},
        }
        Step.objects.create(
            run=run,
            step_index=0,
            key="2.collecting/known",
            handler="report.known",
            agent_role=AgentRole.RESEARCHER,
            status=StepStatus.COMPLETED,
            output=output,
        )
    return f"/runs/{run.pk}/report/"
