"""The pages of decks: start, look, change, take along; each act a new version, nothing typed is lost."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from exports.files.export_file_state import ExportState
from research.db.tenancy import tenant_context
from research.models import Role, State
from slides.decks.deck_pictures import store_picture
from slides.decks.deck_versions import newest
from slides.decks.request_deck import request_file
from slides.decks.write_deck_file import make_deck_file
from slides.models import Deck, DeckCode, DeckFile, DeckVersion, DrawnPicture, Mode
from tests.decks.test_pictures import picture
from tests.people import join
from tests.web.decks import DeckWorld, make_deck_world, make_waiting_deck
from tests.worlds import make_report


@pytest.fixture
def deck_world(ada) -> DeckWorld:
    return make_deck_world(ada)


def change(client: Client, made: DeckWorld, act: str, slide: int = 1, **given: object):
    sent = {"act": act, "slide": slide, "version": made.now.number, **given}
    return client.post(f"{made.address}change/", sent)


def words_of(client: Client, made: DeckWorld, slide: int) -> dict[str, str]:
    """Return what the form of the slide's words would send."""
    form = client.get(f"{made.address}?slide={slide}").context["form"]
    return {field.name: field.value() or "" for field in form}


# --- start


def test_a_deck_is_asked_for_and_shows_that_it_is_made(client, world):
    page = f"/runs/{world.run.pk}/decks/"
    sent = {"theme": "geneva", "length": "short", "outline": "rules"}
    response = client.post(page, sent, follow=True)
    assert "Waiting for its turn" in response.text
    with tenant_context(world.person.tenant.pk):
        deck = Deck.objects.get()
    assert (deck.state, deck.theme["id"], deck.length) == ("waiting", "geneva", "short")
    assert f"/decks/{deck.pk}/" in client.get(page).text


def test_a_theme_that_is_not_there_is_refused_in_words(client, world):
    response = client.post(f"/runs/{world.run.pk}/decks/", {"theme": "no", "length": "short"})
    assert response.status_code == 422
    assert "error-summary" in response.text


def test_without_a_model_none_is_offered(client, world):
    assert "By the model" not in client.get(f"/runs/{world.run.pk}/decks/").text


def test_a_run_without_a_report_says_so(ada, client):
    world = make_report(ada, state=State.READING)
    assert "still being written" in client.get(f"/runs/{world.run.pk}/decks/").text


def test_the_page_that_waits_goes_on_by_itself(ada, client):
    made = make_waiting_deck(ada)
    asked = {"headers": {"HX-Request": "true"}}
    assert "HX-Refresh" not in client.get(f"{made.address}state/", **asked)
    made = make_deck_world(ada)
    assert client.get(f"{made.address}state/", **asked)["HX-Refresh"] == "true"


def test_what_failed_says_why_and_is_tried_again(ada, client):
    made = make_waiting_deck(ada)
    with tenant_context(ada.tenant.pk):
        Deck.objects.update(state=ExportState.FAILED, error_code=DeckCode.NOTHING_TO_SHOW)
    assert "nothing that a slide could show" in client.get(made.address).text
    client.post(f"{made.address}again/")
    with tenant_context(ada.tenant.pk):
        assert Deck.objects.get().state == ExportState.WAITING


# --- look


def test_a_slide_is_shown_with_what_stands_behind_it(client, deck_world):
    number = deck_world.slide_with("Backup heaters ran")
    page = client.get(f"{deck_world.address}?slide={number}").text
    assert "Backup heaters ran for forty hours" in page
    assert f"/runs/{deck_world.report.run.pk}/claims/" in page
    assert f"/decks/{deck_world.deck.pk}/slides/{number}/?version=1" in page


@pytest.mark.parametrize("wanted", ["0", "-1", "999", "x", "9" * 9])
def test_a_slide_that_is_not_there_is_the_nearest(client, deck_world, wanted):
    assert client.get(f"{deck_world.address}?slide={wanted}").status_code == 200


def test_a_version_that_is_not_there_is_not_found(client, deck_world):
    assert client.get(f"{deck_world.address}?version=7").status_code == 404


def test_fonts_that_do_not_come_along_are_told(client, deck_world):
    assert 'id="fonts"' not in client.get(deck_world.address).text
    change(client, deck_world, "theme", theme="swiss-classic")
    assert "Helvetica Neue is not included in the files" in client.get(deck_world.address).text


# --- change


def test_words_are_saved_as_a_new_version_with_their_claim(client, deck_world):
    number = deck_world.slide_with("Backup heaters ran")
    sent = words_of(client, deck_world, number)
    field = next(name for name, value in sent.items() if "Backup heaters ran" in value)
    before = deck_world.now.value.slides[number - 1].passages
    change(client, deck_world, "words", number, **sent | {field: "Heaters ran for 40 h.", "notes": "Say so."})
    slide = deck_world.now.value.slides[number - 1]
    (edited,) = (passage for passage in slide.passages if passage.text == "Heaters ran for 40 h.")
    assert edited.claim in {one.claim for one in before}
    assert edited.sources
    assert (slide.notes, deck_world.now.number) == ("Say so.", 2)
    page = client.get(f"{deck_world.address}?slide={number}").text
    assert "edited" in page
    assert "The claim itself:" in page


def test_saving_what_was_not_changed_makes_no_version(client, deck_world):
    change(client, deck_world, "words", 2, **words_of(client, deck_world, 2))
    assert deck_world.now.number == 1


def test_a_slide_without_title_is_refused_and_keeps_what_was_typed(client, deck_world):
    sent = words_of(client, deck_world, 2) | {"title": " ", "notes": "Typed for an hour."}
    response = change(client, deck_world, "words", 2, **sent)
    assert response.status_code == 422
    assert "Give the slide a title" in response.text
    assert "Typed for an hour." in response.text
    assert deck_world.now.number == 1


def test_what_was_typed_on_an_old_version_is_kept_and_not_saved(client, deck_world):
    sent = words_of(client, deck_world, 2) | {"notes": "Typed for an hour."}
    change(client, deck_world, "down", 1)
    response = client.post(f"{deck_world.address}change/", {"act": "words", "slide": 2, "version": 1, **sent})
    assert response.status_code == 409
    assert "changed in the meantime" in response.text
    assert "Typed for an hour." in response.text
    assert deck_world.now.number == 2


@pytest.mark.parametrize("text", ["\x00", "x" * 301])
def test_a_title_that_cannot_be_stored_is_refused(client, deck_world, text):
    assert (
        change(
            client, deck_world, "words", 2, **words_of(client, deck_world, 2) | {"title": text}
        ).status_code
        == 422
    )


def test_slides_are_moved_added_and_deleted(client, deck_world):
    titles = [slide.title for slide in deck_world.now.value.slides]
    assert change(client, deck_world, "down", 2)["Location"].endswith("?slide=3#slide")
    change(client, deck_world, "add", 1, layout="bullets")
    change(client, deck_world, "delete", 1)
    now = [slide.title for slide in deck_world.now.value.slides]
    assert now == ["New slide", titles[2], titles[1], *titles[3:]]
    assert deck_world.now.number == 4


def test_the_last_slide_is_not_deleted(client, deck_world):
    for _ in range(deck_world.now.slide_count - 1):
        change(client, deck_world, "delete", 1)
    page = client.post(
        f"{deck_world.address}change/",
        {"act": "delete", "slide": 1, "version": deck_world.now.number},
        follow=True,
    )
    assert "at least one slide" in page.text


def test_a_claim_is_added_and_a_layout_that_loses_words_is_refused(client, deck_world):
    change(client, deck_world, "add", 1, layout="bullets")
    for claim in (1, 2):
        change(client, deck_world, "claim", 2, claim=claim)
    assert [passage.claim for passage in deck_world.now.value.slides[1].passages] == [1, 2]
    refused = client.post(
        f"{deck_world.address}change/",
        {"act": "layout", "layout": "quote", "slide": 2, "version": deck_world.now.number},
        follow=True,
    )
    assert "one sentence" in refused.text
    change(client, deck_world, "layout", 2, layout="split")
    assert deck_world.now.value.slides[1].layout == "split"


def test_a_claim_that_the_report_does_not_have_is_refused(client, deck_world):
    assert (
        "Choose a claim"
        in client.post(
            f"{deck_world.address}change/",
            {"act": "claim", "claim": 99, "slide": 2, "version": 1},
            follow=True,
        ).text
    )


def test_another_theme_and_an_earlier_version(client, deck_world):
    change(client, deck_world, "theme", theme="alps")
    assert deck_world.now.theme_value.id == "alps"
    change(client, deck_world, "restore", restored=1)
    assert (deck_world.now.number, deck_world.now.theme_value.id) == (3, "zurich")
    page = client.get(f"{deck_world.address}?version=2").text
    assert "You are looking at version 2" in page
    assert "another theme" in page


@pytest.mark.parametrize(
    "sent", [{"act": "explode"}, {"act": "layout", "layout": "x"}, {"act": "chart", "chart": "x"}]
)
def test_acts_that_there_are_not_are_not_found(client, deck_world, sent):
    assert change(client, deck_world, **sent).status_code == 404


def test_a_slide_over_budget_shows_a_proposal_that_can_be_accepted(client, deck_world):
    change(client, deck_world, "add", 1, layout="bullets")
    sent = words_of(client, deck_world, 2)
    long = (
        "This bullet is one of several that together are far too much for a single slide to hold at all. " * 2
    )
    for _ in range(3):
        sent = words_of(client, deck_world, 2)
        change(
            client,
            deck_world,
            "words",
            2,
            **sent | {max(name for name in sent if name.startswith("text-")): long},
        )
    page = client.get(f"{deck_world.address}?slide=2").text
    assert "holds more than it can show" in page
    before = deck_world.now.slide_count
    change(client, deck_world, "split", 2)
    assert deck_world.now.slide_count > before


# --- take along


def test_a_file_is_made_once_and_downloaded(client, deck_world, ada):
    for _ in range(2):
        client.post(f"{deck_world.address}files/make/", {"mode": "pptx"})
    with tenant_context(ada.tenant.pk):
        file = DeckFile.objects.get()
    assert "Waiting for its turn" in client.get(deck_world.address).text
    make_deck_file(ada.tenant.pk, file.pk)
    response = client.get(f"{deck_world.address}files/{file.pk}/")
    assert response.content.startswith(b"PK")
    assert "attachment" in response["Content-Disposition"]
    assert "do-heat-pumps-work-below-15-c-slides-v1.pptx" in response["Content-Disposition"]


def test_of_a_new_version_the_old_file_is_told_apart(client, deck_world, ada):
    with tenant_context(ada.tenant.pk):
        file = request_file(newest(deck_world.deck), Mode.PPTX, ada.user, wakes_worker=False)
    make_deck_file(ada.tenant.pk, file.pk)
    change(client, deck_world, "down", 1)
    assert "of version 1" in client.get(deck_world.address).text


def test_a_mode_that_there_is_not_is_not_found(client, deck_world):
    assert client.post(f"{deck_world.address}files/make/", {"mode": "exe"}).status_code == 404


# --- who


PAGES = ("", "state/", "slides/1/", "slides/1/?small", "picture/", "files/")
ACTS = ("change/", "files/make/", "again/", "delete/")


def test_a_deck_is_its_tenants_alone(stranger, deck_world):
    for page in PAGES:
        address = f"{deck_world.address}{page}"
        assert stranger.get(address, headers={"HX-Request": "true"}).status_code == 404, page
        assert Client().get(address).status_code == 302, page
    for act in ACTS:
        sent = {"act": "delete", "slide": 1, "version": 1, "mode": "pptx"}
        assert stranger.post(f"{deck_world.address}{act}", sent).status_code == 404, act
    assert deck_world.now.number == 1


def test_a_viewer_reads_and_changes_nothing(ada, deck_world):
    viewer = join("vera", role=Role.VIEWER, tenant=ada.tenant).sign_in()
    assert "Save the slide" not in viewer.get(deck_world.address).text
    for act in ("change/", "again/", "delete/"):
        assert viewer.post(f"{deck_world.address}{act}", {"act": "delete"}).status_code == 403
    assert viewer.post(f"/runs/{deck_world.report.run.pk}/decks/", {}).status_code == 403
    assert viewer.post(f"{deck_world.address}files/make/", {"mode": "pptx"}).status_code == 403


def test_a_deck_is_deleted_with_its_versions(client, deck_world, ada):
    assert (
        client.post(f"{deck_world.address}delete/")["Location"] == f"/runs/{deck_world.report.run.pk}/decks/"
    )
    with tenant_context(ada.tenant.pk):
        assert (Deck.objects.count(), DeckVersion.objects.count()) == (0, 0)


# --- pictures


def test_a_picture_is_put_on_a_slide_and_taken_away(client, deck_world):
    change(client, deck_world, "add", 1, layout="image")
    file = SimpleUploadedFile("view.png", picture())
    change(client, deck_world, "picture", 2, picture=file, alt="A pump in the snow")
    image = deck_world.now.value.slides[1].image
    assert (image.alt, image.media_type, image.is_generated) == ("A pump in the snow", "image/png", False)
    change(client, deck_world, "unpicture", 2)
    assert deck_world.now.value.slides[1].image is None


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"alt": "Nothing"}, "Choose a picture"),
        ({"picture": SimpleUploadedFile("a.png", picture())}, "Say in one or two sentences"),
        ({"picture": SimpleUploadedFile("a.png", b"<svg/>"), "alt": "A"}, "not a PNG"),
    ],
)
def test_a_picture_without_words_or_that_is_none_is_refused(client, deck_world, sent, words):
    change(client, deck_world, "add", 1, layout="image")
    given = {"act": "picture", "slide": 2, "version": 2, **sent}
    assert words in client.post(f"{deck_world.address}change/", given, follow=True).text
    assert deck_world.now.number == 2


def make_drawn_picture(made: DeckWorld, **columns: object) -> DrawnPicture:
    """Return a drawn picture as the worker leaves it: not put anywhere."""
    with tenant_context(made.deck.tenant_id):
        row = store_picture(picture(), made.deck.asked_by, prompt="A pump", is_generated=True)
        DrawnPicture.objects.update(**{"state": ExportState.READY, "picture": row} | columns)
        return DrawnPicture.objects.get()


def test_without_a_model_for_pictures_none_is_offered(client, deck_world):
    change(client, deck_world, "add", 1, layout="image")
    assert "drawn by a model" not in client.get(f"{deck_world.address}?slide=2").text
    assert "No model for pictures" in change(client, deck_world, "draw", 2, seen="A pump").text


def test_a_picture_is_asked_for_on_a_slide_of_its_own(client, deck_world, settings):
    settings.PLUMBLINE_IMAGE_MODEL = "painter"
    title = deck_world.now.value.slides[1].title
    assert change(client, deck_world, "draw", 2, seen="A pump")["Location"].endswith("?slide=3#slide")
    slide = deck_world.now.value.slides[2]
    assert (slide.title, slide.layout, deck_world.now.number) == (title, "image", 2)
    with tenant_context(deck_world.deck.tenant_id):
        row = DrawnPicture.objects.get()
        assert (row.slide, row.words, row.version.number) == (3, "A pump", 2)
    asked = {"headers": {"HX-Request": "true"}}
    assert "every 2s" in client.get(f"{deck_world.address}picture/", **asked).text
    make_drawn_picture(deck_world, is_placed=True)
    assert "See its slide" in client.get(f"{deck_world.address}picture/", **asked).text


def test_a_wish_that_is_refused_keeps_its_words_and_adds_no_slide(client, deck_world, settings):
    settings.PLUMBLINE_IMAGE_MODEL = "painter"
    change(client, deck_world, "add", 1, layout="image")
    change(client, deck_world, "draw", 2, seen="A pump")
    response = change(client, deck_world, "draw", 2, seen="Another pump, typed with care")
    assert response.status_code == 422
    assert "is being drawn" in response.text
    assert "Another pump, typed with care" in response.text
    assert deck_world.now.number == 2


def test_a_picture_that_found_no_place_is_put_on_a_slide(client, deck_world, settings):
    settings.PLUMBLINE_IMAGE_MODEL = "painter"
    change(client, deck_world, "add", 1, layout="image")
    change(client, deck_world, "draw", 2, seen="A pump")
    row = make_drawn_picture(deck_world)
    assert "while the deck was changed" in client.get(f"{deck_world.address}?slide=2").text
    change(client, deck_world, "drawn", 2, drawn=row.pk)
    image = deck_world.now.value.slides[1].image
    assert (image.alt, image.is_generated) == ("A pump", True)
    assert "while the deck was changed" not in client.get(f"{deck_world.address}?slide=2").text


@pytest.mark.parametrize("wanted", ["", "x", "00000000-0000-0000-0000-000000000000"])
def test_a_drawn_picture_that_is_not_there_is_refused(client, deck_world, wanted):
    change(client, deck_world, "add", 1, layout="image")
    sent = {"act": "drawn", "slide": 2, "version": 2, "drawn": wanted}
    assert "no longer exists" in client.post(f"{deck_world.address}change/", sent, follow=True).text


# --- the frame


def test_a_slide_is_framed_in_a_world_of_its_own(client, deck_world):
    response = client.get(f"{deck_world.address}slides/1/")
    policy = response["Content-Security-Policy"]
    assert (response["X-Frame-Options"], response["Content-Type"]) == (
        "SAMEORIGIN",
        "text/html; charset=utf-8",
    )
    assert policy.startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'self'" in policy
    assert "script-src" not in policy
    assert "Do heat pumps work" in response.text


def test_what_a_person_types_is_text_on_the_slide(client, deck_world):
    change(
        client,
        deck_world,
        "words",
        2,
        **words_of(client, deck_world, 2) | {"title": "<script>alert(1)</script>"},
    )
    assert "<script>alert" not in client.get(f"{deck_world.address}slides/2/").text
    assert "<script>alert" not in client.get(f"{deck_world.address}?slide=2").text


def test_a_slide_that_is_not_there_cannot_be_framed(client, deck_world):
    assert client.get(f"{deck_world.address}slides/0/").status_code == 404
    assert client.get(f"{deck_world.address}slides/999/").status_code == 404
