"""Reading an open page as a person would: let it settle, perform the actions, return what is visible."""

import asyncio
import re
from dataclasses import dataclass

from playwright.async_api import CDPSession, Error, Locator, Page

from research.fetching.browser import browser_page_scripts
from research.fetching.browser.browser_routes import Routes
from research.fetching.response_body import HTML_LIMIT
from research.models.schemas import PageAction, PageControl, RenderingWish

SETTLED_S, LOOK_EVERY_S = 0.6, 0.15  # a page that has not changed for this long has settled
MAX_SCROLLS = 30
PICTURE_MS, PICTURE_QUALITY = 4_000.0, 60
ACTION_MS = 4_000.0  # to find the target and perform the action
MAX_OWN_WORDS = 3  # of a value that is filled in and does not stand on the page
BY_WORDS = "a, button, summary, label, [role=button], [role=tab], [role=link], [onclick]"


KEYS = frozenset(
    "Enter Escape Tab Space Backspace Delete Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight".split()
)


class NoSuchControl(Exception):
    """The action has no valid target or value; str() says why, for the agent."""


class TooLong(Exception):
    """The page in its present state is larger than the limit."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page in the browser.

    `looking` is a session that reads it from an isolated world; `settle_s` is how long it may keep changing
    by itself.
    """

    page: Page
    looking: CDPSession
    routes: Routes
    settle_s: float

    async def read(self, wish: RenderingWish) -> tuple[str, list[PageControl], bytes]:
        """Return the page's HTML, its controls and a picture, after everything in `wish` was done or has failed.

        Raises TooLong, playwright's Error.
        """
        await self._settle()
        if wish.wait_for:
            await self._wait_for(wish.wait_for)
        if wish.scroll:
            await self._scroll()
        for action in wish.actions:
            await self._act(action)
        controls = [
            control for control, _path in await self._controls()
        ]  # before reading the HTML opens closed parts
        picture = await self._take_picture()
        return await self._html(), controls, picture

    async def _take_picture(self) -> bytes:
        """Return a JPEG of what is to be seen now; empty if none can be taken in time."""
        try:
            return await self.page.screenshot(
                type="jpeg", quality=PICTURE_QUALITY, timeout=PICTURE_MS, animations="disabled"
            )
        except Error as error:
            self.routes.diary.say(f"No picture of the page could be taken: {_first_line(error)}")
            return b""

    async def _controls(self) -> list[tuple[PageControl, str]]:
        """Return what can be clicked or filled now, each with its path."""
        found = await self._look(browser_page_scripts.CONTROLS)
        known = []
        for number, entry in enumerate(found if isinstance(found, list) else [], start=1):
            control = PageControl(
                number=number, kind=entry["kind"], name=entry["name"], choices=entry["choices"]
            )
            known.append((control, str(entry["path"])))
        return known

    async def _settle(self) -> None:
        """Wait until there is text and it has not changed for a while, or the time is over."""
        try:
            async with asyncio.timeout(self.settle_s):
                await self._wait_until_unchanged()
        except TimeoutError:
            self.routes.diary.say(f"The page was still changing after {self.settle_s:g} s.")

    async def _wait_until_unchanged(self) -> None:
        last, since = "", 0.0
        while since < SETTLED_S or last.endswith(" 0"):
            await asyncio.sleep(LOOK_EVERY_S)
            now = str(await self._look(browser_page_scripts.STATE))
            since = since + LOOK_EVERY_S if now == last else 0.0
            last = now

    async def _wait_for(self, selector: str) -> None:
        try:
            await self.page.locator(_css(selector)).first.wait_for(
                state="attached", timeout=self.settle_s * 1000
            )
            await self._settle()
        except Error:
            self.routes.diary.say(f"“{selector}” did not appear within {self.settle_s:g} s.")
        else:
            self.routes.diary.say(f"Waited for “{selector}”.")

    async def _scroll(self) -> None:
        """Scroll to the bottom, repeatedly for as long as more is loaded."""
        last, count = "", 0
        while count < MAX_SCROLLS:
            now = str(await self._look(browser_page_scripts.STATE))
            if now == last:
                break
            last, count = now, count + 1
            await self._look(browser_page_scripts.TO_BOTTOM)
            await self._settle()
        self.routes.diary.say(f"Scrolled to the bottom ({count} {'time' if count == 1 else 'times'}).")

    async def _act(self, action: PageAction) -> None:
        """Perform an action; a failure is logged, and the following actions are tried all the same."""
        try:
            await self._do(action)
        except (Error, NoSuchControl) as error:
            self.routes.diary.say(f"Could not {describe_action(action)}: {_first_line(error)}")
        else:
            await self._settle()

    async def _do(self, action: PageAction) -> None:
        match action.do:
            case "scroll":
                await self._scroll()
            case "find":
                await self._find(action.text)
            case "click":
                await (await self._locate_target(action)).click(timeout=ACTION_MS)
                self.routes.diary.say(f"Did {describe_action(action)}.")
            case "fill":
                await self._may_leave(action.text)
                await (await self._locate_target(action)).fill(action.text, timeout=ACTION_MS)
                self.routes.diary.say(f"Did {describe_action(action)}.")
            case "press":
                await self._press(action)
            case "select":
                await self._select(action)

    async def _select(self, action: PageAction) -> None:
        """Choose an option by its label on the page, or by its value."""
        place = await self._locate_target(action)
        labels = [" ".join(label.split()) for label in await place.locator("option").all_text_contents()]
        if action.text in labels:
            await place.select_option(index=labels.index(action.text), timeout=ACTION_MS)
        else:
            await place.select_option(value=action.text, timeout=ACTION_MS)
        self.routes.diary.say(f"Did {describe_action(action)}.")

    async def _press(self, action: PageAction) -> None:
        """Press a key on the target, or on the focused element.

        Letters are refused: only `fill` checks what they say.
        """
        if action.text not in KEYS:
            raise NoSuchControl(f"only these keys are pressed: {', '.join(sorted(KEYS))}")
        if action.number or action.selector:
            await (await self._locate_target(action)).press(action.text, timeout=ACTION_MS)
        else:
            await self.page.keyboard.press(action.text)
        self.routes.diary.say(f"Did {describe_action(action)}.")

    async def _find(self, words: str) -> None:
        text = str(await self._look(browser_page_scripts.WORDS))
        count = len(re.findall(re.escape(words), text, re.IGNORECASE)) if words else 0
        if count:
            await self.page.get_by_text(words).first.scroll_into_view_if_needed(timeout=ACTION_MS)
        self.routes.diary.say(f"Found “{words}” {count} {'time' if count == 1 else 'times'}.")

    async def _may_leave(self, value: str) -> None:
        """Cut the page off from the network if the value is not on it: it could carry information out.

        Raises NoSuchControl for such a value that could pass for a statement of the page, which may show it again.
        """
        self.routes.is_filled_in = True
        if stands_in(value, str(await self._look(browser_page_scripts.SHOWN))):
            return
        if len(value.split()) > MAX_OWN_WORDS or any(map(str.isdecimal, value)):
            raise NoSuchControl(
                f"what does not stand on the page is at most {MAX_OWN_WORDS} words, without figures"
            )
        self.routes.is_cut = True

    async def _locate_target(self, action: PageAction) -> Locator:
        """Return the action's target. Raises NoSuchControl if the page has no control of that number now."""
        if action.number is not None:
            paths = {control.number: path for control, path in await self._controls()}
            if action.number not in paths:
                raise NoSuchControl(f"the page has {len(paths)} controls")
            return self.page.locator(_css(paths[action.number]))
        if action.selector:
            return self.page.locator(_css(action.selector)).first
        named_so = self.page.locator(BY_WORDS).filter(has_text=action.text)
        return named_so.or_(self.page.get_by_text(action.text)).first

    async def _html(self) -> str:
        html = await self._look(browser_page_scripts.HTML % HTML_LIMIT)
        if not isinstance(html, str):
            raise TooLong
        return html

    async def _look(self, script: str) -> object:
        """Evaluate a script in an isolated world, created each time because the document may have changed."""
        tree = await self.looking.send("Page.getFrameTree")
        world = await self.looking.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "reading"}
        )
        asked = {"expression": script, "contextId": world["executionContextId"], "returnByValue": True}
        return (await self.looking.send("Runtime.evaluate", asked))["result"].get("value")


def stands_in(value: str, text: str) -> bool:
    """Return True if the value occurs in the text as whole words, ignoring case and spacing.

    An empty value always does.
    """
    wanted = " ".join(value.split()).casefold()
    shown = " ".join(text.split()).casefold()
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", shown) is not None if wanted else True


def describe_action(action: PageAction) -> str:
    target = f" {action.selector}" if action.selector else f" {action.number}" if action.number else ""
    words = f" “{action.text}”" if action.text else ""
    return f"{action.do}{target}{words}"


def _css(selector: str) -> str:
    return f"css={selector}"


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:120]
