"""Pagination. A cursor names the last row of a page, so that rows added in the meantime do not shift the pages."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from ninja import Query
from pydantic import BaseModel, Field

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")
BYTES = 16  # of a position: an id, or a number

MAX_A_PAGE = 100
HIGHEST_NUMBER = 2**31 - 1


class Page(BaseModel):
    """The requested page of a list."""

    limit: int = Field(20, ge=1, le=MAX_A_PAGE)
    cursor: str | None = Field(
        None, pattern=r"^[A-Za-z0-9_-]{22}$", description="`next` of the previous page; omit it for the first"
    )

    @property
    def after(self) -> UUID | None:
        """Return the id after which the page begins."""
        return UUID(bytes=_bytes(self.cursor)) if self.cursor else None

    @property
    def after_number(self) -> int:
        """Return the number after which the page begins; 0: with the first row."""
        return min(int.from_bytes(_bytes(self.cursor)), HIGHEST_NUMBER) if self.cursor else 0


Paged = Annotated[Page, Query()]


class ListOf(BaseModel, Generic[Item]):
    """A page of a list, with the cursor of the next page; null on the last."""

    items: Sequence[Item]
    next: str | None


def rows_after(
    rows: QuerySet[Row], page: Page, *, newest_first: bool = False
) -> tuple[list[Row], str | None]:
    """Return a page of rows by id, which is in order of creation, and the cursor of the next page."""
    if page.after is not None:
        rows = rows.filter(pk__lt=page.after) if newest_first else rows.filter(pk__gt=page.after)
    found = list(rows.order_by("-pk" if newest_first else "pk")[: page.limit + 1])
    shown = found[: page.limit]
    return shown, cursor_of(shown[-1].pk) if len(found) > page.limit else None


def cursor_of(position: UUID | int) -> str:
    data = position.bytes if isinstance(position, UUID) else position.to_bytes(BYTES)
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(cursor: str) -> bytes:
    return urlsafe_b64decode(f"{cursor}==")
