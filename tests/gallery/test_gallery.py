"""The states of every page: no fault that axe can find, in light and dark; nothing hangs over the edge at 320 px
or with text of twice the size; the browser has nothing to complain of.

`make test` looks at a twelfth of them, and at a few pages of the admin, each day others; `make gallery` at all, also in
colours that the reader's system gives to all pages, and keeps pictures (PLUMBLINE_TEST_FULL, PLUMBLINE_SCREENSHOTS).
"""

from collections.abc import Iterator, Sequence

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from tests.gallery.looking import PATIENCE_MS, faults_of, window
from tests.gallery.rooms import (
    account,
    administration,
    asking,
    briefs,
    decks,
    files,
    findings,
    given,
    knowledge,
    library,
    people,
    reports,
    runs,
    signing_in,
    tables,
    workspaces,
)
from tests.gallery.scene import Room, Scene
from tests.often import IS_FULL
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
        briefs,
        files,
        decks,
        library,
        knowledge,
        people,
        signing_in,
        account,
        workspaces,
        administration,
    )
]
EACH = 12  # of so many states one is looked at, unless all are
OF_ADMIN = 4  # lists and forms of the admin are much alike: so many of them, each day others
AT_ONCE = 20  # states in one test, when all are looked at


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
    expect.set_options(timeout=5_000)


def parts_of(room: Room) -> Iterator[tuple[str, Sequence[Scene]]]:
    """Return the parts of a page to look at, by name; in pieces when that is much."""
    if not IS_FULL:
        yield room.name, some_of_admin() if room is administration.room else room.scenes[::EACH]
        return
    for number, begin in enumerate(range(0, len(room.scenes), AT_ONCE), 1):
        yield f"{room.name}-{number}", room.scenes[begin : begin + AT_ONCE]


def some_of_admin() -> Sequence[Scene]:
    scenes, begin = administration.room.scenes, OF_ADMIN * timezone.now().toordinal()
    return [scenes[(begin + n) % len(scenes)] for n in range(OF_ADMIN)]


PARTS = [part for room in ROOMS for part in parts_of(room)]


@pytest.mark.parametrize("scenes", [scenes for _name, scenes in PARTS], ids=[name for name, _scenes in PARTS])
def test_no_state_of_a_page_has_a_fault(browser, live_server, transactional_db, scenes):
    with window(browser) as page:
        faults = [
            f"{scene.name}: {fault}" for scene in scenes for fault in faults_of(scene, page, live_server.url)
        ]
    assert faults == [], "\n".join(faults)


def test_in_six_weeks_each_page_of_the_admin_is_looked_at():
    assert len(administration.room.scenes) <= 42 * OF_ADMIN
