"""A run's findings beside its claims: contradictions, warnings, the table of evidence with its charts."""

from citations.models import Citation, Claim, Contradiction, VerificationReport, Warning
from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.checked import make_checked_report
from tests.gallery.scene import Room
from tests.gallery.worlds import long_report
from tests.people import Person
from tests.worlds import ReportWorld, make_report

room = Room("findings")
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
GATES = {
    "mine": "12 percent",
    "theirs": "21 percent",
    "circumstances": [
        {"circumstance": "date", "mine": ["2019"], "theirs": [], "standing": "one_sided"},
        {"circumstance": "place", "mine": [WORD], "theirs": ["Norway"], "standing": "apart"},
    ],
}
SCORES = {"authority": 0.8, "recency": 0.5, "corroboration": 0.7, "specificity": 0.6}


def page_of(world: ReportWorld, page: str) -> str:
    return f"/runs/{world.run.pk}/{page}/"


def make_agreed_report(person: Person) -> ReportWorld:
    """Checked, with nothing to find fault with."""
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        Warning.objects.filter(run=world.run).delete()
        Contradiction.objects.filter(run=world.run).delete()
        Claim.objects.filter(run=world.run).update(contradiction_status="none")
        Run.objects.filter(pk=world.run.pk).update(result={"summary": [], "engine": "extractive"})
        VerificationReport.objects.create(
            run=world.run, report_version=1, overall_status="passed", accuracy=1
        )
    return world


@room.scene()
def contradictions(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        found = {"gates": GATES, "scores_a": SCORES, "scores_b": SCORES, "margin": 0.1}
        Contradiction.objects.filter(run=world.run).update(**found)
    return page_of(world, "contradictions")


@room.scene()
def contradictions_none(person: Person) -> str:
    return page_of(make_agreed_report(person), "contradictions")


@room.scene()
def contradictions_not_looked_for_yet(person: Person) -> str:
    world = make_report(person, state=State.READING)
    with tenant_context(person.tenant.pk):
        Contradiction.objects.filter(run=world.run).delete()
    return page_of(world, "contradictions")


@room.scene()
def warnings(person: Person) -> str:
    return f"/runs/{make_checked_report(person).run.pk}/warnings/"


@room.scene()
def warnings_none(person: Person) -> str:
    return page_of(make_agreed_report(person), "warnings")


@room.scene()
def evidence(person: Person) -> str:
    return page_of(long_report(person, 24), "evidence")


@room.scene()
def evidence_none(person: Person) -> str:
    world = make_report(person, state=State.READING)
    with tenant_context(person.tenant.pk):
        Citation.objects.filter(claim__run=world.run).delete()
    return page_of(world, "evidence")
