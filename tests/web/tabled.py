"""A table in the database: three countries, three columns, and a cell in every state that a cell can have."""

from collections.abc import Mapping
from dataclasses import dataclass

from citations.models import Claim, Contradiction, Section
from research.db.tenancy import tenant_context
from research.models import Item, ItemStatus, Kind, ReviewKind, Run, Source, State
from research.models.schemas import Plan, Subtopic
from tests.people import Person
from tests.web.asked import Item as Asked
from tests.web.asked import ask
from tests.worlds import ReportWorld, add_source, cite, finish

PAGE = (
    "Norway\n\nNorway is a country in Northern Europe. Its capital is Oslo. "
    "It has 5,550,203 inhabitants. It became independent on 7 June 1905."
)
OTHER = "Nordic figures\n\nIn 2019 Norway had 5,328,212 inhabitants."
FIELDS = [
    {"name": "capital", "type": "string", "title": "Capital", "description": "Seat of government"},
    {"name": "population", "type": "number", "title": "Population"},
    {"name": "independence", "type": "date", "title": "Independent since", "format": "day"},
]
OVERVIEW = {
    "statistics": [
        {"column": "capital", "name": "filled", "text": "1 of 3"},
        {"column": "population", "name": "mean", "text": "5,550,203", "value": 5550203.0},
    ],
    "insights": [{"text": "Only Norway has a population.", "rows": [1]}],
}


@dataclass(frozen=True)
class TableWorld:
    person: Person
    run: Run
    page: Source
    items: tuple[Item, ...]

    @property
    def address(self) -> str:
        return f"/runs/{self.run.pk}/table/"

    def cell(self, row: int, field: str) -> str:
        return f"{self.address}{row}/{field}/"


def make_table(person: Person, *, state: str = State.COMPLETED) -> TableWorld:
    """Norway is found, Chile in part, Atlantis failed."""
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(
            owner=person.user,
            kind=Kind.TABLE,
            topic="Capital, population and independence of each country",
            config={"template": "{{input}}", "fields": FIELDS},
            report_version=1,
            snapshot_version=3,
            result={"summary": ["Three countries were looked up."], "table": OVERVIEW},
        )
        page = add_source(run, "norway.txt", PAGE, title="Norway", publisher="Atlas")
        other = add_source(run, "figures.txt", OTHER, title="Nordic figures", publisher="Bureau")
        section = Section.objects.create(run=run, index=0, heading="Table", status="cited")
        norway = {
            "capital": _cell(section, 101, page, "Its capital is Oslo", "Oslo"),
            "population": _cell(
                section, 102, page, "It has 5,550,203 inhabitants", 5_550_203, strength="limited", confidence=0.4,
                disputed=True,
            ),
            "independence": _cell(section, 103, page, "independent on 7 June 1905", "1905-06-07"),
        }  # fmt: skip
        said = Claim.objects.get(run=run, number=102)
        _contradict(said, other, "Norway had 5,328,212 inhabitants")
        items = (
            _item(run, 0, "Norway", ItemStatus.COMPLETED, norway),
            _item(run, 1, "Chile", ItemStatus.COMPLETED, {field["name"]: NOTHING for field in FIELDS}),
            _item(run, 2, "Atlantis", ItemStatus.FAILED, {}, error="It took too long.", error_code="TIMEOUT"),
        )
        finish(run, state)
    return TableWorld(person, run, page, items)


NOTHING = {"state": "not_found", "reason": "No page of the library is about it."}


def _cell(
    section: Section, number: int, source: Source, quote: str, value: object, *,
    strength: str = "strong", confidence: float = 0.91, disputed: bool = False,
) -> dict[str, object]:  # fmt: skip
    """A value, its claim and its citation, as the recipe stores them."""
    claim = Claim.objects.create(
        run=section.run,
        section=section,
        number=number,
        position=number,
        text=f"Norway – {quote}",
        strength=strength,
        origins=1,
        confidence=confidence,
        verification_status="verified",
        contradiction_status="presented_both" if disputed else "none",
    )
    cite(claim, source, quote)
    found = {"state": "found", "value": value, "text": str(value), "claim": str(claim.pk), "number": number}
    return found | {"confidence": confidence, "disputed": disputed}


def _contradict(claim: Claim, source: Source, quote: str) -> None:
    """Another source gives another value: a claim that is in no cell."""
    rival = Claim.objects.create(run=claim.run, text=f"Norway – {quote}", strength="limited", origins=1)
    cite(rival, source, quote)
    Contradiction.objects.create(run=claim.run, claim_a=claim, claim_b=rival, kind="numeric")


def _item(
    run: Run, index: int, name: str, status: str, result: Mapping[str, object], **columns: object
) -> Item:
    values = {"wanted": [], "version": 3} | columns
    return Item.objects.create(run=run, index=index, input=name, status=status, result=result, **values)


def add_waiting(world: TableWorld, count: int, **columns: object) -> None:
    """Rows that nobody has begun, after those that there are."""
    names = [field["name"] for field in FIELDS]
    with tenant_context(world.person.tenant.pk):
        first = Item.objects.filter(run=world.run).count()
        for index in range(first, first + count):
            _item(world.run, index, f"Country {index + 1}", ItemStatus.PENDING, {}, wanted=names, **columns)


def grow_table(world: TableWorld, count: int) -> None:
    """`count` more rows like the first, each with claims of its own."""
    with tenant_context(world.person.tenant.pk):
        section = Section.objects.get(run=world.run)
        first = Item.objects.filter(run=world.run).count()
        for index in range(first, first + count):
            cells = {
                one["name"]: _cell(
                    section, (index + 1) * 100 + place, world.page, "Its capital is Oslo", "Oslo"
                )
                for place, one in enumerate(FIELDS, start=1)
            }
            cells["population"]["value"] = 1_000 + index
            _item(world.run, index, f"Country {index + 1}", ItemStatus.COMPLETED, cells)


def change(world: TableWorld, row: int, **columns: object) -> None:
    """Change a cell as a worker does: the row, and the version that says so."""
    with tenant_context(world.person.tenant.pk):
        run = Run.objects.get(pk=world.run.pk)
        run.snapshot_version += 1
        run.save(update_fields=["snapshot_version"])
        changed = {**columns, "version": run.snapshot_version}
        Item.objects.filter(run=run, index=row - 1).update(**changed)


def make_proposal(person: Person) -> TableWorld:
    """Three rows and columns that a model named, before anyone agreed to them."""
    made = make_table(person, state=State.PLANNING)
    with tenant_context(person.tenant.pk):
        made.run.refresh_from_db()
        Item.objects.filter(run=made.run).update(
            status=ItemStatus.PENDING, result=None, error="", error_code=""
        )
        plan = Plan(
            goal=made.run.topic,
            subtopics=[Subtopic(name=field["title"], queries=[field["title"]]) for field in FIELDS],
            risks=["Disputed territories are left out."],
        )
        config = {**made.run.config, "proposal": "model", "plan_approval": "ask", "rows": 100}
        Run.objects.filter(pk=made.run.pk).update(plan=plan.model_dump(mode="json"), config=config)
    item = Asked(ReviewKind.PLAN, made.run.topic, {"plan": plan.model_dump(mode="json")})
    waiting = ReportWorld(person, made.run, made.page, made.page, made.page, made.page, (), ())
    ask(waiting, "high_cost_approval", [item])
    return made
