"""Data residency of a workspace: where its data may be (spec: governance.md, Tenants)."""

from collections.abc import Sequence
from uuid import UUID

from research.db.tenancy import tenant_context
from research.models import Tenant


def region_of(tenant_id: UUID) -> str | None:
    """Return the region set in the admin.

    Empty for anywhere, None if the workspace does not exist any more.
    """
    with tenant_context(tenant_id):
        return Tenant.objects.filter(pk=tenant_id).values_list("region", flat=True).first()


def stays_within(tenant_id: UUID, regions: Sequence[str]) -> bool:
    """Return True if a service in these regions may have the workspace's data, or no regions are given."""
    return not regions or region_of(tenant_id) in ("", *regions)
