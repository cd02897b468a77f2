"""A report whose claims went through the real checks: restated, partly there, in conflict, and refused."""

from dataclasses import dataclass
from uuid import uuid4

from django.utils import timezone

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepWork
from research.models import AgentRole, Run, Source, State, Step, StepStatus
from research.pipelines.common.verifying.verify_report_by_rules import verify_report
from tests.people import Person
from tests.worlds import add_source, cite, finish

SURVEY = (
    "Customer survey\n\n"
    "The utility of Nordhaus asked its customers in March 2024. Sales of heat pumps rose by 21 percent in 2023, "
    "the utility reported. The programme paid 14,200 euros for each home.\n\n"
    "If the ground is frozen, drilling takes two weeks longer."
)
REGISTER = (
    "National register\n\n"
    "The register counts every unit that is sold. Sales of heat pumps rose by 12 percent in 2023. "
    "The programme did not pay for oil boilers."
)
# Claim, and the words that it cites in each source.
CLAIMS = (
    (
        "In 2023, sales of heat pumps rose by 21 percent.",
        ("Sales of heat pumps rose by 21 percent in 2023", "Sales of heat pumps rose by 12 percent in 2023."),
    ),
    (
        "The programme in Sweden paid 14,200 euros for each home.",
        ("The programme paid 14,200 euros for each home.", ""),
    ),
    ("Drilling takes two weeks longer.", ("drilling takes two weeks longer.", "")),
    (
        "The utility of Nordhaus asked its customers in March 2024.",
        ("The utility of Nordhaus asked its customers in March 2024.", ""),
    ),
    ("The programme paid for oil boilers.", ("", "The programme did not pay for oil boilers.")),
    ("The utility of Nordhaus asked its customers in May 2024.", ("asked its customers in March 2024.", "")),
)


@dataclass(frozen=True)
class CheckedWorld:
    person: Person
    run: Run
    survey: Source
    register: Source
    claims: tuple[Claim, ...]  # as they are after the check


def make_checked_report(person: Person, *, level: str = "strict") -> CheckedWorld:
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(
            owner=person.user,
            topic="How did sales of heat pumps develop?",
            report_version=1,
            started_at=timezone.now(),
            config={"fact_check": level},
            plan={"goal": "Sales", "subtopics": [{"name": "sales", "queries": ["heat pump sales"]}]},
            result={},
        )
        survey = add_source(
            run, "survey.txt", SURVEY, title="Customer survey", publisher="Stadtwerke Nordhaus"
        )
        register = add_source(
            run,
            "register.txt",
            REGISTER,
            title="National register",
            publisher="Statistics office",
            domain="register.example",
        )
        _write(run, (survey, register))
        step = Step.objects.create(
            run=run,
            step_index=0,
            key="1.analyzing/analyze",
            handler="report.analyze",
            agent_role=AgentRole.ANALYZER,
            status=StepStatus.COMPLETED,
            output={"evidence": {}, "open": []},
        )
    check(step)
    with tenant_context(person.tenant.pk):
        run.refresh_from_db()
        finish(run, State.COMPLETED)
        claims = tuple(Claim.objects.filter(run=run).order_by("position"))
    return CheckedWorld(person, run, survey, register, claims)


def check(step: Step) -> None:
    """The report's verification, as its step does it."""
    work = StepWork(
        step_id=uuid4(),
        run_id=step.run_id,
        tenant_id=step.tenant_id,
        key="1.verifying/verify",
        handler="report.verify",
        input={},
        attempt=1,
        fence=1,
    )
    result = verify_report(work)
    with tenant_context(step.tenant_id):
        result.save()


def _write(run: Run, sources: tuple[Source, Source]) -> None:
    section = Section.objects.create(run=run, index=1, heading="Sales", status="cited")
    sentences = []
    for number, (text, quotes) in enumerate(CLAIMS, start=1):
        claim = Claim.objects.create(run=run, section=section, number=number, position=number, text=text)
        for index, (source, quote) in enumerate(zip(sources, quotes, strict=True)):
            if quote:
                cite(claim, source, quote, citation_index=index, match_type="paraphrase", similarity=0.94)
        sentences.append({"claim": str(claim.pk)})
    section.body = {"blocks": [{"type": "paragraph", "sentences": sentences}]}
    section.save()
