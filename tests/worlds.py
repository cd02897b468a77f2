"""A report in the database, small enough to know by heart: two documents, three claims, one quarrel."""

from dataclasses import dataclass
from hashlib import sha256

from django.utils import timezone

from citations.models import Citation, Claim, Contradiction, Section, Warning
from research.db.tenancy import tenant_context
from research.models import (
    AgentRole,
    Content,
    LibraryDocument,
    Run,
    Source,
    SourceStatus,
    State,
    Step,
    StepStatus,
)
from tests.people import Person

TRIAL = (
    "Cold field trial\n\n"
    "Eleven homes were measured over two winters. The seasonal factor stayed above two at nine sites. "
    "Backup heaters ran for forty hours.\n\n"
    "Costs\n\n"
    "• Electricity rose by 12 percent.\n\n"
    "• Oil fell by 30 percent.\n\n"
    "3"
)
STUDY = "Laborstudie\n\nDer Jahresfaktor blieb an neun Standorten über zwei. Öl wurde um 30 Prozent billiger."
NOTE = "A note that nobody cites, with <script>alert(1)</script> & <b>markup</b> in it."


@dataclass(frozen=True)
class ReportWorld:
    person: Person
    run: Run
    trial: Source
    study: Source
    note: Source
    failed: Source
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]


def make_report(person: Person, *, state: str = State.COMPLETED) -> ReportWorld:
    """Everything that a report can show. It is finished last, so that its rows may come in any order."""
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(
            owner=person.user,
            topic="Do heat pumps work below −15 °C?",
            report_version=1,
            sources_found=4,
            sources_processed=3,
            sections_completed=2,
            total_sections=2,
            started_at=timezone.now(),
            plan=_plan(),
            result=_result(),
        )
        trial = add_source(
            run, "trial.txt", TRIAL, title="Cold field trial", author="A. Miller", published="2024-03"
        )
        study = add_source(run, "studie.txt", STUDY, title="Laborstudie", language="de", publisher="Prüfamt")
        note = add_source(run, "note.txt", NOTE, title="A <b>note</b>")
        failed = Source.objects.create(
            run=run,
            canonical_url="library:broken.pdf",
            title="broken.pdf",
            status=SourceStatus.FAILED,
            error_code="truncated",
            error_message="The file ends too early.",
        )
        claims, citations = _write(run, trial, study)
        _say_what_is_weak(run, claims)
        Step.objects.create(
            run=run,
            step_index=0,
            key="1.planning/plan",
            handler="report.plan",
            agent_role=AgentRole.PLANNER,
            status=StepStatus.COMPLETED,
            started_at=timezone.now(),
            duration_ms=40,
            input={"topic": run.topic},
            output={"facets": 2},
        )
        finish(run, state)
    return ReportWorld(person, run, trial, study, note, failed, claims, citations)


def stock_library(person: Person) -> LibraryDocument:
    """One document that is ready: without any, the form asks nothing."""
    with tenant_context(person.tenant.pk):
        return LibraryDocument.objects.create(folder="uploads", path="stock.txt", status="ready")


def finish(run: Run, state: str) -> None:
    run.state = state
    if state == State.FAILED:
        run.failure_code, run.failure_message = "no_sources", "No source could be read."
    if state == State.COMPLETED:
        run.completed_at, run.duration_seconds, run.cost_usd = timezone.now(), 7.3, 0
    run.save()


def add_content(text: str, **columns: object) -> Content:
    digest = sha256(text.encode()).hexdigest()
    defaults = {"sha256": digest, "text": text, "media_type": "text/plain", "blocks": blocks_of(text)}
    values = defaults | {"word_count": len(text.split())} | columns
    return Content.objects.get_or_create(raw_sha256=digest, extractor="test 1", defaults=values)[0]


def add_source(run: Run, path: str, text: str, *, title: str, published: str = "", **columns: str) -> Source:
    language, domain = columns.pop("language", "en"), columns.pop("domain", "example.org")
    return Source.objects.create(
        run=run,
        content=add_content(text, language=language),
        canonical_url=f"library:{path}",
        url=f"https://{domain}/{path}",
        domain=domain,
        title=title,
        language=language,
        published_date=published,
        status=SourceStatus.PROCESSED,
        tier=2,
        **columns,
    )


def blocks_of(text: str) -> list[dict[str, object]]:
    """Paragraphs between blank lines; short ones are headings, bullets list items, numbers outside."""
    blocks: list[dict[str, object]] = []
    start = 0
    for part in text.split("\n\n"):
        kind = "list" if part.startswith("•") else "heading" if len(part) < 20 else "paragraph"
        if not part.isdigit():
            level = 1 if kind != "paragraph" else None
            blocks.append({"start": start, "end": start + len(part), "kind": kind, "level": level})
        start += len(part) + 2
    return blocks


def cite(claim: Claim, source: Source, quote: str, **columns: object) -> Citation:
    """A citation of the first place where the source says it."""
    start = source.text.index(quote)
    values = {"match_type": "exact", "confidence": 0.82, "confidence_factors": _factors()} | columns
    return Citation.objects.create(
        claim=claim, source=source, quote=quote, start_offset=start, end_offset=start + len(quote), **values
    )


def _write(run: Run, trial: Source, study: Source) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    first = Section.objects.create(run=run, index=1, heading="Field trials", status="cited")
    second = Section.objects.create(run=run, index=2, heading="Costs", status="cited")
    texts = (
        "The seasonal factor stayed above two at nine sites.",
        "Backup heaters ran for forty hours.",
        "Oil fell by 30 percent.",
    )
    strengths = (("strong", 3), ("limited", 1), ("moderate", 2))
    claims = tuple(
        Claim.objects.create(
            run=run,
            section=first if number < 3 else second,
            number=number,
            position=number,
            text=text,
            strength=strength,
            origins=origins,
            confidence=0.82,
            verification_status="verified",
        )
        for number, (text, (strength, origins)) in enumerate(zip(texts, strengths, strict=True), start=1)
    )
    citations = (
        cite(claims[0], trial, texts[0]),
        cite(claims[0], study, "Der Jahresfaktor blieb an neun Standorten über zwei.", citation_index=1),
        cite(claims[1], trial, texts[1]),
        cite(claims[2], trial, texts[2]),
    )
    first.body = {"blocks": [_paragraph(claims[0], "And the heaters?", claims[1])]}
    second.body = {"blocks": [_paragraph(claims[2], kind="list")]}
    first.save()
    second.save()
    return claims, citations


def _paragraph(*parts: Claim | str, kind: str = "paragraph") -> dict[str, object]:
    sentences = [{"text": part} if isinstance(part, str) else {"claim": str(part.pk)} for part in parts]
    return {"type": kind, "sentences": sentences}


def _say_what_is_weak(run: Run, claims: tuple[Claim, ...]) -> None:
    Contradiction.objects.create(
        run=run, claim_a=claims[0], claim_b=claims[1], kind="numeric", note="Measured in different winters."
    )
    Claim.objects.filter(pk=claims[0].pk).update(contradiction_status="presented_both")
    Warning.objects.create(run=run, code="W001", kind="gap", severity="high", text="Nothing on maintenance.")
    Warning.objects.create(
        run=run,
        code="W010",
        kind="diversity",
        severity="low",
        text="One publisher dominates.",
        advice="Add others.",
    )


def _plan() -> dict[str, object]:
    return {
        "goal": "Whether heat pumps work in the cold",
        "subtopics": [{"name": "trials", "queries": ["cold trial"]}],
    }


def _result() -> dict[str, object]:
    return {
        "summary": ["The seasonal factor stayed above two at nine sites."],
        "left_out": [{"text": "Electricity rose by 12 percent.", "reason": "Off the question."}],
        "engine": "extractive",
    }


def _factors() -> dict[str, object]:
    return {
        "text_match": 1.0,
        "context_match": 0.8,
        "source_authority": 0.7,
        "corroboration": 0.6,
        "caps": ["single source 0.69"],
    }
