"""The tenant's documents."""

from playwright.sync_api import Page, expect

from research.db.tenancy import tenant_context
from research.models import LibraryDocument
from tests.gallery.scene import Room
from tests.people import Person
from tests.worlds import make_report

room = Room("library")
SCANNED = "“scan.pdf” contains only images, no text. Run OCR on it, then upload the result."
FAILURE = {"error_code": "truncated", "error_message": "The file ends too early."}


def fill(person: Person, *, waiting: bool) -> None:
    world = make_report(person)
    with tenant_context(person.tenant.pk):
        add = LibraryDocument.objects.create
        first = add(
            folder="uploads",
            path="trial.txt",
            title="Cold field trial",
            content=world.trial.content,
            status="ready",
        )
        add(folder="uploads", path="copy.txt", status="duplicate", duplicate_of=first)
        add(folder="/home/ada/papers", path="broken.pdf", status="failed", **FAILURE)
        if waiting:
            add(folder="sample", path="x.txt", status="pending")
            add(folder="sample", path="y.txt", status="reading")


@room.scene()
def empty(person: Person) -> str:
    return "/library/"


@room.scene()
def full(person: Person) -> str:
    fill(person, waiting=False)
    return "/library/"


@room.scene()
def documents_in_reading(person: Person) -> str:
    fill(person, waiting=True)
    return "/library/"


@room.scene()
def thousands(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        LibraryDocument.objects.bulk_create(
            LibraryDocument(folder="uploads/Archive", path=f"{number:04}.txt", title=f"Minutes {number}")
            for number in range(2_000)
        )
    return "/library/?page=7"


@room.scene()
def unreadable(person: Person) -> str:
    fill(person, waiting=False)
    return "/library/?status=failed"


@room.scene()
def without_a_match(person: Person) -> str:
    fill(person, waiting=False)
    return "/library/?q=zzz"


def send_nothing(page: Page) -> None:
    page.locator("main form").first.evaluate("form => { form.noValidate = true; form.requestSubmit() }")
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(send_nothing)
def upload_refused(person: Person) -> str:
    return "/library/"


def document_of(person: Person, path: str) -> str:
    fill(person, waiting=True)
    with tenant_context(person.tenant.pk):
        return f"/library/documents/{LibraryDocument.objects.get(path=path).pk}/"


@room.scene()
def document(person: Person) -> str:
    return document_of(person, "trial.txt")


@room.scene()
def document_unreadable(person: Person) -> str:
    return document_of(person, "broken.pdf")


@room.scene()
def document_that_is_a_scan(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        scan = LibraryDocument.objects.create(
            folder="uploads", path="scan.pdf", status="failed", error_code="scanned", error_message=SCANNED
        )
    return f"/library/documents/{scan.pk}/"


@room.scene()
def document_being_read(person: Person) -> str:
    return document_of(person, "y.txt")


def ask_to_delete(page: Page) -> None:
    page.locator("[data-dialog=delete-dialog]").click()
    expect(page.locator("#delete-dialog")).to_be_visible()


@room.scene(ask_to_delete)
def document_to_be_deleted(person: Person) -> str:
    return document_of(person, "trial.txt")
