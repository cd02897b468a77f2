"""Store a written section as rows, whether a model or rules wrote it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from citations.models import Citation, Claim, Section, SectionStatus
from research.models import Run
from research.pipelines.common.exclude_report_claims import leave_out
from research.pipelines.report.report_outline import OutlinedSection
from research.pipelines.report.synthesizing.compose_report_section import ComposedSection, ComposedSentence

LEFT = "The report said more than its source does, and the source's words alone do not support it."


@dataclass(frozen=True, slots=True)
class WrittenSection:
    index: int
    planned: OutlinedSection
    composed: ComposedSection
    left_out: tuple[UUID, ...] = ()  # claims that must leave the section
    target_words: int = 0
    table: Mapping[str, object] | None = None  # the layout of its claims, if in a table

    def store(self, run: Run) -> None:
        """Store the section in the step's transaction. The citations of an earlier version are replaced."""
        version, texts = max(1, run.report_version), self.composed.texts
        # First, since the remaining claims take the numbers of the removed ones.
        leave_out(run.pk, [(claim, LEFT) for claim in Claim.objects.filter(pk__in=self.left_out)])
        section, is_new = Section.objects.update_or_create(
            run=run,
            report_version=version,
            index=self.index,
            defaults={
                "heading": self.planned.heading,
                "level": self.planned.level,
                "status": SectionStatus.WRITTEN,
                "body": self._body(),
                "target_words": self.target_words,
            },
        )
        Citation.objects.filter(claim__in=texts).delete()
        self._place(section, texts)
        done = {"sections_completed": F("sections_completed") + 1} if is_new else {}
        Run.objects.filter(pk=run.pk).update(report_version=version, **done)

    def _body(self) -> dict[str, object]:
        table = self.planned.layout if self.table is None else self.table
        made = body(self.composed, self.planned.kind) if table is None else in_table(self.composed, table)
        if table is None and self.planned.is_prose:
            made["by"] = "model" if self.composed.paragraphs else "rules"
        return {**made, "role": self.planned.role} if self.planned.role else made

    def _place(self, section: Section, texts: Mapping[UUID, str]) -> None:
        """Place the claims in reading order, numbered as the reader counts them."""
        Claim.objects.filter(pk__in=texts).update(number=None)  # numbers are unique within a run
        for position, (claim_id, text) in enumerate(texts.items()):
            number = self.planned.first_number + position
            Claim.objects.filter(pk=claim_id).update(
                section=section, position=position, number=number, text=text
            )  # fmt: skip


def body(composed: ComposedSection, kind: str = "list") -> dict[str, object]:
    """Return the paragraphs as written; then, one by one, the claims that the writer left out: a list, or steps."""
    blocks = [_block("paragraph", paragraph) for paragraph in composed.paragraphs]
    rest = _block(kind if kind == "steps" else "list", composed.added)
    return {"blocks": [*blocks, rest] if composed.added else blocks}


def in_table(composed: ComposedSection, table: Mapping[str, object]) -> dict[str, object]:
    """Return one block: the claims in reading order, and their layout."""
    stated = [sentence for paragraph in composed.paragraphs for sentence in paragraph]
    return {"blocks": [{**_block("table", [*stated, *composed.added]), "layout": table}]}


def _block(kind: str, sentences: Sequence[ComposedSentence]) -> dict[str, object]:
    written = [
        {"claim": str(sentence.claim)} if sentence.claim else {"text": sentence.text}
        for sentence in sentences
    ]
    return {"type": kind, "sentences": written}
