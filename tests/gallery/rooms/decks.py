"""Slides of a report in all their states, and themes while they are edited."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from exports.files.export_file_state import ExportState
from research.db.tenancy import tenant_context
from research.models import State
from slides.deck import Layout, SlidePassage
from slides.decks.deck_pictures import store_picture
from slides.decks.deck_versions import change_slides, change_theme, newest
from slides.decks.edit_slides import SlideWords, add_slide, reword_slide
from slides.models import Change, Deck, DeckCode, DeckFile, DeckTheme, DrawnPicture, Mode
from slides.theming.deck_themes import BUILT_IN
from tests.decks.test_pictures import picture
from tests.gallery.scene import Room
from tests.people import Person
from tests.web.decks import DeckWorld, make_deck_world, make_waiting_deck
from tests.worlds import make_report

room = Room("decks")
LONG = "One of several sentences that together are far more than a single slide can hold for a reader. " * 2


def start_of(made: DeckWorld) -> str:
    return f"/runs/{made.report.run.pk}/decks/"


def put(made: DeckWorld, mode: Mode, state: ExportState, **columns: object) -> None:
    with tenant_context(made.deck.tenant_id):
        DeckFile.objects.create(version=newest(made.deck), mode=mode, state=state, **columns)


@room.scene()
def none_yet(person: Person) -> str:
    return f"/runs/{make_report(person).run.pk}/decks/"


@room.scene()
def report_not_finished(person: Person) -> str:
    return f"/runs/{make_report(person, state=State.READING).run.pk}/decks/"


@room.scene(PLUMBLINE_MODEL_API_KEY="key")
def start_with_a_model_and_a_list(person: Person) -> str:
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        failed = {"state": ExportState.FAILED, "error_code": DeckCode.BROKEN, "theme": made.deck.theme}
        Deck.objects.create(run=made.report.run, report_version=0, title=LONG[:200], **failed)
    return start_of(made)


@room.scene()
def in_preparation(person: Person) -> str:
    made = make_waiting_deck(person)
    with tenant_context(person.tenant.pk):
        later = timezone.now() + timedelta(minutes=3)
        Deck.objects.update(state=ExportState.MAKING, progress=0.4, taken_until=later)
    return made.address


@room.scene()
def deck_failed(person: Person) -> str:
    made = make_waiting_deck(person)
    with tenant_context(person.tenant.pk):
        Deck.objects.update(state=ExportState.FAILED, error_code=DeckCode.NOTHING_TO_SHOW)
    return made.address


@room.scene()
def ready(person: Person) -> str:
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        Deck.objects.update(note="The model named claims that the report does not have: 12.")
    return f"{made.address}?slide=2"


@room.scene()
def over_budget(person: Person) -> str:
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        words = SlideWords("A title", passages=tuple(SlidePassage(LONG, 1, (1,)) for _ in range(4)))
        wide = change_slides(
            newest(made.deck),
            Change.ADDED,
            lambda slides: reword_slide(add_slide(slides, 1, Layout.CONTENT, "A title"), 2, words),
            person.user,
        )
        assert wide.number == 2
    return f"{made.address}?slide=2"


@room.scene()
def picture_slide_and_files(person: Person) -> str:
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        change_slides(
            newest(made.deck),
            Change.ADDED,
            lambda slides: add_slide(slides, 1, Layout.IMAGE, "A picture"),
            person.user,
        )
    ends = timezone.now() + timedelta(days=9)
    there = {
        "object_key": "k",
        "sha256": "h",
        "file_size": 1_234_567,
        "expires_at": ends,
        "filename": "a.pptx",
    }
    put(made, Mode.PPTX, ExportState.READY, **there)
    put(made, Mode.HTML, ExportState.MAKING, taken_until=ends, progress=0.6)
    put(
        made,
        Mode.PNG,
        ExportState.FAILED,
        error_code=DeckCode.NOT_AVAILABLE,
        error="No browser is installed.",
    )
    return f"{made.address}?slide=2"


def picture_asked(person: Person, **columns: object) -> str:
    """A slide for a picture, and one that a model is asked for."""
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        now = change_slides(
            newest(made.deck),
            Change.ADDED,
            lambda slides: add_slide(slides, 1, Layout.IMAGE, "A picture"),
            person.user,
        )
        DrawnPicture.objects.create(version=now, slide=2, words="A heat pump in the snow", **columns)
    return f"{made.address}?slide=2"


@room.scene(PLUMBLINE_IMAGE_MODEL="painter")
def picture_being_drawn(person: Person) -> str:
    return picture_asked(person)


@room.scene(PLUMBLINE_IMAGE_MODEL="painter")
def picture_not_drawn(person: Person) -> str:
    said = "The provider's content filter refused the request. HTTP 400. (LLM_REFUSED)"
    return picture_asked(person, state=ExportState.FAILED, error_code=DeckCode.NOT_DRAWN, error=said)


@room.scene(PLUMBLINE_IMAGE_MODEL="painter")
def picture_offered(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        row = store_picture(picture(size=(300, 200)), person.user, prompt="A pump", is_generated=True)
    return picture_asked(person, state=ExportState.READY, picture=row)


@room.scene()
def earlier_version(person: Person) -> str:
    made = make_deck_world(person)
    with tenant_context(person.tenant.pk):
        change_theme(newest(made.deck), BUILT_IN[3], person.user)
    return f"{made.address}?version=1"


def empty_title(page: Page) -> None:
    page.get_by_label("Title", exact=True).fill("")
    page.get_by_role("button", name="Save the slide").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(empty_title)
def words_refused(person: Person) -> str:
    return f"{make_deck_world(person).address}?slide=2"


@room.scene()
def themes(person: Person) -> str:
    with tenant_context(person.tenant.pk):
        row = DeckTheme(name="Our house, with a name as long as names may be in this field")
        for name in (
            "primary",
            "secondary",
            "accent",
            "background",
            "text",
            "text_light",
            "heading_font",
            "body_font",
        ):
            setattr(row, name, getattr(BUILT_IN[2], name))
        row.save()
    return "/themes/"


@room.scene()
def new_theme(person: Person) -> str:
    return "/themes/new/?from=alps"


def grey(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Grey")
    page.get_by_label("Background").evaluate("input => { input.value = '#777777' }")
    page.get_by_role("button", name="Save theme").click()
    expect(page.locator("#error-summary")).to_be_visible()


@room.scene(grey)
def theme_refused(person: Person) -> str:
    return "/themes/new/?from=zurich"
