"""A model draws a picture of a slide: budgeted, marked as generated, put where it belongs or offered."""

import pytest

from exports.files.export_file_state import ExportState
from research.db.tenancy import tenant_context
from research.llm.budgets import credits
from research.models import AccountName, Budget, ModelCall
from research.runtime.fault_injection import FaultPoint
from research.storage.object_store import get_object
from slides.deck import Layout
from slides.deck_to_html import slide_html
from slides.decks.deck_versions import change_slides, newest
from slides.decks.draw_slide_picture import draw_picture
from slides.decks.edit_slides import add_slide, move_slide
from slides.decks.request_deck import DeckRefused, request_picture
from slides.models import Change, DeckCode, DeckVersion, DrawnPicture, Picture
from slides.speaker_notes import notes_of
from tests.decks.conftest import ZURICH
from tests.decks.killing import start_kill_server
from tests.fakes.openai_answers import error, picture
from tests.llm.asking import KEY
from tests.llm.conftest import gateway, server  # noqa: F401 - fixtures
from tests.people import join
from tests.web.decks import make_deck_world

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "A heat pump in the snow"


@pytest.fixture
def version(gateway, settings) -> DeckVersion:  # noqa: F811
    """Its second slide is one for a picture."""
    settings.PLUMBLINE_IMAGE_MODEL = "test-painter"
    made = make_deck_world(join("ada"))
    with tenant_context(made.deck.tenant_id):
        return change_slides(
            made.now,
            Change.ADDED,
            lambda slides: add_slide(slides, 1, Layout.IMAGE, "Outside"),
            made.deck.asked_by,
        )


def request_drawing(version: DeckVersion, words: str = WORDS) -> DrawnPicture:
    with tenant_context(version.tenant_id):
        return request_picture(version, 2, words, version.made_by, wakes_worker=False)


def draw_and_reload(row: DrawnPicture) -> DrawnPicture:
    draw_picture(row.tenant_id, row.pk)
    with tenant_context(row.tenant_id):
        return DrawnPicture.objects.select_related("picture").get(pk=row.pk)


def test_a_picture_is_put_on_its_slide_and_says_what_made_it(version, gateway):  # noqa: F811
    row = draw_and_reload(request_drawing(version))
    assert (row.state, row.is_placed, gateway.paid) == (ExportState.READY, True, 1)
    with tenant_context(version.tenant_id):
        now = newest(version.deck)
        slide, value = now.value.slides[1], now.value
        data = get_object(slide.image.key)
        assert (now.change, row.picture.prompt, row.picture.is_generated) == (Change.PICTURED, WORDS, True)
        assert (slide.image.alt, slide.image.is_generated) == (WORDS, True)
        assert ModelCall.objects.get().operation == "picture"
        assert not Budget.objects.filter(closed_at=None).exists()
        assert credits.balance(AccountName.RESERVED) == 0
    page = slide_html(value, slide, ZURICH, {slide.image.key: data})
    assert f'alt="Picture made by a model: {WORDS}"' in page
    assert page.count("Picture made by a model") == 2
    assert f"Picture made by a model: {WORDS}. No source shows it." in notes_of(value, slide)


@pytest.mark.crash
def test_who_is_killed_between_the_answer_and_its_use_pays_once(version, gateway, child_environment):  # noqa: F811
    row = request_drawing(version)
    own = {
        **child_environment,
        "PLUMBLINE_MODEL_BASE_URL": gateway.base_url,
        "PLUMBLINE_MODEL_API_KEY": KEY,
        "PLUMBLINE_IMAGE_MODEL": "test-painter",
        "PLUMBLINE_ALLOW_LOOPBACK": "yes",
    }
    order = ("slides.decks.draw_slide_picture", "draw_picture", str(row.tenant_id), str(row.pk))
    with start_kill_server(own) as killed_at:
        assert killed_at(FaultPoint.STORED_BEFORE_FINISH, *order) == -9
    row = draw_and_reload(row)
    assert (row.state, row.is_placed, row.attempts) == (ExportState.READY, True, 2)
    assert gateway.paid == 1


def test_of_a_deck_that_was_changed_meanwhile_it_is_offered_and_nothing_is_lost(version):
    row = request_drawing(version)
    with tenant_context(version.tenant_id):
        change_slides(version, Change.MOVED, lambda slides: move_slide(slides, 2, 1), version.made_by, 2)
    row = draw_and_reload(row)
    assert (row.state, row.is_placed) == (ExportState.READY, False)
    with tenant_context(version.tenant_id):
        assert all(slide.image is None for slide in newest(version.deck).value.slides)


def test_a_server_that_refuses_leaves_the_deck_and_the_credits(version, gateway):  # noqa: F811
    gateway.script_pictures(error(400, "no", code="content_policy_violation"))
    row = draw_and_reload(request_drawing(version))
    assert (row.state, row.error_code) == (ExportState.FAILED, DeckCode.NOT_DRAWN)
    assert "content filter" in row.error
    with tenant_context(version.tenant_id):
        assert newest(version.deck).number == version.number
        assert credits.balance(AccountName.RESERVED) == 0


def test_what_is_no_picture_is_not_kept(version, gateway):  # noqa: F811
    gateway.script_pictures(picture(b"<svg/>"))
    row = draw_and_reload(request_drawing(version))
    assert (row.error_code, "not a PNG" in row.error) == (DeckCode.NOT_DRAWN, True)
    with tenant_context(version.tenant_id):
        assert not Picture.objects.exists()


def test_no_credits_no_picture(version, gateway):  # noqa: F811
    with tenant_context(version.tenant_id):
        credits.reserve(credits.available(), "elsewhere")
    row = draw_and_reload(request_drawing(version))
    assert ("too few credits" in row.error, gateway.paid) == (True, 0)


def test_one_is_drawn_at_a_time_of_words_that_say_something(version, settings):
    for words in ("", "x" * 501, "\x00"):
        with pytest.raises(DeckRefused, match="Describe the picture"):
            request_drawing(version, words)
    request_drawing(version)
    with pytest.raises(DeckRefused, match="is being drawn"):
        request_drawing(version)
    settings.PLUMBLINE_IMAGE_MODEL = ""
    with pytest.raises(DeckRefused, match="No model"):
        request_drawing(version)
