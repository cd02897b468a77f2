"""Turn a draft into the digest: sections of judged claims, sources, status, and what was left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from citations.claim_confidence import Conflict
from citations.models import Warning as WarningRow
from citations.models import WarningKind, WarningSeverity
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import JsonObject, StepResult, StepUsage, StepWork
from research.models import Run, Source, SourceStatus
from research.models.schemas import LeftOut, RunOutcome
from research.pipelines.common.write_pipeline_claims import (
    QuotedSpan,
    SectionDraft,
    StatementDraft,
    StatementParagraph,
    WrittenReport,
    write_parts,
)
from research.pipelines.digest.digest_draft import Caution, CautionKind, DigestDraft, DigestSentence
from research.pipelines.digest.digest_post_texts import PostText
from research.pipelines.digest.digest_result import Digest, DigestItem, DigestSource
from research.pipelines.digest.gather_digest_discussion import (
    DigestMaterial,
    describe_fetch_error,
    read_material,
)
from research.pipelines.digest.safety import FIELD_WORDS, DangerArea
from research.pipelines.digest.safety.judge_digest_safety import DangerReason
from research.pipelines.digest.write_digest_by_rules import write_digest

AGAINST = "Against that:"
EXPERIENCE = "Experiences differ:"
OUTDATED = "No longer true, according to an answer:"
FEW_POSTS, FEW_COMMENTS = 2, 5
FEW_PEOPLE, ONE_PERSON = "Read it as what a few people say.", "Read it as what one person says."
UNSAFE = "It gives advice on {work}, which is for {who}. The words stand in the saved post."
UNLAWFUL = "Advice to break the law is left out here: it can be punished."
AGAINST_LAW = "It advises to break the law. The words stand in the saved post."
LEGAL_ADVICE = "Ask a lawyer or an advice centre what you may do."
NOBODY = "Nothing to summarize: nobody has replied in this discussion."
OFF_TOPIC = "Nothing to summarize: the comments do not address the question."
UNREPEATABLE = "Nothing that was said in the discussion can be repeated here."
OTHER_DANGERS: Mapping[DangerReason, str] = {
    DangerReason.STEPS: "It gives instructions step by step, which a digest does not repeat.",
    DangerReason.READER: "It addresses the program that reads it instead of the topic.",
    DangerReason.DISGUISED: "Its letters are spaced out, so it cannot be checked.",
}
_LABELS = {
    CautionKind.RISK: "Take care:",
    CautionKind.CONTRADICTION: "People disagree:",
    CautionKind.UNKNOWN: "Open:",
}


def write_by_rules(work: StepWork) -> StepResult:
    material = read_material(work.tenant_id, work.run_id)
    draft = write_digest(material.run.topic, material.posts, material.config.limits.summary_chars)
    return build_digest_result(work, material, draft)


def build_digest_result(
    work: StepWork,
    material: DigestMaterial,
    draft: DigestDraft,
    usage: StepUsage | None = None,
    note: JsonObject | None = None,
) -> StepResult:
    """Return the result of a step that stores a digest, whoever drafted it."""
    with tenant_context(work.tenant_id):
        sources = _sources(work.run_id)
        made = _Maker(material, draft, sources)
        written = write_parts(work.run_id, made.parts, material.run.topic, timezone.now().date())
    digest = made.digest(written)

    def save() -> None:
        written.store(material.run)
        _store(material, draft, digest, written)

    return StepResult(
        {
            "status": digest.status,
            "claims": len(written.kept_results),
            "removed": len(draft.removed),
            **(note or {}),
        },
        save=save,
        usage=usage or StepUsage(),
        activity="Writing the digest",
    )


def _sources(run_id: UUID) -> dict[str, UUID]:
    """Return the ids of the sources by post id."""
    rows = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED)
    return {address.removeprefix("post:"): pk for address, pk in rows.values_list("canonical_url", "pk")}


@dataclass(frozen=True, slots=True)
class _DigestPart:
    """A caution or highlight with its statements, so that refused ones are removed from the stored digest too."""

    kind: str
    statements: tuple[StatementDraft, ...]
    people: int = 1
    is_outdated: bool = False
    is_experience: bool = False


class _Maker:
    """Makes statements from a draft, and the digest from the statements kept."""

    def __init__(self, material: DigestMaterial, draft: DigestDraft, sources: Mapping[str, UUID]) -> None:
        self._found, self._draft, self._posts = material, draft, {pk: name for name, pk in sources.items()}
        self._sources = sources
        self.summary = [
            _DigestPart("", (self._statement(sentence),), sentence.people) for sentence in draft.summary
        ]
        self.highlights = [
            _DigestPart("", (self._statement(sentence),), sentence.people) for sentence in draft.highlights
        ]
        self.cautions = [self._caution(caution) for caution in draft.cautions]
        self._answers = [
            part for part, caution in zip(self.cautions, draft.cautions, strict=True) if caution.is_answer
        ]

    def _statement(self, item: DigestSentence, *, is_disputed: bool = False) -> StatementDraft:
        places = tuple(
            QuotedSpan(self._sources[place.post], place.span, similarity=place.similarity)
            for place in item.places
        )
        return StatementDraft(
            item.text, places, conflict=Conflict.PRESENTED_BOTH if is_disputed else Conflict.NONE
        )

    def _caution(self, caution: Caution) -> _DigestPart:
        both = caution.kind is CautionKind.CONTRADICTION and len(caution.items) > 1
        statements = tuple(self._statement(item, is_disputed=both) for item in caution.items)
        return _DigestPart(
            caution.kind.value,
            statements,
            caution.items[-1].people,
            caution.is_outdated,
            caution.is_experience,
        )

    @property
    def parts(self) -> list[SectionDraft]:
        agreed = [part for part in self.summary if part.people > 1]
        summary = tuple(
            statement for part in self.summary if part not in agreed for statement in part.statements
        )
        thin = [thin_words(self._found, self._draft)] if is_thin(self._found) else []
        notes = [StatementParagraph((word,)) for word in safety_words(self._draft)]
        several = [part for part in self.highlights if part.people > 1]
        listed = StatementParagraph(
            tuple(
                statement for part in self.highlights if part not in several for statement in part.statements
            ),
            kind="list",
        )
        cautions = [_write_caution(part) for part in self.cautions if part not in self._answers]
        return [
            SectionDraft(
                "Summary",
                (
                    *map(_write_caution, self._answers),
                    *map(_write_agreed, agreed),
                    *((StatementParagraph(summary),) if summary else ()),
                    *(StatementParagraph((sentence,)) for sentence in thin),
                ),
            ),
            *_sections(
                "Highlights", (*map(_write_agreed, several), *((listed,) if listed.sentences else ()))
            ),
            *_sections("Cautions", (*cautions, *notes)),
        ]

    def digest(self, written: WrittenReport) -> Digest:
        """Return the digest as it is stored, with only the statements kept and the sources used."""
        kept = {result.statement.text: result for result in written.kept_results}

        def items(parts: Iterable[_DigestPart]) -> list[DigestItem]:
            return [item for part in parts for item in self._items(part, kept)]

        summary, highlights, cautions = items(self.summary), items(self.highlights), items(self.cautions)
        used = dict.fromkeys(
            name for digest_item in (*summary, *highlights, *cautions) for name in digest_item.posts
        )
        refused = len(written.refused_statements)
        return Digest(
            status=self._status(refused),
            query=self._found.run.topic,
            plan_id=self._found.config.plan_id,
            prompt_version=self._draft.version,
            summary=" ".join(
                [*_answer_sides(self._draft, written), *(digest_item.text for digest_item in summary)]
            ),
            summary_items=summary,
            highlights=highlights,
            cautions=cautions,
            sources=list(self._list_used_sources(used)),
            keywords=list(dict.fromkeys(word for post in self._found.posts for word in post.chosen.keywords)),
            thin=is_thin(self._found),
            unsafe=len(self._draft.removed),
            safety=safety_words(self._draft),
            notes=[
                *(describe_fetch_error(error) for error in self._found.config.fetched_errors),
                *self._draft.unfounded,
            ],
        )

    def _status(self, refused: int) -> str:
        is_partial = refused or self._draft.unfounded or self._found.config.fetched_errors
        return "partial" if is_partial else "ok"

    def _items(self, part: _DigestPart, kept: Mapping[str, object]) -> Iterator[DigestItem]:
        stands = [statement for statement in part.statements if statement.text in kept]
        if stands:
            said = stands[-1]  # the second side, which answers the first
            names = dict.fromkeys(self._posts[place.source] for stand in stands for place in stand.places)
            against = stands[0].text if len(stands) > 1 else ""
            yield DigestItem(
                kind=part.kind, text=said.text, posts=list(names), against=against, people=part.people
            )

    def _list_used_sources(self, used: Iterable[str]) -> Iterator[DigestSource]:
        posts = {post_text.post.id: post_text.post for post_text in self._found.posts}
        for name in used:
            post = posts[name]
            yield DigestSource(post_id=post.id, url=post.url, subreddit=post.forum, title=post.title)


def _sections(heading: str, paragraphs: tuple[StatementParagraph, ...]) -> list[SectionDraft]:
    """Return the section, or none if it has nothing to say."""
    return [SectionDraft(heading, paragraphs)] if paragraphs else []


def _beside(statements: Sequence[StatementDraft]) -> Iterator[StatementDraft | str]:
    for place, statement in enumerate(statements):
        if place:
            yield AGAINST
        yield statement


def _write_caution(part: _DigestPart) -> StatementParagraph:
    label = (
        OUTDATED
        if part.is_outdated
        else EXPERIENCE
        if part.is_experience
        else _LABELS[CautionKind(part.kind)]
    )
    return StatementParagraph((label, *_beside(part.statements)))


def _write_agreed(part: _DigestPart) -> StatementParagraph:
    return StatementParagraph((f"Said by {part.people} people:", *part.statements))


def why_nothing_is_told(material: DigestMaterial, draft: DigestDraft) -> str:
    if draft.removed:
        return UNREPEATABLE
    return OFF_TOPIC if any(post.post.comments for post in material.posts) else NOBODY


def is_thin(material: DigestMaterial) -> bool:
    comments = sum(len(post.post.comments) for post in material.posts)
    return len(material.posts) < FEW_POSTS or comments < FEW_COMMENTS


def thin_words(material: DigestMaterial, draft: DigestDraft) -> str:
    posts, comments = len(material.posts), sum(len(post.post.comments) for post in material.posts)
    read = ONE_PERSON if count_speakers(material.posts, draft) == 1 else FEW_PEOPLE
    return (
        f"This is thin evidence: {posts} {'post' if posts == 1 else 'posts'} with {comments}"
        f" {'comment' if comments == 1 else 'comments'}. {read}"
    )


def count_speakers(posts: Iterable[PostText], draft: DigestDraft) -> int:
    """Return how many texts, comments or opening posts, the sentences of the digest are taken from."""
    cautioned = (item for caution in draft.cautions for item in caution.items)
    places = [place for item in (*draft.summary, *draft.highlights, *cautioned) for place in item.places]
    return len(
        {
            (said.post, said.comment)
            for post in posts
            for said in post.utterances
            for place in places
            if place.post == said.post
            and place.span.start < said.span.end
            and said.span.start < place.span.end
        }
    )


def safety_words(draft: DigestDraft) -> list[str]:
    """Return a sentence for each dangerous field from which something was left out."""
    fields = dict.fromkeys(sentence.danger.field for sentence in draft.removed if sentence.danger.field)
    return [
        UNLAWFUL
        if field is DangerArea.LAW
        else f"Instructions about {FIELD_WORDS[field][0]} are left out here: ask {FIELD_WORDS[field][1]}."
        for field in fields
    ]


def _store(material: DigestMaterial, draft: DigestDraft, digest: Digest, written: WrittenReport) -> None:
    """Store the digest, inside the step's transaction."""
    run = Run.objects.get(pk=material.run.pk)
    outcome = RunOutcome.model_validate(run.result)
    outcome.own = digest.model_dump(mode="json")
    outcome.summary = [*_answer_sides(draft, written), *(item.text for item in digest.summary_items[:3])]
    # Dangerous words are not repeated anywhere: only their location is stored.
    unsafe = Counter(
        (sentence.where, _reason(sentence.danger.why, sentence.danger.field)) for sentence in draft.removed
    )
    outcome.left_out = [
        *(
            LeftOut(text=f"{count} × {where}" if count > 1 else where, reason=reason)
            for (where, reason), count in unsafe.items()
        ),
        *(LeftOut(text=statement.text, reason=reason) for statement, reason in written.refused_statements),
        *(
            LeftOut(text=fault, reason="The model named a source that does not say so.")
            for fault in draft.unfounded
        ),
    ]
    if not written.kept_results:
        outcome.insufficient = True
        outcome.reasons = [
            why_nothing_is_told(material, draft),
            *safety_words(draft),
        ]
        outcome.own["status"] = "error"
    Run.objects.filter(pk=run.pk).update(result=outcome.model_dump(mode="json"))
    WarningRow.objects.filter(run=run).delete()
    WarningRow.objects.bulk_create(_warnings(run, material, draft))


def _answer_sides(draft: DigestDraft, written: WrittenReport) -> list[str]:
    """Return the sides of the disagreement that is the answer, below its label."""
    kept = {result.statement.text for result in written.kept_results}
    answer = next((caution for caution in draft.cautions if caution.is_answer), None)
    sides = [item.text for item in answer.items] if answer else []
    if answer is None or not kept.issuperset(sides):
        return []
    label = EXPERIENCE if answer.is_experience else _LABELS[CautionKind.CONTRADICTION]
    return [label, sides[0], AGAINST, *sides[1:]]


def _reason(why: DangerReason, field: object) -> str:
    if field is DangerArea.LAW:
        return AGAINST_LAW
    if why is DangerReason.INSTRUCTION and field in FIELD_WORDS:
        work, who = FIELD_WORDS[field]  # type: ignore[index]  # looked up a line above
        return UNSAFE.format(work=work, who=who)
    return OTHER_DANGERS[why]


def _warnings(run: Run, material: DigestMaterial, draft: DigestDraft) -> Iterator[WarningRow]:
    if is_thin(material):
        yield WarningRow(
            run=run,
            code="W030",
            kind=WarningKind.GAP,
            severity=WarningSeverity.MEDIUM,
            text=thin_words(material, draft),
            advice="Look for more discussions, or for a source that is not a forum.",
        )
    for words in safety_words(draft):
        yield WarningRow(
            run=run,
            code="W031",
            kind=WarningKind.QUALITY,
            severity=WarningSeverity.HIGH,
            text=words,
            advice=LEGAL_ADVICE if words == UNLAWFUL else "Leave such work to qualified professionals.",
        )
    for error in material.config.fetched_errors:
        yield WarningRow(
            run=run,
            code="W032",
            kind=WarningKind.GAP,
            severity=WarningSeverity.MEDIUM,
            text=describe_fetch_error(error),
            advice="Fetch the discussion again later.",
        )
