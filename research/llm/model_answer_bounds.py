"""Bounds of texts and lists in schemas of answers: requested of the model, which may otherwise never end, and not
enforced. A longer answer is accepted, too.
"""

from typing import Annotated

from pydantic import Field
from pydantic.fields import FieldInfo


def at_most(items: int) -> FieldInfo:
    """Return the annotation of a list that is requested with a bound."""
    bound: FieldInfo = Field(json_schema_extra={"maxItems": items})
    return bound


# By their characters.
Name = Annotated[str, Field(json_schema_extra={"maxLength": 150})]
Sentence = Annotated[str, Field(json_schema_extra={"maxLength": 300})]
Passage = Annotated[str, Field(json_schema_extra={"maxLength": 600})]
