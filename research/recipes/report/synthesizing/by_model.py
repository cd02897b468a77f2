"""Writing a section with a model: from numbered claims only, each sentence checked before it stands in the report."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from citations.models import Citation, Claim, Section, SectionStatus
from research.agents.data_blocks import SourceText
from research.governance.limits import most
from research.lifecycle.recipe import StepResult, StepWork
from research.models import AgentRole, Run
from research.models.schemas import Plan
from research.recipes.report.alignment import surroundings
from research.recipes.report.answers import SectionAnswer
from research.recipes.report.asking import Question, ask, in_thread
from research.recipes.report.evidence import Evidence, read_evidence
from research.recipes.report.leaving_out import leave_out
from research.recipes.report.lengths import share, word_count
from research.recipes.report.outline import OutlinedSection, read_outline
from research.recipes.report.readings import Reading, read_sources
from research.recipes.report.synthesizing.composing import Composed, Sentence, Stated, compose
from research.recipes.report.synthesizing.revising import LEFT, Revised, in_own_words
from research.tenancy import tenant_context
from research.tools.notebook import read_plan

WORDS = 200  # of a section that the plan does not name
MOST_TOKENS = 3_000
NOTHING = SectionAnswer(paragraphs=[])


@dataclass(frozen=True, slots=True)
class PlanItem:
    """As it stands in the run's workspace."""

    text: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What the writer of a section is told. `is_strict`: an earlier version said what the sources do not say."""

    topic: str
    planned: OutlinedSection
    words: int
    most_words: int
    others: tuple[str, ...]
    claims: tuple[Stated, ...]
    plan: tuple[PlanItem, ...]
    version: int
    is_strict: bool
    left_out: tuple[UUID, ...] = ()  # claims that may not stand in it any more

    def question(self) -> Question[SectionAnswer]:
        values = {
            "question": self.topic,
            "heading": self.planned.heading,
            "words": self.words,
            "others": self.others,
            "plan": self.plan,
            "claims": [{"number": one.number, "text": SourceText(one.text)} for one in self.claims],
            "is_strict": self.is_strict,
        }
        return Question(AgentRole.WRITER, "writer/section", values, SectionAnswer, MOST_TOKENS)

    def composed(self, draft: SectionAnswer) -> Composed:
        return compose(draft, self.claims, self.planned.heading, self.most_words)


async def compose_section(work: StepWork) -> StepResult:
    index = int(str(work.input["section"]))
    told = await in_thread(lambda: _told(work, index))
    asked = await ask(work, told.question())
    composed = await asyncio.to_thread(told.composed, asked.answer or NOTHING)
    output = {
        "claims": len(told.claims),
        "unknown": composed.unknown,
        "reworded": composed.reworded,
        "dropped": composed.dropped,
        "added": len(composed.added),
        **asked.note,
    }
    activity = f"Writing “{told.planned.heading}”"[:300]

    def save() -> None:
        store_section(work.run_id, index, told, composed)

    return StepResult(output, save=save, activity=activity, usage=asked.usage)


def store_section(run_id: UUID, index: int, told: Told, composed: Composed) -> None:
    """The section with its claims, in the step's transaction. What an earlier version cited is cited anew."""
    section, is_new = Section.objects.update_or_create(
        run_id=run_id,
        report_version=told.version,
        index=index,
        defaults={
            "heading": told.planned.heading,
            "status": SectionStatus.WRITTEN,
            "body": body(composed),
            "target_words": told.words,
        },
    )
    Citation.objects.filter(claim__in=composed.texts).delete()
    Claim.objects.filter(pk__in=composed.texts).update(number=None)
    for position, (claim_id, text) in enumerate(composed.texts.items()):
        number = told.planned.first_number + position
        Claim.objects.filter(pk=claim_id).update(
            section=section, position=position, number=number, text=text
        )  # fmt: skip
    leave_out(run_id, [(claim, LEFT) for claim in Claim.objects.filter(pk__in=told.left_out)])
    done = {"sections_completed": F("sections_completed") + 1} if is_new else {}
    Run.objects.filter(pk=run_id).update(report_version=told.version, **done)


def body(composed: Composed) -> dict[str, object]:
    """Paragraphs as they were written; then, one by one, the claims that the writer left out."""
    blocks = [_block("paragraph", one) for one in composed.paragraphs]
    return {"blocks": [*blocks, _block("list", composed.added)] if composed.added else blocks}


def _block(kind: str, sentences: Sequence[Sentence]) -> dict[str, object]:
    written = [{"claim": str(one.claim)} if one.claim else {"text": one.text} for one in sentences]
    return {"type": kind, "sentences": written}


def _told(work: StepWork, index: int) -> Told:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        outline = read_outline(run.outline)
        planned = outline[index]
        claims, whole = _placed(planned, run), _words_of(outline)
        evidence = read_evidence(work.run_id)
        items = read_plan(work.run_id)
        readings = read_sources(place.source for claim in claims for place in evidence[claim.pk])
    words = {one.heading: one.target_words for one in Plan.model_validate(run.plan).outline}
    stated = [
        (claim, _stated(number, claim, evidence[claim.pk], readings))
        for number, claim in enumerate(claims, 1)
    ]
    is_strict = run.revision_count > 0
    sound = (
        in_own_words(stated, evidence, readings) if is_strict else Revised(tuple(one for _, one in stated))
    )
    most_words = share(most("words"), word_count(one.text for one in sound.claims), whole)
    return Told(
        topic=run.topic,
        planned=planned,
        words=min(words.get(planned.heading, WORDS), most_words),
        most_words=most_words,
        others=tuple(one.heading for one in outline if one is not planned),
        claims=sound.claims,
        plan=tuple(PlanItem(one.text, one.is_done) for one in items),
        version=max(1, run.report_version),
        is_strict=is_strict,
        left_out=sound.left_out,
    )


def _words_of(outline: Sequence[OutlinedSection]) -> int:
    """Of all claims together. Needs the tenant set."""
    claims = Claim.objects.filter(pk__in=[pk for section in outline for pk in section.claims])
    return word_count(claims.values_list("text", flat=True))


def _placed(planned: OutlinedSection, run: Run) -> list[Claim]:
    """The section's claims in the analysis's order; of an earlier version, those that are still in the report."""
    found = Claim.objects.in_bulk(planned.claims)
    claims = [found[pk] for pk in planned.claims]
    return claims if not run.revision_count else [one for one in claims if one.section_id is not None]


def _stated(
    number: int, claim: Claim, places: Sequence[Evidence], readings: Mapping[str, Reading]
) -> Stated:  # fmt: skip
    windows = tuple(_window(place, readings[str(place.source)]) for place in places)
    return Stated(claim.pk, number, claim.text, windows)


def _window(place: Evidence, reading: Reading) -> str:
    """The quote with its neighbours."""
    return surroundings(reading.source.content, place.span).cut(reading.source.text)
