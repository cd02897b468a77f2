"""The states of every page: no fault that axe can find, in light and dark; nothing hangs over the edge at 320 px
or with text of twice the size; the browser has nothing to complain of.

`make test` looks at a third of them; `make gallery` at all, and keeps pictures (PLUMBLINE_TEST_FULL,
PLUMBLINE_SCREENSHOTS).
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.gallery.looking import IS_FULL, PATIENCE_MS, faults_of
from tests.gallery.rooms import (
    account,
    administration,
    asking,
    decks,
    files,
    findings,
    given,
    library,
    people,
    reports,
    runs,
    tables,
)
from tests.gallery.scene import Room, Scene
from tests.web.browser import chromium

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOMS = [
    one.room
    for one in (
        asking,
        runs,
        tables,
        reports,
        findings,
        given,
        files,
        decks,
        library,
        people,
        account,
        administration,
    )
]
EACH = 3  # of so many states one is looked at, unless all are
SMOKE_OF_ADMIN = 9  # lists and forms of the admin are much alike


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


def chosen(room: Room) -> list[Scene]:
    if IS_FULL:
        return room.scenes
    return room.scenes[:SMOKE_OF_ADMIN:EACH] if room is administration.room else room.scenes[::EACH]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_state_of_a_page_has_a_fault(browser, live_server, transactional_db, room):
    faults = [
        f"{scene.name}: {fault}"
        for scene in chosen(room)
        for fault in faults_of(scene, browser, live_server.url)
    ]
    assert faults == [], "\n".join(faults)
