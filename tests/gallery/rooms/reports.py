"""The report, its claims, its sources, and the saved copy."""

from django.utils import timezone
from playwright.sync_api import Page, expect

from citations.models import Citation, Recheck, RecheckedCitation, RecheckState
from research.db.tenancy import tenant_context
from research.models import Run, Source, SourceStatus, State
from tests.checked import make_checked_report
from tests.comparison.runs import two_reports
from tests.gallery.answers import make_comparison, make_positions, make_steps, make_timeline
from tests.gallery.scene import Room
from tests.gallery.worlds import long_report
from tests.people import Person
from tests.web.hidden import hide_text
from tests.web.test_page_images import cite_pdf
from tests.worlds import ReportWorld, make_report

room = Room("reports")
SCANNED = "“scan.pdf” contains only images, no text. Run OCR on it, then upload the result."


def report_of(world: ReportWorld) -> str:
    return f"/runs/{world.run.pk}/report/"


def open_first_badge(page: Page) -> None:
    page.locator(".prose .badge").first.click()
    expect(page.locator("#cite mark").first).to_be_visible()


def press_question_mark(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()


@room.scene()
def report_done(person: Person) -> str:
    return report_of(make_report(person))


@room.scene()
def report_of_sixty_claims(person: Person) -> str:
    return report_of(long_report(person))


@room.scene(open_first_badge)
def popover(person: Person) -> str:
    return report_of(make_report(person))


@room.scene()
def with_commentary_and_questions(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        run = Run.objects.get(pk=world.run.pk)
        run.config |= {"commentary": True, "sources_per_claim": 3, "excluded_subjects": ["Air conditioning"]}
        run.result |= {
            "follow_ups": ["What do the sources say about “Backup heat”?", "What has changed recently?"]
        }
        run.save(update_fields=["config", "result"])
    return report_of(world)


@room.scene()
def timeline(person: Person) -> str:
    return make_timeline(person)


@room.scene()
def comparison(person: Person) -> str:
    return make_comparison(person)


@room.scene()
def positions(person: Person) -> str:
    return make_positions(person)


@room.scene()
def steps(person: Person) -> str:
    return make_steps(person)


def open_the_source_beside(page: Page) -> None:
    open_first_badge(page)
    page.locator("#cite a", has_text="View in source").first.click()
    expect(page.locator("#source-pane mark, main mark").first).to_be_visible()


@room.scene(open_the_source_beside)
def source_pane(person: Person) -> str:
    return report_of(make_report(person))


@room.scene(press_question_mark)
def keys(person: Person) -> str:
    return report_of(make_report(person))


@room.scene()
def partial(person: Person) -> str:
    world = make_report(person, state=State.SYNTHESIZING)
    with tenant_context(person.tenant.pk):
        world.run.sections.filter(index=2).update(body={})
    return report_of(world)


@room.scene()
def report_failed(person: Person) -> str:
    return report_of(make_report(person, state=State.FAILED))


@room.scene()
def insufficient(person: Person) -> str:
    world = make_report(person)
    result = {"insufficient": True, "reasons": ["No document speaks of the cold."], "engine": "extractive"}
    with tenant_context(person.tenant.pk):
        Run.objects.filter(pk=world.run.pk).update(result=result)
    return report_of(world)


def look_again(world: ReportWorld) -> None:
    """The trial was looked at again: a quote of it has changed."""
    done = {"state": RecheckState.DONE, "finished_at": timezone.now()}
    with tenant_context(world.person.tenant.pk):
        recheck = Recheck.objects.create(source=world.trial, **done)
        for citation in Citation.objects.filter(source=world.trial):
            is_changed = citation == world.citations[2]
            RecheckedCitation.objects.create(
                recheck=recheck, citation=citation, outcome="changed" if is_changed else "still there",
                similarity=0.9, now="Backup heaters ran for ninety hours." if is_changed else "",
            )  # fmt: skip


def open_second_badge(page: Page) -> None:
    page.locator(".prose .badge").nth(1).click()
    expect(page.locator("#cite mark").first).to_be_visible()


@room.scene(open_second_badge)
def popover_of_a_source_that_changed(person: Person) -> str:
    world = make_report(person)
    look_again(world)
    return report_of(world)


@room.scene(open_first_badge)
def popover_of_a_disputed_claim(person: Person) -> str:
    return f"/runs/{make_checked_report(person).run.pk}/report/"


@room.scene()
def report_checked(person: Person) -> str:
    return f"/runs/{make_checked_report(person).run.pk}/report/"


@room.scene()
def changes(person: Person) -> str:
    two = two_reports(person)
    two.change(3, text="Oil fell by 40 percent.")
    two.leave_out(2, "Its source does not support it.")
    return f"/runs/{two.new.run.pk}/changes/"


@room.scene()
def claim(person: Person) -> str:
    return f"/runs/{make_report(person).run.pk}/claims/1/"


@room.scene()
def claim_checked(person: Person) -> str:
    return f"/runs/{make_checked_report(person).run.pk}/claims/2/"


@room.scene()
def claim_whose_quote_is_missing(person: Person) -> str:
    world = make_report(person, state=State.VERIFYING)
    with tenant_context(person.tenant.pk):
        Citation.objects.filter(claim=world.claims[1]).delete()
    return f"/runs/{world.run.pk}/claims/2/"


@room.scene()
def sources(person: Person) -> str:
    return f"/runs/{make_report(person).run.pk}/sources/?style=apa"


@room.scene()
def sources_none(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        run = Run.objects.create(owner=person.user, topic="Do heat pumps work below −15 °C?")
    return f"/runs/{run.pk}/sources/"


@room.scene()
def sources_of_which_one_hid_words(person: Person) -> str:
    world = make_report(person)
    hide_text(world, world.note)
    return f"/runs/{world.run.pk}/sources/"


@room.scene()
def sources_by_the_hundred(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        Source.objects.bulk_create(
            Source(
                run=world.run, canonical_url=f"https://example.org/{n}", title=f"Page {n}", status="processed"
            )
            for n in range(250)
        )
    return f"/runs/{world.run.pk}/sources/?unused=2"


@room.scene()
def source(person: Person) -> str:
    return f"/sources/{make_report(person).trial.pk}/?claim=2"


@room.scene()
def source_page_image(person: Person) -> str:
    return f"/sources/{cite_pdf(person).pk}/?view=page&claim=1"


@room.scene()
def source_looked_at_again(person: Person) -> str:
    world = make_report(person)
    look_again(world)
    return f"/sources/{world.trial.pk}/"


@room.scene()
def source_not_cited(person: Person) -> str:
    return f"/sources/{make_report(person).note.pk}/"


@room.scene()
def source_failed(person: Person) -> str:
    return f"/sources/{make_report(person).failed.pk}/"


@room.scene()
def source_with_hidden_text(person: Person) -> str:
    world = make_report(person)
    hide_text(world, world.note)
    return f"/sources/{world.note.pk}/"


@room.scene()
def source_that_is_a_scan(person: Person) -> str:
    world = make_report(person)
    failed = {"error_code": "scanned", "error_message": SCANNED}
    with tenant_context(person.tenant.pk):
        Source.objects.filter(pk=world.failed.pk).update(**failed)
    return f"/sources/{world.failed.pk}/"


@room.scene()
def source_waiting_to_be_read(person: Person) -> str:
    world = make_report(person, state=State.READING)
    with tenant_context(person.tenant.pk):
        source = Source.objects.create(
            run=world.run, canonical_url="https://example.org/x", title="A page", status=SourceStatus.FETCHING
        )
    return f"/sources/{source.pk}/"
