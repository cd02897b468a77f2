"""A report whose source is a page of a site on this machine, which changes afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from citations.models import Recheck, RecheckedCitation
from research.db.tenancy import tenant_context
from research.fetching.fetch_process import close_fetch_process
from research.library.rechecks.recheck_library_sources import look_at_once
from research.library.rechecks.request_library_rechecks import request_recheck
from research.models import Source
from tests.fetching.site import Said, Site, serve_site
from tests.people import join
from tests.worlds import TRIAL, ReportWorld, make_report


def page(text: str) -> Said:
    body = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    return Said(f"<!doctype html><html lang=en><body><article>{body}</article></body></html>")


@dataclass
class CitedPage:
    """Three claims are cited from it."""

    world: ReportWorld
    site: Site

    @property
    def source(self) -> Source:
        return Source.objects.select_related("library_document").get(pk=self.world.trial.pk)

    def ask(self) -> Recheck:
        with tenant_context(self.world.person.tenant.pk):
            return request_recheck(self.source, self.world.person.user)

    def look(self) -> Recheck:
        """Asked for, and done at once."""
        return look_at_once(self.world.person.tenant.pk, self.ask().pk)

    def outcomes(self, recheck: Recheck) -> list[str]:
        with tenant_context(self.world.person.tenant.pk):
            rows = RecheckedCitation.objects.filter(recheck=recheck)
            return list(rows.order_by("citation__start_offset").values_list("outcome", flat=True))

    def says(self, text: str) -> None:
        self.site.pages["/trial"] = page(text)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def page_with_citations(transactional_db: None, settings) -> Iterator[CitedPage]:
    settings.PLUMBLINE_ALLOW_LOOPBACK, settings.PLUMBLINE_POLITENESS_MS = True, 0
    close_fetch_process()
    with serve_site({"/trial": page(TRIAL)}) as site:
        world = make_report(join("ada"))
        with tenant_context(world.person.tenant.pk):
            Source.objects.filter(pk=world.trial.pk).update(url=f"{site.base}/trial", final_url="")
        yield CitedPage(world, site)
    close_fetch_process()


@pytest.fixture(autouse=True)
def broker_messages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Record what is handed to the broker."""
    messages: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **_more: messages.append((name, *args))
    )
    return messages
