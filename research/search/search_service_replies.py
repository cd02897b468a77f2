"""Replies of search services: classify the status, and parse the body as JSON, XML or HTML."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from lxml import etree, html
from pydantic import BaseModel, ValidationError

from research.parsing.lenient_json import Json, read_json
from research.runtime.retry_after import parse_retry_after
from research.search.search_protocol import SearchCode, SearchError

Model = TypeVar("Model", bound=BaseModel)
MAX_MARKUP = 2_000_000  # bytes of XML or HTML: usual pages have a fraction of that
_BAD_QUERY = frozenset({400, 406, 414, 422})


@dataclass(frozen=True, slots=True)
class ProviderReply:
    """A reply of a service; `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Json:
        """Return its JSON. Raises SearchError."""
        try:
            return read_json(self.body)
        except ValueError as error:
            raise nonsense() from error

    def parse_as(self, model: type[Model]) -> Model:
        """Return its JSON as this model. Raises SearchError."""
        try:
            return model.model_validate(self.json())
        except ValidationError as error:
            raise nonsense() from error

    def xml(self) -> etree._Element:
        """Return the root of its XML. Raises SearchError, also if it declares entities or a document type."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(self._markup(), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise nonsense() from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise nonsense()
        return root

    def html(self) -> etree._Element:
        """Return its HTML parsed as browsers do, in UTF-8. Raises SearchError."""
        try:
            return html.document_fromstring(self._markup().decode("utf-8", "replace"))
        except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
            raise nonsense() from error

    def _markup(self) -> bytes:
        if len(self.body) > MAX_MARKUP:
            raise nonsense()
        return self.body

    @property
    def pause_s(self) -> float | None:
        """Return the pause in seconds that the service demands; None if it does not."""
        return parse_retry_after(self.headers.get("retry-after", ""), datetime.now(tz=UTC))


def refusal_of(reply: ProviderReply) -> SearchError | None:
    """Return the error that the status means; None for 200."""
    status = reply.status
    if status == 200:
        return None
    if status == 429 or (status == 503 and reply.pause_s is not None):
        return SearchError(
            SearchCode.RATE_LIMITED, f"It received too many requests ({status}).", reply.pause_s
        )
    if status == 408 or status >= 500:
        return SearchError(SearchCode.TIMEOUT, f"It returned an error ({status}).")
    if status in _BAD_QUERY:
        return SearchError(SearchCode.INVALID_QUERY, f"It did not accept the query ({status}).")
    return SearchError(SearchCode.NOT_AVAILABLE, f"It refused the request ({status}).")


def nonsense() -> SearchError:
    return SearchError(SearchCode.NOT_AVAILABLE, "Its answer could not be read.")


def readable(results: Iterable[object], model: type[Model]) -> tuple[list[Model], int]:
    """Return the valid results and the number of invalid ones, which do not affect the others."""
    parsed: list[Model] = []
    odd = 0
    for result in results:
        try:
            parsed.append(model.model_validate(result))
        except ValidationError:
            odd += 1
    return parsed, odd
