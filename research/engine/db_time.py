"""Points in time by the database's clock, as expressions of the ORM."""

from datetime import timedelta

from django.db.models import DateTimeField, DurationField, ExpressionWrapper, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Now


def seconds_from_now(seconds: float) -> Combinable:
    """Return the time `seconds` after the start of the transaction."""
    delta = Value(timedelta(seconds=seconds), output_field=DurationField())
    return ExpressionWrapper(Now() + delta, output_field=DateTimeField())
