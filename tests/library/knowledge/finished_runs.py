"""Finished runs, each with claims that stand on sentences of sources of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from citations.models import Claim, Section
from research.db.tenancy import tenant_context
from research.library.knowledge.build_knowledge_graph import build_run
from research.models import ClaimLink, Run, Source, SourceStatus, State
from tests.people import Person
from tests.worlds import add_content, cite


@dataclass(frozen=True)
class Said:
    """A sentence of a source, which a run states as its claim."""

    text: str
    published: str = ""
    publisher: str = ""
    domain: str = ""
    title: str = ""
    path: str = ""
    columns: dict[str, object] = field(default_factory=dict)


def make_finished_run(
    person: Person, question: str, said: Sequence[Said | str], *, build: bool = True
) -> Run:
    """A report whose claims are these sentences, in the graph unless `build` is false."""
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(
            owner=person.user, topic=question, report_version=1, started_at=timezone.now()
        )
        section = Section.objects.create(run=run, index=1, heading="Answer", status="cited")
        for number, each in enumerate(said, start=1):
            add_claim(run, section, number, each if isinstance(each, Said) else Said(each))
        run.state, run.completed_at, run.duration_seconds = State.COMPLETED, timezone.now(), 3
        run.save()
    if build:
        build_run(person.tenant.pk, run.pk)
    return run


def add_claim(run: Run, section: Section, number: int, said: Said) -> Claim:
    source = add_said_source(run, number, said)
    claim = Claim.objects.create(
        run=run,
        section=section,
        number=number,
        position=number,
        text=said.text,
        confidence=0.8,
        verification_status="verified",
    )
    cite(claim, source, said.text)
    return claim


def add_said_source(run: Run, number: int, said: Said) -> Source:
    text = f"{said.title or said.publisher}. {said.text} Nothing else is said here."
    path = said.path or f"{run.pk}/{number}"
    content = add_content(text, language="en")
    values: dict[str, object] = {
        "content": content,
        "content_hash": content.sha256,
        "canonical_url": f"library:{path}",
        "url": f"https://{said.domain}/{number}" if said.domain else "",
        "domain": said.domain,
        "title": said.title,
        "publisher": said.publisher,
        "published_date": said.published,
        "language": "en",
        "status": SourceStatus.PROCESSED,
    }
    return Source.objects.create(run=run, **values | said.columns)


def links_of(person: Person) -> list[tuple[str, str, str, str]]:
    """Each link's kind, the claims that it joins, and the words in which they differ, in a fixed order."""
    with tenant_context(person.tenant.pk):
        rows = ClaimLink.objects.values_list("kind", "claim__text", "other__text", "mine", "theirs")
        return sorted((kind, a, b, f"{mine}|{theirs}") for kind, a, b, mine, theirs in rows)
