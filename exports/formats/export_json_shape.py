"""The schema of the JSON file, which is stable (docs/report-json.md).

`version` increases when a field changes its meaning or is removed, not when one is added. Each claim is stored once,
in `claims`; everything else refers to it by id. Offsets count Unicode code points, from 0.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field, JsonValue

from exports.formats.export_json_parts import Claim, ExportSchema, NamedValue, Source

VERSION: Literal[1] = 1
SCHEMA: Literal["urn:plumbline:report:1"] = "urn:plumbline:report:1"
Value = str | bool | int | float | list[str] | None


class Column(ExportSchema):
    name: str
    title: str
    type: str
    description: str


class Cell(ExportSchema):
    state: str
    text: str
    value: Value
    reason: str
    claim: UUID | None
    claims: list[UUID]  # all claims of a cell of several sentences
    is_disputed: bool


class Row(ExportSchema):
    number: int
    input: str
    status: str
    error: str
    cells: list[Cell]  # one for each column, in their order


class Statistic(ExportSchema):
    column: str
    name: str
    text: str
    value: float | None


class Insight(ExportSchema):
    text: str
    rows: list[int]


class Table(ExportSchema):
    columns: list[Column]
    rows: list[Row]
    statistics: list[Statistic]
    insights: list[Insight]
    head: str  # title of the column of items; empty if it has none of its own


class Point(ExportSchema):
    label: str
    value: float
    tone: str
    low: float | None
    high: float | None
    measure: str
    outcome: str


class Chart(ExportSchema):
    title: str
    heading: str
    points: list[Point]
    kind: str
    unit: str
    summary: list[str]


class Sentence(ExportSchema):
    """A claim by its id, or connecting text."""

    text: str
    claim: UUID | None


class Block(ExportSchema):
    kind: str
    sentences: list[Sentence]
    table: Table | None
    chart: Chart | None


class Section(ExportSchema):
    index: int
    heading: str
    level: int
    blocks: list[Block]
    # answer: the short answer, as in `summary`; commentary: an assessment of the evidence that no source states
    role: str
    by: str = ""  # model, rules; empty: no model was to take part, or unknown


class Circumstance(ExportSchema):
    name: str
    mine: list[str]
    theirs: list[str]
    standing: str


class Contradiction(ExportSchema):
    """`a` and `b` are ids of claims."""

    id: UUID
    kind: str
    a: UUID
    b: UUID
    resolution: str
    note: str
    mine: str
    theirs: str
    circumstances: list[Circumstance]
    scores_a: list[NamedValue]
    scores_b: list[NamedValue]
    margin: float
    winner: str
    decided_by: str


class Warned(ExportSchema):
    """A gap or a warning; `computed`: by rules, else proposed by a model."""

    code: str
    kind: str
    severity: str
    text: str
    advice: str
    computed: bool


class Issue(ExportSchema):
    claim_text: str
    claim_number: int | None
    location: str
    kind: str
    severity: str
    explanation: str
    suggested_fix: str
    source_says: str
    resolution: str


class Verification(ExportSchema):
    status: str
    level: str
    accuracy: float | None
    counts: dict[str, int]
    issues: list[Issue]


class LeftOut(ExportSchema):
    text: str
    reason: str
    attribution: str = ""


class Degradation(ExportSchema):
    code: str
    reason: str
    quality_impact: float


class Check(ExportSchema):
    name: str
    score: float | None
    is_passed: bool
    detail: str


class Sufficiency(ExportSchema):
    checks: list[Check]
    score: float
    is_enough: bool
    rounds: int


class SearchedFolder(ExportSchema):
    name: str
    documents: int


class Searched(ExportSchema):
    """Search scope of the run: folders of the library as they were at its start, and whether it searched the web."""

    folders: list[SearchedFolder]
    whole_library: bool
    web: bool


class Setting(ExportSchema):
    name: str
    values: list[str]


class Stage(ExportSchema):
    """One stage of the work that a model was asked to do; the counts are of steps."""

    name: str
    by: str
    answered: int
    unanswered: int
    tokens: int


class Authorship(ExportSchema):
    """The authorship of the report, derived from the successful calls of a model."""

    words: str
    stages: list[Stage]
    cause: str
    advice: str


class Unread(ExportSchema):
    name: str
    reason: str


class Search(ExportSchema):
    query: str
    place: str
    reason: str


class Instruction(ExportSchema):
    text: str
    status: str
    effects: list[str]


class Step(ExportSchema):
    index: int
    key: str
    handler: str
    role: str
    tool: str
    status: str
    attempt: int
    started: datetime | None
    completed: datetime | None
    duration_ms: int | None
    tokens_input: int
    tokens_output: int
    cost_usd: float | None
    error: str


class Raw(ExportSchema):
    """Raw data of the run, if requested. A quote is the text of its source, from `start` to `end`."""

    configuration: JsonValue
    steps: list[Step]
    texts: dict[UUID, str]  # text of each cited source at the time of reading


class Report(ExportSchema):
    """A run's report, with all its evidence."""

    schema_name: Literal["urn:plumbline:report:1"] = Field(SCHEMA, alias="$schema")
    version: Literal[1] = VERSION
    run: UUID
    kind: str
    title: str
    status: str
    engine: str
    authorship: Authorship | None = None  # None in files that were written before this field existed
    report_version: int
    language: str
    made_at: datetime | None
    summary: list[str]
    reasons: list[str]
    looked_for: list[str]
    sections: list[Section]
    table: Table | None
    claims: list[Claim]
    sources: list[Source]
    contradictions: list[Contradiction]
    gaps: list[Warned]
    warnings: list[Warned]
    verification: Verification | None
    left_out: list[LeftOut]
    degradations: list[Degradation]
    sufficiency: Sufficiency | None
    searched: Searched | None
    settings: list[Setting]
    instructions: list[Instruction]
    queries: list[str]
    vain_searches: list[Search]
    follow_ups: list[str] = []
    unread: list[Unread]
    counts: dict[str, int]
    cost_usd: float | None
    seconds: float | None
    raw: Raw | None
