"""The columns of a table: what is asked of every item, and what an answer has to look like."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Self

import pydantic
from pydantic import ConfigDict, StringConstraints, TypeAdapter, model_validator
from pydantic_core import SchemaError

MAX_FIELDS = 30
LISTED = "listed_as"  # the column that says where a source lists the row; it is never looked up
MAX_NAME, MAX_TITLE, MAX_DESCRIPTION_LENGTH = 60, 120, 500  # characters
MAX_FORMAT, MAX_PATTERN = 40, 200
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class FieldType(StrEnum):
    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    FILE = "file"
    DATE = "date"
    URL = "url"


class TableField(pydantic.BaseModel):
    """One column. `many`: each cell holds a list of such values.

    `format` narrows the type: "year", "month" or "day" for dates, "integer" or a unit ("km²", "EUR", "%") for
    numbers, "email" for strings; what is not known to us is told to readers and models, and checked by nobody.
    `pattern` is a regular expression that each value has to match as a whole. It is matched in linear time, and so
    knows no look-around and no references back.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = pydantic.Field(min_length=1, max_length=MAX_NAME)
    type: FieldType = FieldType.STRING
    title: str = pydantic.Field(default="", max_length=MAX_TITLE)  # by the name, where it is not given
    description: str = pydantic.Field(default="", max_length=MAX_DESCRIPTION_LENGTH)
    format: str = pydantic.Field(default="", max_length=MAX_FORMAT)
    pattern: str = pydantic.Field(default="", max_length=MAX_PATTERN)
    many: bool = False

    @model_validator(mode="before")
    @classmethod
    def _set_default_title(cls, given: object) -> object:
        if (
            isinstance(given, dict)
            and isinstance(name := given.get("name"), str)
            and given.get("title", "") == ""
        ):
            return given | {"title": title_of(name)[:MAX_TITLE]}
        return given

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if not _NAME.fullmatch(self.name):
            raise ValueError("a name is of small letters, digits and underscores, and begins with a letter")
        if self.pattern and matcher(self.pattern) is None:
            raise ValueError("the pattern is no regular expression, or needs look-around or references back")
        return self


def title_of(name: str) -> str:
    """
    >>> title_of("area_km2")
    'Area km2'
    """
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def name_of(title: str) -> str:
    """A name in snake_case for a title; "" where it has no letters that such a name can have.

    >>> name_of("Founding year (first)")
    'founding_year_first'
    """
    plain = "".join(_fold_characters(title))
    return re.sub(r"[^a-z0-9]+", "_", plain).lstrip("_0123456789")[:MAX_NAME].rstrip("_")


def _fold_characters(text: str) -> Iterator[str]:
    for character in unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss")):
        if not unicodedata.combining(character):
            yield character


@lru_cache(maxsize=1_024)
def matcher(pattern: str) -> TypeAdapter[str] | None:
    """Return a validator of texts that match a pattern as a whole; None for an invalid pattern.

    pydantic's own engine: Rust's regex, whose time is linear in the text, whatever pattern a person writes.
    """
    try:
        _compile_pattern(pattern)  # alone, too: "a)|(b" becomes one only between the brackets below
        return _compile_pattern(rf"\A(?:{pattern})\z")
    except SchemaError:
        return None


def _compile_pattern(pattern: str) -> TypeAdapter[str]:
    return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])


def complaints(fields: Sequence[TableField]) -> list[str]:
    """Return what is wrong with the columns of a table together, in words; empty for a valid table."""
    found = []
    if not fields:
        found.append("A table needs at least one column.")
    if len(fields) > MAX_FIELDS:
        found.append(f"A table has at most {MAX_FIELDS} columns; here are {len(fields)}.")
    names = [field.name for field in fields]
    twice = sorted({name for name in names if names.count(name) > 1})
    found += [f"Two columns are named “{name}”." for name in twice]
    return found
