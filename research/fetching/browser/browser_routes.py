"""The rules for a page's requests: read-only, no images, no frames, and documents only of its own site.

Each request of the browser is decided here; documents are fetched by our own HTTP client. The proxy checks
each connection again.
"""

from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error, Page, Request, Route, WebSocketRoute

from citations.credibility.source_hosts import host_of
from research.fetching.browser.browser_document import HTML_TYPES, Documents
from research.fetching.fetch_pages import domain_of
from research.fetching.fetched_page_content import FetchedPage, FetchError

MAX_DOCUMENTS = 5  # that a page navigates to while it is open
MAX_REQUESTS = 400
MAX_NOTED = 30  # lines of the log
READING = frozenset({"GET", "HEAD"})
LOADED = frozenset({"script", "stylesheet", "xhr", "fetch"})
# Sent to the browser with each document; it is enforced whatever the page's scripts do.
POLICY = (
    "default-src 'none'; script-src http: https: data: blob: 'unsafe-inline' 'unsafe-eval';"
    " style-src http: https: data: blob: 'unsafe-inline'; connect-src http: https: data: blob:; img-src data:;"
    " frame-src 'none'; worker-src 'none'; object-src 'none'; form-action http: https:; webrtc 'block'"
)


@dataclass(slots=True)
class RequestLog:
    """A log of actions and refusals, for the step; each kind of refusal is listed once."""

    done: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def say(self, sentence: str) -> None:
        if len(self.done) < MAX_NOTED:
            self.done.append(sentence[:300])

    def refuse(self, what: str) -> None:
        if what in self.refused or len(self.refused) < MAX_NOTED:
            self.refused[what] += 1

    @property
    def lines(self) -> list[str]:
        return self.done + [
            f"Refused: {what}" + (f" ({count} times)" if count > 1 else "")
            for what, count in self.refused.items()
        ]


@dataclass(slots=True)
class Routes:
    """The request routing of one page.

    `is_filled_in`: only requests to its own site are allowed. `is_cut`: none is.
    """

    first: FetchedPage
    documents: Documents
    diary: RequestLog
    is_filled_in: bool = False
    is_cut: bool = False
    requests: int = 0
    problem: FetchError | None = None  # why the last document that it navigated to could not be loaded
    held: dict[str, FetchedPage] = field(default_factory=dict)  # fetched documents by URL, not yet shown
    opened: int = 0
    at: str = ""  # URL of the document that the page shows

    async def guard(self, context: BrowserContext, page: Page) -> None:
        self.held[self.first.url] = self.first
        await context.route("**/*", lambda route, request: self._decide(page, route, request))
        await context.route_web_socket("**/*", lambda asked: self._refuse_socket(asked))
        context.on("page", lambda other: self._close_other(page, other))

    def resolve_shown_url(self, now: str) -> str:
        """Return the page's URL after clicks, without a fragment: `now`, as set by its scripts, if on the same site,
        else the URL before.
        """
        place = now.partition("#")[0]
        return place if domain_of(place) == domain_of(self.first.url) else self.at

    async def _close_other(self, page: Page, other: Page) -> None:
        if other is not page:
            self.diary.refuse("another window")
            await other.close()

    async def _refuse_socket(self, asked: WebSocketRoute) -> None:
        self.diary.refuse(f"a WebSocket to {host_of(asked.url)}")
        await asked.close()

    async def _decide(self, page: Page, route: Route, request: Request) -> None:
        try:
            reason = self._refusal(page, request)
            if reason:
                self.diary.refuse(reason)
                await _refuse_request(route, request)
            elif request.resource_type == "document":
                await self._give(route, request.url)
            else:
                await route.continue_()
        except Error:
            pass  # the page has navigated away in the meantime

    def _refusal(self, page: Page, request: Request) -> str:
        self.requests += 1
        place = f"{request.method} {host_of(request.url)}{urlsplit(request.url).path[:100]}"
        if request.method not in READING:
            return f"{place}, which could change something there"
        if self.is_cut:
            return f"{place}, since a value that does not stand on the page was filled in"
        if self.is_filled_in and domain_of(request.url) != domain_of(self.first.url):
            return f"{place}, another site after something was filled in"
        if self.requests > MAX_REQUESTS:
            return f"more than {MAX_REQUESTS} requests"
        if request.resource_type != "document":
            return "" if request.resource_type in LOADED else f"{request.resource_type} that has no text"
        return "" if is_main(page, request) else f"a frame of {host_of(request.url)}"

    async def _give(self, route: Route, url: str) -> None:
        """Load a document through our HTTP client, or refuse it."""
        held = self.held.pop(url, None)
        try:
            page = held or await self._open_document(url)
        except FetchError as error:
            self.problem = error
            self.diary.refuse(f"{host_of(url)}{urlsplit(url).path[:100]}: {error.message}")
            await _refuse_request(route, route.request)
            return
        if page.url != url:
            self.held[page.url] = page
            await route.fulfill(status=302, headers={"location": page.url})
            return
        self.at = page.url
        await route.fulfill(status=200, headers=headers_of(page), body=page.data)

    async def _open_document(self, url: str) -> FetchedPage:
        """Fetch another document of the site. Raises FetchError."""
        if domain_of(url) != domain_of(self.first.url):
            raise FetchError("BLOCKED", "It leads away from the site.")
        if self.opened >= MAX_DOCUMENTS:
            raise FetchError("BLOCKED", f"It leads to more than {MAX_DOCUMENTS} pages.")
        self.opened += 1
        page = await self.documents(url)
        if domain_of(page.url) != domain_of(self.first.url):
            raise FetchError("BLOCKED", "It leads away from the site.")
        if not page.media_type.startswith(HTML_TYPES):
            raise FetchError("BLOCKED", f"It is {page.media_type}, not a page.")
        return page


async def _refuse_request(route: Route, request: Request) -> None:
    """Refuse the request: a document gets status 204, which keeps the current page, other requests are aborted.

    An error on a document would make the browser show its own error page.
    """
    if request.resource_type == "document":
        await route.fulfill(status=204)
    else:
        await route.abort("blockedbyclient")


def is_main(page: Page, request: Request) -> bool:
    """Return True if the page itself navigates, not a frame in it or another window."""
    try:
        return request.frame == page.main_frame
    except Error:
        return False  # of a window that does not exist yet


def headers_of(page: FetchedPage) -> dict[str, str]:
    """Return the response headers for a document.

    The site's other headers do not matter in a clean context.
    """
    try:
        page.data.decode("utf-8")
        kind = f"{page.media_type}; charset=utf-8"
    except UnicodeDecodeError:
        kind = page.media_type
    return {"content-type": kind, "content-security-policy": POLICY, "referrer-policy": "no-referrer"}
