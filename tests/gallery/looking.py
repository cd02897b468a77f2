"""Looking at a scene: faults that a program can find, and pictures for people."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.test import Client, override_settings
from playwright.sync_api import Browser, Page, ViewportSize

from research.llm import model_prices
from tests.gallery.axe import COLOURS, violations
from tests.gallery.scene import Scene
from tests.often import IS_FULL
from tests.people import Person, join
from tests.web.browser import complaints_of

PICTURES = os.environ.get("PLUMBLINE_SCREENSHOTS", "")  # folder to keep them in; empty: none are taken
WIDE: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}
EXPECTED = "Failed to load resource"  # a form that is refused, a page that is not there: both are answers
PATIENCE_MS = 30_000
# What hangs over the edge, unless something around it scrolls or cuts it off.
OVER_THE_EDGE = """() => {
  const root = document.documentElement, edge = root.clientWidth;
  if (root.scrollWidth <= edge) return [];
  const held = one => one && one !== root && (getComputedStyle(one).overflowX !== "visible" || held(one.parentElement));
  const out = [...document.body.querySelectorAll("*")].filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && (box.right > edge + 1 || box.left < -1) && !held(one.parentElement);
  });
  return [`${root.scrollWidth} px wide`, ...out.slice(0, 4).map(one => one.outerHTML.slice(0, 90))];
}"""
# Colours of the admin take their time, whatever the settings for motion are.
END_TRANSITIONS = """() => new Promise(requestAnimationFrame).then(() => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
})"""
USUAL_TEXT_PX = 16


@contextmanager
def window(browser: Browser) -> Iterator[Page]:
    """Yield a window for all scenes in turn: a new one would start a process, and load styles and scripts anew."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    try:
        yield page
    finally:
        context.close()


@contextmanager
def show_scene(scene: Scene, page: Page, site: str) -> Iterator[list[str]]:
    """The scene's page, of somebody who has nothing else, after what is done there; what the browser complains of."""
    with override_settings(**scene.given):
        model_prices.forget()
        person = join(scene.name, is_staff=scene.is_staff, is_superuser=scene.is_staff)
        address = scene.make(person)
        if scene.is_signed_in:
            page.context.add_cookies([session_of(person, site)])
        complaints = complaints_of(page)
        try:
            page.goto(site + address)
            if scene.act:
                scene.act(page)
            yield complaints
        finally:
            leave(page)
            model_prices.forget()


def leave(page: Page) -> None:
    """Reset the window to the state of a new one."""
    page.goto("about:blank")
    page.context.clear_cookies()
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light", forced_colors="none")


def session_of(person: Person, site: str) -> dict[str, str]:
    client = Client()
    client.force_login(person.user)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": site}


def faults_of(scene: Scene, page: Page, site: str) -> list[str]:
    """Return the faults of one page: axe's in both schemes, what hangs over the edge, what the browser complains of."""
    with show_scene(scene, page, site) as complaints:
        found = [f"light: {violation}" for violation in violations(page)]
        keep_picture(page, scene, "light")
        page.emulate_media(color_scheme="dark")
        page.evaluate(END_TRANSITIONS)
        found += [f"dark: {violation}" for violation in violations(page, () if IS_FULL else COLOURS)]
        keep_picture(page, scene, "dark")
        if IS_FULL:
            found += find_forced_colour_faults(page, scene)
        found += overflow(page)
        return found + [complaint for complaint in complaints if not complaint.startswith(EXPECTED)]


def find_forced_colour_faults(page: Page, scene: Scene) -> list[str]:
    """Return the faults with the colours that the reader's system gives to all pages."""
    page.emulate_media(forced_colors="active")
    page.evaluate(END_TRANSITIONS)
    found = [f"forced colours: {violation}" for violation in violations(page, COLOURS)]
    keep_picture(page, scene, "forced")
    page.emulate_media(forced_colors="none")
    return found


def overflow(page: Page) -> list[str]:
    """Return what runs over at 320 px, and with text of twice the size."""
    page.set_viewport_size(NARROW)
    narrow = [f"320 px: {one}" for one in page.evaluate(OVER_THE_EDGE)]
    page.set_viewport_size(WIDE)
    set_text_size(page, 2 * USUAL_TEXT_PX)
    large = [f"200 % text: {one}" for one in page.evaluate(OVER_THE_EDGE)]
    set_text_size(page, USUAL_TEXT_PX)
    return narrow + large


def set_text_size(page: Page, pixels: int) -> None:
    """Set the size of text, as a reader does in the browser: what a style sheet says in rem follows it."""
    fonts = {"fontSizes": {"standard": pixels, "fixed": pixels}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", fonts)


def keep_picture(page: Page, scene: Scene, scheme: str) -> None:
    """Keep a picture of the whole page; where something stands open over it, of the window."""
    if not PICTURES:
        return
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)
        name = f"{scene.name}-{scheme}-{size['width']}.png"
        page.screenshot(path=folder / name, full_page=scene.act is None, animations="disabled")
