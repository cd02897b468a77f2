"""The base classes, fields and constraints of all tenant tables."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar
from uuid import UUID

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Now
from pydantic import TypeAdapter, ValidationError
from uuid_utils.compat import uuid7

from research.db.tenancy import current_tenant_id


def new_id() -> UUID:
    """Return a time-ordered UUID (RFC 9562, version 7)."""
    return uuid7()


# One partial HNSW index each: built-in, OpenAI (spec: data-model.md, Chunk).
EMBEDDING_DIMENSIONS = (384, 1536)
# The types that may be assigned to and read from a key: the mypy plugin of django-stubs fills these in.
_SetType = TypeVar("_SetType")
_GetType = TypeVar("_GetType")


class OwningTenant(models.ForeignKey[_SetType, _GetType]):
    """The tenant that a row belongs to; if empty, the tenant of the surrounding `tenant_context` is stored."""

    def pre_save(self, model_instance: models.Model, add: bool) -> object:
        # Not a default: migrations evaluate defaults, and no tenant is set there.
        if getattr(model_instance, self.attname) is None:
            setattr(model_instance, self.attname, current_tenant_id())
        return super().pre_save(model_instance, add)


class TenantModel(models.Model):
    """A row that belongs to one tenant, by default that of the surrounding `tenant_context`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # No index of its own: each table has one on (tenant, id).
    tenant = OwningTenant(
        "research.Tenant", on_delete=models.CASCADE, editable=False, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True


class ChangingModel(TenantModel):
    """A tenant's row that can change after creation."""

    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


class TenantKey(models.ForeignKey[_SetType, _GetType]):
    """Foreign key to another row of the same tenant.

    The database constraint is on (tenant_id, id), so that a row can't point across tenants. Django writes no
    composite foreign keys: `research.db.row_level_security.IsolateTenants` adds them in the migration.
    """

    is_tenant_key = True

    def __init__(self, to: object, on_delete: object = models.CASCADE, **kwargs: object) -> None:
        kwargs["db_constraint"] = False
        super().__init__(to, on_delete, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through


class CheckedJSONField(models.JSONField):
    """JSON that is validated against a pydantic type on write. Raises ValueError if it is invalid."""

    def __init__(self, schema: object = None, **kwargs: object) -> None:
        self.schema = schema
        super().__init__(**kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through

    @cached_property
    def adapter(self) -> TypeAdapter[object]:
        return TypeAdapter(self.schema)  # type: ignore[arg-type]  # any type that pydantic understands

    def get_db_prep_save(self, value: object, connection: BaseDatabaseWrapper) -> object:
        if self.schema is not None and value is not None and not hasattr(value, "resolve_expression"):
            value = self._validate_value(value)
        return super().get_db_prep_save(value, connection)

    def _validate_value(self, value: object) -> object:
        try:
            return self.adapter.dump_python(self.adapter.validate_python(value), mode="json")
        except ValidationError as error:
            raise ValueError(f"{self.model.__name__}.{self.name}: {error}") from error


def one_of(field: str, choices: type[models.TextChoices], *, blank: bool = False) -> models.CheckConstraint:
    """Return a constraint to the values of the enumeration: `choices` alone constrains only forms."""
    values = [*choices.values, ""] if blank else choices.values
    return models.CheckConstraint(
        name=f"%(app_label)s_%(class)s_{field}_known", condition=models.Q(**{f"{field}__in": values})
    )


def between(field: str, low: float, high: float) -> models.CheckConstraint:
    """Return a constraint to [low, high]. NULL, in columns that allow it, means unknown."""
    return models.CheckConstraint(
        name=f"%(app_label)s_%(class)s_{field}_range", condition=models.Q(**{f"{field}__range": (low, high)})
    )


def scores(*fields: str) -> Sequence[models.CheckConstraint]:
    return [between(field, 0, 1) for field in fields]
