"""Data residency of a workspace: who and what else may see its data (spec: governance.md, Tenants)."""

from collections.abc import Sequence
from uuid import UUID

from research.db.tenancy import tenant_context
from research.models import Tenant


def region_of(tenant_id: UUID) -> str | None:
    """Return the region that the admin shows; "" for anywhere, None if the workspace is gone."""
    with tenant_context(tenant_id):
        return Tenant.objects.filter(pk=tenant_id).values_list("region", flat=True).first()


def stays_within(tenant_id: UUID, regions: Sequence[str]) -> bool:
    """Return True if something in these regions may have the workspace's data; also if it names no regions."""
    return not regions or region_of(tenant_id) in ("", *regions)
