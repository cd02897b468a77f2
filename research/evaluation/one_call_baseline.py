"""Compare the report pipeline with a baseline: one call with the full text of all sources that the pipeline read.

Both are scored in the same way, on their final answer: a citation is valid if its quote occurs in the named source
and the rules find that these words support the sentence.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Count, Sum
from pydantic import BaseModel, ConfigDict

from citations.anchoring import Span, anchor
from citations.verification import CitedPassage, VerdictStatus, verify
from exports.document.document_tree import Document
from research.accounts.people import PersonalAccount
from research.agents.agent_prompt_data_blocks import SourceText, fence_for
from research.agents.agent_prompt_files import render
from research.db.tenancy import tenant_context
from research.evaluation.evaluation_of_reports import ReportContents
from research.evaluation.gold_questions import count_misquotes, report_of
from research.llm.call_types import Call, Usage
from research.llm.gateway import complete
from research.llm.model_errors import ModelError
from research.models import AgentRole, Kind, ModelCall, ModelCallStatus, Source, SourceStatus, Step
from research.pipelines.common.report_claim_alignment import surroundings
from research.pipelines.pipeline_in_foreground import ask
from research.runs.start_and_cancel import cancel_run, start_run

# For all sources together: one call may read 100 000 tokens, of three bytes at least.
MAX_CHARACTERS = 240_000
MAX_TOKENS = 8_000
CARRIED = frozenset({VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE})


class BaselineSentence(BaseModel):
    model_config = ConfigDict(extra="ignore")
    text: str
    source: int
    quote: str


class BaselineAnswer(BaseModel):
    model_config = ConfigDict(extra="ignore")
    sentences: list[BaselineSentence]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence with the quote given for it. `source` None: not among the sources."""

    text: str
    quote: str
    source: Source | None


@dataclass(frozen=True, slots=True)
class BaselineSpend:
    """The usage of an answer. `usd` None: a price is unknown."""

    calls: int = 0
    tokens_input: int = 0
    tokens_output: int = 0
    usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """The answer of one system to one question."""

    reported: ReportContents
    citations: int
    valid: int
    spent: BaselineSpend
    failure: str = ""  # error code, if there is no answer


@dataclass(frozen=True, slots=True)
class Grounding:
    """Figures over all questions; `precision` 0–1, None without a citation."""

    citations: int
    valid: int
    precision: float | None
    calls: int
    tokens_input: int
    tokens_output: int
    usd: float | None
    failures: int


def grounding(outcomes: Sequence[SystemAnswer]) -> Grounding:
    citations, valid = (
        sum(outcome.citations for outcome in outcomes),
        sum(outcome.valid for outcome in outcomes),
    )
    prices = [outcome.spent.usd for outcome in outcomes]
    return Grounding(
        citations=citations,
        valid=valid,
        precision=valid / citations if citations else None,
        calls=sum(outcome.spent.calls for outcome in outcomes),
        tokens_input=sum(outcome.spent.tokens_input for outcome in outcomes),
        tokens_output=sum(outcome.spent.tokens_output for outcome in outcomes),
        usd=None if None in prices else sum(price for price in prices if price is not None),
        failures=sum(bool(outcome.failure) for outcome in outcomes),
    )


def is_valid(cited: CitedSentence) -> bool:
    """Return True if the quote is in the source and the words there support the sentence."""
    return _carries(cited, _place(cited))


def _place(cited: CitedSentence) -> Span | None:
    """Return the span of the quote in the source named for it; None if it is not found there."""
    found = anchor(cited.quote, cited.source.text) if cited.source else None
    return found.span if found else None


def _carries(cited: CitedSentence, place: Span | None) -> bool:
    if cited.source is None or place is None:
        return False
    span: Span = surroundings(cited.source.content, place)
    return verify(cited.text, [CitedPassage(span.cut(cited.source.text))]).status in CARRIED


def answer_with_pipeline(
    account: PersonalAccount, folder: str, question: str, engine: str
) -> tuple[SystemAnswer, UUID]:
    """Run a report to its end and return the answer and the run's id."""
    document = ask(account, Kind.REPORT, question, {"folders": [folder], "engine": engine})
    with tenant_context(account.tenant_id):
        sources = {source.pk: source for source in _sources(document.run_id)}
        cited = list(_list_document_citations(document, sources))
        reported = report_of(document, misquoted=count_misquotes(document.run_id))
        spent = sum_run_spending(document.run_id)
    failure = document.status if document.status == "failed" else ""
    return SystemAnswer(reported, len(cited), sum(map(is_valid, cited)), spent, failure), document.run_id


def by_one_call(account: PersonalAccount, question: str, read: UUID) -> SystemAnswer:
    """Answer in one call with the sources of the run `read`. An answer without sentences counts as abstaining."""
    with tenant_context(account.tenant_id):
        sources = _sources(read)
        run = start_run(owner=account.user, kind=Kind.REPORT, topic=question)
        step = Step.objects.get(run=run)
    call = _call(step, question, sources)
    try:
        completion = asyncio.run(complete(call))
    except ModelError as error:
        return SystemAnswer(ReportContents(True, ()), 0, 0, BaselineSpend(), error.code.value)
    finally:
        with tenant_context(account.tenant_id):
            cancel_run(run.pk)
    answer = completion.parsed or BaselineAnswer(sentences=[])
    cited = [_build_baseline_citation(sentence, sources) for sentence in answer.sentences]
    places = [_place(cited_sentence) for cited_sentence in cited]
    valid = sum(map(_carries, cited, places))
    return SystemAnswer(_build_report(cited, places), len(cited), valid, _to_spending(completion.usage))


def _call(step: Step, question: str, sources: Sequence[Source]) -> Call[BaselineAnswer]:
    room = MAX_CHARACTERS // max(1, len(sources))
    values = {
        "question": question,
        "sources": [
            {"number": number, "title": str(source), "text": SourceText(source.text[:room])}
            for number, source in enumerate(sources, start=1)
        ],
    }
    ids = BaselineCaller(step.tenant_id, step.run_id, step.pk, step.key, step.fence)
    prompt = render("writer/baseline", values, fence_for(ids, "baseline")).prompt
    return Call(ids, AgentRole.ORCHESTRATOR, prompt, BaselineAnswer, "baseline", MAX_TOKENS)


@dataclass(frozen=True, slots=True)
class BaselineCaller:
    """The run and step on whose behalf the model is called."""

    tenant_id: UUID
    run_id: UUID
    step_id: UUID
    key: str
    fence: int


def _sources(run_id: UUID) -> list[Source]:
    rows = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).select_related("content")
    return list(rows.order_by("created_at", "id"))


def _list_document_citations(document: Document, sources: dict[UUID, Source]) -> Iterator[CitedSentence]:
    for claim in document.claims:
        for citation in claim.citations:
            yield CitedSentence(claim.text, citation.quote, sources.get(citation.source.id))


def _build_baseline_citation(sentence: BaselineSentence, sources: Sequence[Source]) -> CitedSentence:
    is_known = 0 < sentence.source <= len(sources)
    return CitedSentence(sentence.text, sentence.quote, sources[sentence.source - 1] if is_known else None)


def _build_report(cited: Sequence[CitedSentence], places: Sequence[Span | None]) -> ReportContents:
    """Build the report; a quote counts only if it occurs in the source named for it."""
    quotes = tuple(
        (sentence.quote,) if place is not None else () for sentence, place in zip(cited, places, strict=True)
    )
    return ReportContents(insufficient=not cited, quotes=quotes, misquoted=places.count(None))


def sum_run_spending(run_id: UUID) -> BaselineSpend:
    """Return the usage of the run's successful calls. Needs the tenant set."""
    calls = ModelCall.objects.filter(run_id=run_id, status=ModelCallStatus.STORED)
    sums = calls.aggregate(
        calls=Count("pk"), read=Sum("tokens_input"), written=Sum("tokens_output"), usd=Sum("cost_usd")
    )
    is_known = not calls.filter(cost_usd=None).exists()
    usd = float(sums["usd"] or Decimal(0)) if is_known else None
    return BaselineSpend(sums["calls"], sums["read"] or 0, sums["written"] or 0, usd)


def _to_spending(usage: Usage) -> BaselineSpend:
    usd = None if usage.cost_usd is None else float(usage.cost_usd)
    return BaselineSpend(1, usage.tokens_input, usage.tokens_output, usd)
