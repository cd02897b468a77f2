"""A report's files in all their states, its links, and what those open."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from exports.export_share_links import make_link
from exports.formats.export_formats import Format
from exports.models import Export, ExportCode, ExportState, ShareLink
from research.db.tenancy import tenant_context
from research.models import State
from tests.gallery.scene import Room
from tests.people import Person
from tests.web.tabled import make_table
from tests.worlds import ReportWorld, make_report

room = Room("files")
LONG = "wärmepumpen-" * 12


def page_of(world: ReportWorld) -> str:
    return f"/runs/{world.run.pk}/export/"


def put(world: ReportWorld, format_: Format, state: ExportState, **columns: object) -> None:
    wish = {"report_version": 1, "evidence_version": "1", "options_hash": f"{format_}{state}"}
    made = {"filename": f"{LONG}v1.{format_}", "finished_at": timezone.now(), "download_count": 3}
    Export.objects.create(run=world.run, format=format_, state=state, **(wish | made | columns))


def ready(world: ReportWorld, format_: Format, **columns: object) -> None:
    ends = timezone.now() + timedelta(days=29)
    there = {"object_key": "k", "sha256": "h", "file_size": 1_234_567, "expires_at": ends}
    put(world, format_, ExportState.READY, **there, **columns)


@room.scene()
def no_files(person: Person) -> str:
    return page_of(make_report(person))


@room.scene()
def in_the_making(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        put(world, Format.CSV, ExportState.WAITING, filename="")
        later = timezone.now() + timedelta(minutes=5)
        put(world, Format.PDF, ExportState.MAKING, taken_until=later, progress=0.4, filename="")
    return page_of(world)


@room.scene()
def ready_old_ended_and_failed(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        ready(world, Format.PDF)
        ready(world, Format.JSON, report_version=0, options_hash="old")
        put(world, Format.DOCX, ExportState.EXPIRED)
        for number, code in enumerate(ExportCode):
            words = {"error_code": code, "error": "A word is missing.", "options_hash": str(number)}
            put(world, Format.XLSX, ExportState.FAILED, filename="", **words)
    return page_of(world)


@room.scene()
def not_yet(person: Person) -> str:
    return page_of(make_report(person, state=State.READING))


def send_nothing(page: Page) -> None:
    for box in page.locator("input[name=formats]:checked").all():
        box.uncheck()
    page.get_by_role("button", name="Make files").click()
    expect(page.locator("#formats-error")).to_be_visible()


@room.scene(send_nothing)
def no_format_chosen(person: Person) -> str:
    return page_of(make_report(person))


def share(page: Page) -> None:
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#link")).to_be_visible()


@room.scene(share)
def links(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        make_link(world.run, person.user, 30, "For the board, which meets in March")
        taken_back, _token = make_link(world.run, person.user, 7)
        ShareLink.objects.filter(pk=taken_back.pk).update(revoked_at=timezone.now())
    return page_of(world)


def share_report(person: Person) -> str:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        _link, token = make_link(world.run, person.user, 30)
    return f"/shared/{token}/"


@room.scene(signed_in=False)
def link_to_report(person: Person) -> str:
    return share_report(person)


def open_first_badge(page: Page) -> None:
    page.locator(".prose .badge").first.click()
    expect(page.locator("#cite mark").first).to_be_visible()


@room.scene(open_first_badge, signed_in=False)
def link_to_popover(person: Person) -> str:
    return share_report(person)


@room.scene(signed_in=False)
def link_to_claim(person: Person) -> str:
    return f"{share_report(person)}claims/1/"


@room.scene(signed_in=False)
def link_to_table(person: Person) -> str:
    world = make_table(person)
    with tenant_context(person.tenant.pk):
        _link, token = make_link(world.run, person.user, 30)
    return f"/shared/{token}/"
