"""A technical answer in the database: the report that every test knows, with results, code and a table beside it."""

from uuid import UUID

from citations.models import Section
from research.db.tenancy import tenant_context
from research.models import Kind, Run
from research.pipelines.technical.answer.technical_answer import (
    StoredComparison,
    StoredDiagram,
    StoredExample,
    StoredFollowUp,
    StoredLink,
    StoredResult,
    StoredTechnical,
    StoredWhy,
)
from research.pipelines.technical.write_technical_comparison import layout_of
from tests.people import Person
from tests.worlds import ReportWorld, make_report

WHY = [
    StoredWhy(name="matches", value=0.9),
    StoredWhy(name="base", value=0.5),
    StoredWhy(name="official", value=0.2),
]
HOSTILE = '<script>alert(1)</script> & "quotes"'
DIAGRAM = 'flowchart LR\n    q["Do heat pumps work"]\n    q --> finding("Key findings")\n'


def make_technical(person: Person) -> ReportWorld:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        table = _make_table_section(world)
        own = StoredTechnical(
            query="heat pumps −15 °C",
            type="comparison",
            request_id="r-17",
            searched=["library"],
            results=[
                StoredResult(
                    source=world.trial.pk, type="academic", relevance=0.63, why=WHY, snippet=HOSTILE
                ),
                StoredResult(source=world.note.pk, type="other", relevance=0.4, why=WHY, link="alive"),
            ],
            gone=[
                StoredResult(
                    source=world.study.pk,
                    type="news",
                    relevance=0.5,
                    why=WHY,
                    link="dead",
                    note="Not there (404).",
                )
            ],
            examples=[
                _example(world.note.pk, "print(1 < 2)\n", "python", "passed"),
                _example(world.note.pk, HOSTILE, "", "unchecked", "There is no parser for this language."),
            ],
            broken=[_example(world.trial.pk, "print(1", "python", "failed", "Line 1: '(' was never closed.")],
            comparison=table,
            headings={"finding": "Field trials"},
            takeaways=[world.claims[0].pk],
            diagrams=[
                StoredDiagram(title="Which source says what", code=DIAGRAM, links=_links(world)),
                StoredDiagram(title="Of a source", code="flowchart nonsense ((", source=world.trial.pk),
            ],
            follow_ups=[
                StoredFollowUp(question="What is recommended for heat pumps?", type="best-practices")
            ],
        )
        result = {**(Run.objects.get(pk=world.run.pk).result or {}), "own": own.model_dump(mode="json")}
        Run.objects.filter(pk=world.run.pk).update(kind=Kind.TECHNICAL, result=result)
        world.run.refresh_from_db()
    return world


def _links(world: ReportWorld) -> list[StoredLink]:
    return [StoredLink(advice="finding", source=world.trial.pk, claims=2)]


def _make_table_section(world: ReportWorld) -> StoredComparison:
    """The last section as a table: its claims in cells, one cell empty."""
    section = Section.objects.filter(run=world.run).order_by("-index")[0]
    claims = [UUID(str(pk)) for pk in section.claims.order_by("position").values_list("pk", flat=True)]
    table = StoredComparison(things=["Electricity", "Oil"], aspects=["Price"], cells=[[claims[0]], [None]])
    body = {
        "blocks": [
            {"type": "table", "sentences": [{"claim": str(claims[0])}], "layout": layout_of(table)},
            {"type": "list", "sentences": [{"claim": str(claim)} for claim in claims[1:]]},
        ]
    }
    Section.objects.filter(pk=section.pk).update(body=body)
    return table


def _example(source: UUID, code: str, language: str, check: str, reason: str = "") -> StoredExample:
    return StoredExample(
        source=source, start=0, end=len(code), code=code, language=language, description="How it is done",
        check=check, reason=reason,
    )  # fmt: skip
