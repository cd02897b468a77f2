"""Schemas of the JSON columns, validated whenever a row is written."""

from decimal import Decimal
from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class StoredSchema(BaseModel):
    """Base class of all schemas: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid")


class Subtopic(StoredSchema):
    name: str
    description: str = ""
    queries: list[str] = Field(min_length=1)
    target_sources: int = Field(default=5, ge=1)
    priority: Literal["critical", "important", "supplementary"] = "important"
    is_asked: bool = False  # requested while the run was under way


class PlannedSection(StoredSchema):
    heading: str
    subtopic: str = ""
    target_words: int = Field(default=300, ge=1)
    is_asked: bool = False  # requested by the user, so it stays however little it has to say


class Division(StrEnum):
    """The division of work in the first round of a run, with the reason if it is not divided."""

    UNKNOWN = ""
    DIVIDED = "divided"  # a researcher for each subtopic, in parallel with the searches
    # One round of searches, and one writer:
    NO_MODEL = "no_model"
    DEPTH = "depth"  # the depth does not call for more
    SIMPLE = "simple"  # and neither does the question


# Depths of a report at which researchers share the first round, unless the question is simple.
DIVIDED_DEPTHS = frozenset({"comprehensive", "exhaustive"})


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
    division: Division = Division.UNKNOWN


class RunEstimate(StoredSchema):
    """The estimate made when the run was started. A cost of None means that a price is unknown."""

    sources: int = Field(ge=0)
    calls: int = Field(ge=0)
    tokens: int = Field(ge=0)
    usd: Decimal | None = Field(default=None, ge=0)
    minutes_low: int = Field(ge=0)
    minutes_high: int = Field(ge=0)  # 0: less than one minute


class SearchedFolder(StoredSchema):
    """A library folder with the number of its documents that were readable when the run was started."""

    key: str
    documents: int = Field(ge=0)


class SearchedLibrary(StoredSchema):
    """The part of the library that a run searches, as it was when the run was started."""

    folders: list[SearchedFolder]
    is_whole: bool  # no folder was chosen


class StoredCheck(StoredSchema):
    """One of the six sufficiency checks. A score of None: it could not be measured."""

    name: Literal["count", "coverage", "diversity", "recency", "quality", "novelty"]
    score: float | None = Field(default=None, ge=0, le=1)
    is_passed: bool
    detail: str


class StoredSufficiency(StoredSchema):
    """The last check whether a run had enough sources (spec: lifecycle.md, Sufficiency check)."""

    checks: list[StoredCheck]
    score: float = Field(ge=0, le=1)
    is_enough: bool
    rounds: int = Field(default=1, ge=1)  # of searches
    state: Literal["collecting", "reading"]  # the state at whose end it ran


class ScoreFigure(StoredSchema):
    """A named part of a score. `weight` is its share of a mean; None if parts are summed."""

    name: str
    value: float | None
    weight: float | None = None


class StoredAssessment(StoredSchema):
    """The explanation of a source's scores on a given day."""

    day: str
    reason: str  # for its type and tier
    quality: list[ScoreFigure]
    authority: list[ScoreFigure]
    credibility: list[ScoreFigure] = Field(default_factory=list)  # empty until it is read


class LeftOut(StoredSchema):
    """A sentence that was considered but is not in the report, the reason, and its source where one states it."""

    text: str
    reason: str
    source: UUID | None = None


CellValue = bool | int | float | str | list[bool | int | float | str]


class StoredCell(StoredSchema):
    """One cell of a table. A found value is a claim of the run, with citations."""

    state: Literal["found", "not_found", "failed"]
    value: CellValue | None = None  # of its column's type; None unless found
    text: str = ""  # the value as displayed
    reason: str = ""  # why there is no value
    claim: UUID | None = None
    number: int | None = None  # of the claim
    confidence: float | None = Field(default=None, ge=0, le=1)  # of the claim, when the cell was filled
    disputed: bool = False  # sources disagree


class StoredStatistic(StoredSchema):
    """A statistic over all rows of a column, or over the whole table if `column` is empty."""

    column: str = ""
    name: str  # filled, missing, distinct, minimum, mean …
    text: str  # as displayed
    value: float | None = None  # if it is a number


class StoredInsight(StoredSchema):
    """An observation about a table, with the numbers of the rows that show it. `by_model`: a model worded it."""

    text: str
    rows: list[int] = Field(default_factory=list)
    by_model: bool = False


class StoredOverview(StoredSchema):
    """The statistics and insights about a whole table."""

    statistics: list[StoredStatistic] = Field(default_factory=list)
    insights: list[StoredInsight] = Field(default_factory=list)


class StoredStage(StoredSchema):
    """One stage of a run's work that used a model. The counts are of steps."""

    name: Literal["planned", "read", "wrote", "checked"]
    by: Literal["model", "rules", "both"]
    answered: int = Field(ge=0)
    unanswered: int = Field(ge=0)
    tokens: int = Field(ge=0)


class StoredAuthorship(StoredSchema):
    """The authorship of a run's report, derived from the model calls that succeeded."""

    stages: list[StoredStage] = Field(default_factory=list)
    cause: str = ""  # code of the most frequent failure; empty if no call failed

    @property
    def is_without_model(self) -> bool:
        """Return True if no model call succeeded."""
        return not any(stage.answered for stage in self.stages)


class RunOutcome(StoredSchema):
    """The outcome of a whole run: `Run.result` of reports and tables."""

    insufficient: bool = False
    reasons: list[str] = Field(default_factory=list)  # why the sources do not answer, as sentences
    looked_for: list[str] = Field(default_factory=list)
    summary: list[str] = Field(default_factory=list)
    left_out: list[LeftOut] = Field(default_factory=list)
    engine: Literal["extractive", "model"] = "extractive"  # the engine that the run was meant to use
    authorship: StoredAuthorship | None = None  # only with a model, once the report exists
    table: StoredOverview | None = None  # of a table, once all its rows have ended
    follow_ups: list[str] = Field(default_factory=list)  # questions that lead on from the report
    # Data of the kind besides sections and claims; each kind's pipeline validates it with its own model.
    own: dict[str, JsonValue] = Field(default_factory=dict)


class StoredDropped(StoredSchema):
    """Passages left out of a document's text for one reason, because a reader of the document would not see them."""

    why: str = Field(max_length=20)  # research.parsing.hidden_text.HiddenReason
    passages: int = Field(ge=1)
    characters: int = Field(ge=0)
    excerpts: list[str] = Field(default_factory=list)  # for display only: never in a prompt, index or quote


class StoredPage(StoredSchema):
    """A page of a document: its slice of the text, its size in points, and the map to the PDF's characters."""

    number: int = Field(ge=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    width: float
    height: float
    label: str = ""  # the printed page number, if different
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
    """The names of the table row and columns that a quote is from."""

    row: str = ""
    columns: list[str] = Field(default_factory=list)


class StoredBox(StoredSchema):
    """A rectangle on a page, in points, with the origin at the top left."""

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
    """A part of a claim, compared with the source of one citation (spec: grounding.md, Verification).

    `start` and `end` count in the claim's text, `source_start` and `source_end` in the source's frozen
    text. `source` holds the source's words for it, or is empty if there are none. The parts of the citation
    that decided the claim's status come first.
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
    """A figure used in a computation, as written in text[start:end] of a source of the run."""

    name: str
    figure: str
    source: UUID
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class StoredComputation(StoredSchema):
    """The computation of a claim's figure from figures of sources. `text` is the claim's.

    If an agent ran `code` in the sandbox, it computed the same figure, in `step`.
    """

    text: str
    value: str
    formula: str
    shown: str  # the formula with figures in place of names
    inputs: list[StoredInput] = Field(min_length=1)
    code: str = ""
    step: UUID | None = None


class PageAction(StoredSchema):
    """An action on a page to reveal its text; never one that changes anything elsewhere."""

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
    scroll: bool = False  # to the bottom, to trigger lazy loading
    actions: list[PageAction] = Field(default_factory=list)


class PageControl(StoredSchema):
    """A control on a page that can be clicked, filled or selected from."""

    number: int = Field(ge=1)
    kind: Literal["click", "fill", "select"]
    name: str = ""
    choices: list[str] = Field(default_factory=list)  # the first options of a select


class Rendering(StoredSchema):
    """A record of how a browser rendered a page before it was read, with enough detail to repeat it."""

    browser: str
    wish: RenderingWish = RenderingWish()
    log: list[str] = Field(default_factory=list)  # actions done and requests refused, as sentences
    controls: list[PageControl] = Field(default_factory=list)  # of the page in its final state
    picture: str = ""  # key of a JPEG of what was to be seen in the end; empty: none could be taken


class StoredCircumstance(StoredSchema):
    """A circumstance in which two statements differ or agree, with each side's words.

    See citations.contradiction.claim_circumstances.
    """

    circumstance: Literal["date", "population", "unit", "place"]
    mine: list[str] = Field(default_factory=list)
    theirs: list[str] = Field(default_factory=list)
    standing: Literal["apart", "one_sided", "shared", "unnamed"]


class StoredGates(StoredSchema):
    """The basis of a contradiction: the incompatible words of each side, and their circumstances."""

    mine: str = ""
    theirs: str = ""
    circumstances: list[StoredCircumstance] = Field(default_factory=list)


class StoredDecision(StoredSchema):
    """A person's complete decision. Fields that do not apply are empty."""

    note: str = Field(default="", max_length=2_000)  # why
    text: str = Field(default="", max_length=10_000)  # a corrected claim
    winner: UUID | None = None  # the claim chosen out of two
    plan: Plan | None = None  # as edited
