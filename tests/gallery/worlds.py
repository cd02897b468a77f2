"""Reports that show more than the small one of tests/worlds.py."""

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.models import Run, State
from tests.people import Person
from tests.worlds import ReportWorld, add_source, cite, make_report

STRENGTHS = (("strong", 3), ("moderate", 2), ("limited", 1))
FILLER = "\n\n".join(f"Paragraph {n} says nothing that anybody cites, at some length." for n in range(12))


def long_report(person: Person, claims: int = 60) -> ReportWorld:
    """Create a report with so many claims, each from a source of its own."""
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(state=State.VERIFYING)
        section = Section.objects.get(run=world.run, index=2)
        for number in range(4, claims + 1):
            section.body["blocks"][0]["sentences"].append(
                {"claim": str(_claim(world.run, section, number).pk)}
            )
        section.save()
        Run.objects.filter(pk=world.run.pk).update(state=State.COMPLETED)
    return world


def _claim(run: Run, section: Section, number: int) -> Claim:
    text = f"Site {number} saved money in both winters, as its owners had hoped."
    source = add_source(
        run,
        f"site-{number}.txt",
        f"{FILLER}\n\n{text}",
        title=f"Site {number}",
        published=f"{2000 + number % 26}",
    )
    strength, origins = STRENGTHS[number % 3]
    columns = {"number": number, "position": number, "text": text, "strength": strength, "origins": origins}
    claim = Claim.objects.create(
        run=run, section=section, verification_status="verified", confidence=0.7, **columns
    )
    cite(claim, source, text)
    return claim
