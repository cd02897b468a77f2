"""Makes what a page lists longer: more of everything that a run and its tenant have."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.utils import timezone

from citations.models import (
    Citation,
    Claim,
    Contradiction,
    DomainRule,
    Recheck,
    RecheckedCitation,
    Section,
    VerificationIssue,
    VerificationReport,
    Warning,
)
from exports.models import Export, ShareLink
from research.accounts.audit.write_audit_trail import Actor, act_as, record
from research.db.tenancy import tenant_context
from research.llm.budgets import credits
from research.models import (
    Act,
    AgentMessage,
    AgentRole,
    Budget,
    Chunk,
    ClaimLink,
    Degradation,
    EntityMention,
    EntryKind,
    Item,
    LibraryChunk,
    LibraryDocument,
    ModelCall,
    Outbox,
    Outcome,
    Reservation,
    Run,
    RunKnowledge,
    Schedule,
    Source,
    SourceStatus,
    Step,
    StepStatus,
    UsageEntry,
    UserSettings,
    Via,
    WebhookEvent,
    WorkspaceEntry,
)
from slides.deck import Layout, Slide
from slides.decks.stored_deck import plain
from slides.models import Deck, DeckFile, DeckTheme, DeckVersion, Picture, RenderedSlide
from slides.theming.deck_themes import BUILT_IN
from tests.worlds import ReportWorld, add_source, cite, make_report


def grow(world: ReportWorld, count: int) -> None:
    """`count` more of all: claims with sources of their own, findings, steps, documents, runs."""
    for _ in range(count):
        more = make_report(world.person)
        with tenant_context(world.person.tenant.pk):
            credits.reserve(Decimal(1), f"run:{more.run.pk}")
    with tenant_context(world.person.tenant.pk):
        section = Section.objects.get(run=world.run, index=2)
        report, _ = VerificationReport.objects.get_or_create(
            run=world.run, report_version=1, defaults={"overall_status": "needs_revision"}
        )
        first = Claim.objects.filter(run=world.run).count() + 1
        for number in range(first, first + count):
            claim = _claim(world.run, section, number)
            Contradiction.objects.create(
                run=world.run, claim_a=world.claims[0], claim_b=claim, kind="numeric"
            )
            VerificationIssue.objects.create(
                report=report, claim=claim, issue_type="outdated", severity="minor", explanation="Old."
            )
            _findings(world, number)
            _files(world, number)
        section.save()


def _claim(run: Run, section: Section, number: int) -> Claim:
    words = f"In year {number} the factor was {number}."
    source = add_source(run, f"{number}.txt", f"Report {number}\n\n{words}", title=f"Report {number}")
    claim = Claim.objects.create(run=run, section=section, number=number, position=number, text=words)
    chunk = Chunk.objects.create(
        run=run,
        source=source,
        chunk_index=0,
        text=words,
        text_hash=f"h{number}",
        start_offset=0,
        end_offset=len(words),
        token_count=8,
    )
    cite(claim, source, words, chunk=chunk)
    section.body["blocks"].append({"type": "paragraph", "sentences": [{"claim": str(claim.pk)}]})
    return claim


def _findings(world: ReportWorld, number: int) -> None:
    run = world.run
    Citation.objects.create(
        claim=world.claims[1],
        source=world.trial,
        quote=world.trial.text[number : number + 9],
        start_offset=number,
        end_offset=number + 9,
        match_type="exact",
        citation_index=number,
    )
    Warning.objects.create(run=run, code=f"W{number:03}", kind="quality", severity="low", text="Thin.")
    Warning.objects.create(run=run, code=f"W{number:03}", kind="gap", severity="low", text="Missing.")
    Source.objects.create(
        run=run,
        canonical_url=f"library:broken-{number}.pdf",
        status=SourceStatus.DUPLICATE,
        duplicate_of=world.trial,
    )
    step = Step.objects.create(
        run=run,
        step_index=number,
        key=f"search.{number}",
        agent_role=AgentRole.RESEARCHER,
        status=StepStatus.COMPLETED,
    )
    AgentMessage.objects.create(
        run=run, step=step, key=f"turn.{number}", trace_id="t", sender="researcher", recipient="tool:search",
        type="task", status="completed",
    )  # fmt: skip
    WorkspaceEntry.objects.create(
        run=run, step=step, key=f"note.{number}", kind=EntryKind.NOTE, position=number,
        role=AgentRole.RESEARCHER, text="Noted.",
    )  # fmt: skip
    document = LibraryDocument.objects.create(
        folder=f"folder {number}", path="a.txt", content=world.trial.content, status="ready"
    )
    LibraryDocument.objects.create(
        folder="copies", path=f"{number}.txt", status="duplicate", duplicate_of=document
    )


def _files(world: ReportWorld, number: int) -> None:
    """One that is there, one that is being made, and a link."""
    when = timezone.now() + timedelta(days=1)
    wish = {"run": world.run, "report_version": 1, "evidence_version": "1", "format": "csv"}
    there = {"state": "ready", "object_key": "k", "sha256": "h", "file_size": 9, "expires_at": when}
    Export.objects.create(**wish, **there, options_hash=f"ready {number}", finished_at=when)
    Export.objects.create(**wish, state="making", taken_until=when, options_hash=f"making {number}")
    ShareLink.objects.create(
        run=world.run, token_hash=f"{world.run.pk}{number}", expires_at=when, made_by=world.person.user
    )
    _decks(world, number)


def _decks(world: ReportWorld, number: int) -> None:
    """A deck with a version, a file, an image and a picture, and a theme."""
    when = timezone.now() + timedelta(days=1)
    theme, person = plain(BUILT_IN[0]), world.person.user
    deck = Deck.objects.create(
        run=world.run, report_version=1, title="Deck", theme=theme, state="ready", outlined_by="rules",
        asked_by=person,
    )  # fmt: skip
    slides = (Slide(1, "One", Layout.TITLE),)
    version = DeckVersion.objects.create(
        deck=deck, number=1, change="made", title="Deck", theme=theme, slides=slides, slide_count=1, made_by=person
    )  # fmt: skip
    DeckFile.objects.create(
        version=version, mode="pptx", state="ready", object_key="k", sha256="h", file_size=9, expires_at=when
    )
    RenderedSlide.objects.create(deck=deck, content_hash="h", object_key="k", sha256="h", file_size=9)
    logo = Picture.objects.create(
        object_key=f"{world.run.pk}{number}", media_type="image/png", width=1, height=1, file_size=9, added_by=person
    )  # fmt: skip
    row = DeckTheme(name=f"{world.run.pk}{number}", logo=logo)
    for name in ("primary", "secondary", "accent", "background", "text", "text_light"):
        setattr(row, name, theme[name])
    row.save()


def fill_admin(world: ReportWorld, number: int) -> None:
    """A row more in the tables that only the admin shows."""
    run, key = world.run, f"k{number}"
    UserSettings.objects.create(user=User.objects.create_user(key), theme="dark")
    record(Act.SIGN_IN, outcome=Outcome.FAILED)
    with tenant_context(world.person.tenant.pk):
        document = LibraryDocument.objects.create(folder="sample", path=f"{key}.txt")
        passage = {"chunk_index": 0, "text": "Words.", "text_hash": "h", "start_offset": 0, "end_offset": 6}
        LibraryChunk.objects.create(document=document, token_count=2, **passage)
        Item.objects.create(run=run, index=number, input="x")
        Outbox.objects.create(run=run, topic="advance", dedupe_key=key)
        claim = Claim.objects.create(run=run, text=key)
        EntityMention.objects.create(run=run, claim=claim, key=key, name=key, folded=key, kind="name")
        ClaimLink.objects.create(claim=world.claims[0], other=claim, kind="agreement")
        RunKnowledge.objects.get_or_create(run=run)
        WebhookEvent.objects.create(provider="p", message_id=key)
        ModelCall.objects.create(
            run=run, step_key=key, request_hash=key, role="writer", model="m", request_body=b"secret"
        )
        Schedule.objects.create(name=f"weekly {key}", kind="report", topic="Again?", cron="0 6 * * 1")
        Degradation.objects.create(run=run, code=f"fewer_sources_{key}", reason="Time ran out.")
        Budget.objects.create(
            run=run, role="researcher", agent_id=key, limit_tokens_input=1, limit_tokens_output=1
        )
        UsageEntry.objects.create(run=run, operation="embed", ref=key)
        credits.grant(Decimal(5), key)
        Reservation.objects.create(run=run, role="writer", ref=key, tokens_input=1, tokens_output=1)
        recheck = Recheck.objects.create(source=world.trial, state="done", finished_at=timezone.now())
        citation = Citation.objects.filter(source=world.trial).first()
        RecheckedCitation.objects.create(recheck=recheck, citation=citation, outcome="gone")
        with act_as(Actor(Via.PAGES, 7, key, "owner", "192.0.2.7")):
            record(Act.RUN_CANCEL, on=run)
        DomainRule.objects.create(domain=f"{key}.example", tier=2, source_type="news")
