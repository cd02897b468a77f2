"""Shapes of the JSON columns. Each is validated when a row is written."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class StoredSchema(BaseModel):
    """Base of all shapes: an unknown key is a mistake, not an extra."""

    model_config = ConfigDict(extra="forbid")


class Subtopic(StoredSchema):
    name: str
    description: str = ""
    queries: list[str] = Field(min_length=1)
    target_sources: int = Field(default=5, ge=1)
    priority: Literal["critical", "important", "supplementary"] = "important"
    is_asked: bool = False  # the run was told to look for it too, while it was under way


class PlannedSection(StoredSchema):
    heading: str
    subtopic: str = ""
    target_words: int = Field(default=300, ge=1)
    is_asked: bool = False  # the run was told to have it: it stands, however little it has to say


class Plan(StoredSchema):
    """The plan of a run (spec: agents-and-tools.md, plan)."""

    goal: str
    subtopics: list[Subtopic] = Field(min_length=1)
    outline: list[PlannedSection] = Field(default_factory=list)
    success_criteria: list[str] = Field(default_factory=list)
    risks: list[str] = Field(default_factory=list)
    clarification_questions: list[str] = Field(default_factory=list)
    estimated_sources: int = Field(default=0, ge=0)
    estimated_minutes: float = Field(default=0, ge=0)
    estimated_tokens: int = Field(default=0, ge=0)
    estimated_cost_usd: float | None = None
    confidence: float = Field(default=1.0, ge=0, le=1)


class RunEstimate(StoredSchema):
    """The estimate of a run when it was started. A cost of None: a price is unknown."""

    sources: int = Field(ge=0)
    calls: int = Field(ge=0)
    tokens: int = Field(ge=0)
    usd: Decimal | None = Field(default=None, ge=0)
    minutes_low: int = Field(ge=0)
    minutes_high: int = Field(ge=0)  # 0: less than one


class SearchedFolder(StoredSchema):
    """A folder of the library with its documents that could be read when the run was started."""

    key: str
    documents: int = Field(ge=0)


class SearchedLibrary(StoredSchema):
    """The part of the library that a run searches, as it was when the run was started."""

    folders: list[SearchedFolder]
    is_whole: bool  # no folder was chosen


class StoredCheck(StoredSchema):
    """One of the six checks of sufficiency. A score of None: it could not be measured."""

    name: Literal["count", "coverage", "diversity", "recency", "quality", "novelty"]
    score: float | None = Field(default=None, ge=0, le=1)
    is_passed: bool
    detail: str


class StoredSufficiency(StoredSchema):
    """The last check that a run had enough sources (spec: lifecycle.md, Sufficiency check)."""

    checks: list[StoredCheck]
    score: float = Field(ge=0, le=1)
    is_enough: bool
    rounds: int = Field(default=1, ge=1)  # of searches
    state: Literal["collecting", "reading"]  # at whose end it looked


class ScoreFigure(StoredSchema):
    """A named part of a score. `weight` is its share of a mean; None where parts are added up."""

    name: str
    value: float | None
    weight: float | None = None


class StoredAssessment(StoredSchema):
    """The explanation of a source's scores, as of a day."""

    day: str
    reason: str  # of its type and tier
    quality: list[ScoreFigure]
    authority: list[ScoreFigure]
    credibility: list[ScoreFigure] = Field(default_factory=list)  # empty before it is read


class LeftOut(StoredSchema):
    """A sentence that was considered and is not in the report, and why."""

    text: str
    reason: str


CellValue = bool | int | float | str | list[bool | int | float | str]


class StoredCell(StoredSchema):
    """One cell of a table. What was found is a claim of the run, with its citations."""

    state: Literal["found", "not_found", "failed"]
    value: CellValue | None = None  # as its column's type; None unless found
    text: str = ""  # the same as people read it
    reason: str = ""  # why there is none, in words
    claim: UUID | None = None
    number: int | None = None  # of the claim
    confidence: float | None = Field(default=None, ge=0, le=1)  # of the claim, when the cell was filled
    disputed: bool = False  # sources differ


class StoredStatistic(StoredSchema):
    """Something computed over all rows of a column; `column` empty: over the whole table."""

    column: str = ""
    name: str  # filled, missing, distinct, minimum, mean …
    text: str  # as people read it
    value: float | None = None  # where it is a number


class StoredInsight(StoredSchema):
    """A notable observation in a table, with the numbers of the rows that show it. `by_model`: a model worded it."""

    text: str
    rows: list[int] = Field(default_factory=list)
    by_model: bool = False


class StoredOverview(StoredSchema):
    """An overview of the rows of a table together."""

    statistics: list[StoredStatistic] = Field(default_factory=list)
    insights: list[StoredInsight] = Field(default_factory=list)


class StoredStage(StoredSchema):
    """One stage of a run's work that a model was asked to do. The counts are of steps."""

    name: Literal["planned", "read", "wrote", "checked"]
    by: Literal["model", "rules", "both"]
    answered: int = Field(ge=0)
    unanswered: int = Field(ge=0)
    tokens: int = Field(ge=0)


class StoredAuthorship(StoredSchema):
    """The authorship of a run's report, derived from the model calls that succeeded."""

    stages: list[StoredStage] = Field(default_factory=list)
    cause: str = ""  # code of the commonest failure; empty where the model did all that it was asked

    @property
    def is_without_model(self) -> bool:
        """No call of a model succeeded."""
        return not any(stage.answered for stage in self.stages)


class RunOutcome(StoredSchema):
    """The outcome of the run as a whole: `Run.result` of a report, and of a table."""

    insufficient: bool = False
    reasons: list[str] = Field(default_factory=list)  # why the sources do not answer, in words
    looked_for: list[str] = Field(default_factory=list)
    summary: list[str] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)
    engine: Literal["extractive", "model"] = "extractive"  # that the run was meant to use
    authorship: StoredAuthorship | None = None  # with a model, once the report is there
    table: StoredOverview | None = None  # of a table, once all of its rows have ended
    follow_ups: list[str] = Field(default_factory=list)  # questions that go on from the report
    # What only its kind has to say beside sections and claims; each kind's recipe checks it against a model of its own.
    own: dict[str, JsonValue] = Field(default_factory=dict)


class StoredDropped(StoredSchema):
    """Passages left out of a document's text, for one reason, because no reader of the document sees them."""

    why: str = Field(max_length=20)  # research.parsing.hidden_text.HiddenReason
    passages: int = Field(ge=1)
    characters: int = Field(ge=0)
    excerpts: list[str] = Field(default_factory=list)  # for people alone: in no prompt, index or quote


class StoredPage(StoredSchema):
    """A page of a document: its slice of the text, its size in points, and where its characters lie in the PDF."""

    number: int = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    width: float
    height: float
    label: str = ""  # the page's number as printed, where that is another
    runs: list[tuple[int, int, int]] = Field(default_factory=list)  # (text start, pdfium character, length)


class StoredBlock(StoredSchema):
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    kind: str
    level: int | None = None
    section: str = ""
    page: int | None = None


class StoredTable(StoredSchema):
    caption: str = ""
    headers: list[str] = Field(default_factory=list)
    rows: list[list[str]] = Field(default_factory=list)
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class StoredCellNames(StoredSchema):
    """What a table of a source calls the row and the columns of a quote."""

    row: str = ""
    columns: list[str] = Field(default_factory=list)


class StoredBox(StoredSchema):
    """Rectangle on a page, in points, origin top left."""

    x: float
    y: float
    width: float
    height: float
    page: int | None = None


class StoredFactors(StoredSchema):
    """The four factors of a citation's confidence, each 0–1 (spec: grounding.md, Confidence of a citation)."""

    text_match: float = Field(ge=0, le=1)
    context_match: float = Field(ge=0, le=1)
    source_authority: float = Field(ge=0, le=1)
    corroboration: float = Field(ge=0, le=1)
    caps: list[str] = Field(default_factory=list)


class StoredPart(StoredSchema):
    """A part of a claim as one citation's source has it (spec: grounding.md, Verification).

    `start` and `end` count in the claim's text, `source_start` and `source_end` in the source's frozen text.
    `source` holds the source's words for it; empty where it has none. The parts of the citation that decided
    the claim's status come first.
    """

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    kind: Literal["word", "name", "quantity", "time", "polarity"]
    state: Literal["matched", "missing", "conflicting"]
    source: str = ""
    citation: UUID
    source_start: int | None = Field(default=None, ge=0)
    source_end: int | None = Field(default=None, ge=0)


class StoredInput(StoredSchema):
    """A figure that a computation uses: as it is written in text[start:end] of a source of the run."""

    name: str
    figure: str
    source: UUID
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class StoredComputation(StoredSchema):
    """The computation of a claim's figure from figures of sources. `text` is the claim's.

    `code` computed the same figure in the sandbox, where an agent ran some: it ran in `step`.
    """

    text: str
    value: str
    formula: str
    shown: str  # the formula with the figures in place of their names
    inputs: list[StoredInput] = Field(min_length=1)
    code: str = ""
    step: UUID | None = None


class PageAction(StoredSchema):
    """Something that a reader does to a page to see the text behind it; never what changes anything elsewhere."""

    do: Literal["click", "fill", "select", "scroll", "find", "press"]
    number: int | None = Field(
        default=None, ge=1, description="Of the control that is meant, as the page's list of controls has it."
    )
    selector: str = Field(default="", max_length=300, description="CSS selector of what is meant.")
    text: str = Field(
        default="",
        max_length=300,
        description="click: its words, in place of a number or selector; fill, select: the value; find: what to look"
        " for; press: a key such as Enter, Escape, Tab or ArrowDown.",
    )


class RenderingWish(StoredSchema):
    """Instructions to a browser for rendering a page before it is read."""

    wait_for: str = ""  # CSS selector
    scroll: bool = False  # to the bottom, for what is loaded on the way
    actions: list[PageAction] = Field(default_factory=list)


class PageControl(StoredSchema):
    """Something on a page that can be clicked, filled or chosen from."""

    number: int = Field(ge=1)
    kind: Literal["click", "fill", "select"]
    name: str = ""
    choices: list[str] = Field(default_factory=list)  # of a list of choices, the first ones


class Rendering(StoredSchema):
    """A record of how a browser rendered a page before it was read, with enough detail to repeat it."""

    browser: str
    wish: RenderingWish = RenderingWish()
    log: list[str] = Field(default_factory=list)  # what was done and what was refused, in sentences
    controls: list[PageControl] = Field(default_factory=list)  # of the page as it was left


class StoredCircumstance(StoredSchema):
    """A circumstance in which statements differ or agree, in their words (citations.contradiction.circumstances)."""

    circumstance: Literal["date", "population", "unit", "place"]
    mine: list[str] = Field(default_factory=list)
    theirs: list[str] = Field(default_factory=list)
    standing: Literal["apart", "one_sided", "shared", "unnamed"]


class StoredGates(StoredSchema):
    """The basis of a contradiction: the words of either side that cannot both hold, and their circumstances."""

    mine: str = ""
    theirs: str = ""
    circumstances: list[StoredCircumstance] = Field(default_factory=list)


class StoredDecision(StoredSchema):
    """A person's decision, in full. Fields that do not apply are empty."""

    note: str = Field(default="", max_length=2_000)  # why
    text: str = Field(default="", max_length=10_000)  # a corrected claim
    winner: UUID | None = None  # the claim that is taken as right, of two
    plan: Plan | None = None  # as edited
