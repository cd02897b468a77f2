"""A tenant with one run and one source that says one thing."""

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from research.db.tenancy import create_tenant, tenant_context
from research.models import Content, Membership, Run, Source, Tenant

TEXT = "Größe matters. Verifiers SHALL require 8 characters. 😀 It ends here."


@dataclass(frozen=True)
class World:
    tenant: Tenant
    owner: User
    run: Run
    content: Content
    source: Source


@pytest.fixture
def world(db: None) -> World:
    owner = User.objects.create_user("ada")
    tenant = create_tenant("Ada's")
    with tenant_context(tenant.pk):
        Membership.objects.create(user=owner, role="owner")
        run = Run.objects.create(topic="How long must a password be?", owner=owner)
        content = Content.objects.create(
            raw_sha256="r", extractor="test 1", sha256="t", text=TEXT, media_type="text/plain"
        )
        source = Source.objects.create(run=run, content=content, canonical_url="library:a.txt")
    return World(tenant, owner, run, content, source)
