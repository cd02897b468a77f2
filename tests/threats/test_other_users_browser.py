"""The threat to another user's browser: a source's text that runs, loads or changes something. Nothing of it does.

In a real browser with the site's own policy switched off, so that escaping stands for itself; then with it. `make test`
opens a part of the popovers and diagrams, and one page with the policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page

from citations.models import Claim, Section
from exports.export_share_links import make_link
from exports.formats.export_formats import WRITERS, Format
from exports.formats.export_options import ExportOptions
from research.db.tenancy import tenant_context
from research.models import Run, Source
from tests.exports.drafting import Draft, prose
from tests.often import IS_FULL
from tests.people import join
from tests.threats.scripts import ADDRESSES, HOST, PAYLOADS
from tests.web.browser import chromium, complaints_of
from tests.web.technical_world import make_technical
from tests.worlds import ReportWorld, add_source, cite, make_report

WATCH = """
window.ran = [];
window.addEventListener('message', event => { window.drawn = event.data; });
window.xss = () => { window.ran.push(document.currentScript ? 'script' : 'handler'); };
"""
# What markup of a payload would leave in a page; ours has none of these with such values.
LEFT = f"""() => [...document.querySelectorAll('*')].filter(element =>
    element.matches('iframe[srcdoc], object, embed, base, marquee, meta[http-equiv=refresh], xmp, math, mglyph') ||
    [...element.attributes].some(one =>
        (/^on|^x-on|^@|^x-data|^x-init/.test(one.name)) ||
        (/^(data-)?hx-/.test(one.name) && one.value.includes('{HOST}')) ||
        (['href', 'src', 'action', 'formaction', 'data', 'srcset', 'xlink:href'].includes(one.name) &&
            /^[\\s\\u0001-\\u0020]*(javascript|vbscript|data:text|ftp|file|ws|intent)/i.test(one.value)))
  ).map(element => element.outerHTML.slice(0, 160))"""
A_TEXT = 12  # payloads that stand in one text


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class Visit:
    """One page, watched while it is opened."""

    def __init__(self, browser: Browser, url: str, client: Client | None, *, is_shielded: bool) -> None:
        context = browser.new_context(bypass_csp=not is_shielded, reduced_motion="reduce")
        context.add_init_script(WATCH)
        if client is not None:
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": url}])
        self.page: Page = context.new_page()
        self.asked: list[str] = []
        self.dialogs: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.complaints = complaints_of(self.page)
        self.page.goto(url)
        self.page.wait_for_load_state("load")
        self.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        self.page.evaluate(
            "document.querySelectorAll('[tabindex], a, input, button').forEach(one => one.focus())"
        )

    def harm(self) -> dict[str, object]:
        """Return what happened that must not; and close the page."""
        found = {
            "ran": self.page.evaluate("window.ran"),
            "dialogs": self.dialogs,
            "asked": [url for url in self.asked if HOST in url],
            "left": self.page.evaluate(LEFT),
        }
        self.page.context.close()
        return {name: value for name, value in found.items() if value}


def in_diagrams() -> list[str]:
    """Mermaid of a source: labels, links, styles and directives that would be markup."""
    labels = [
        payload.replace('"', "#quot;")
        for payload in PAYLOADS
        if "attacker" in payload or "onerror" in payload
    ][:36]
    drawn = [
        "flowchart LR\n" + "\n".join(f'  n{at}["{label}"]' for at, label in enumerate(labels[start : start + A_TEXT]))
        for start in range(0, len(labels), A_TEXT)
    ]  # fmt: skip
    links = "".join(
        f'  click a "{address}"\n' for address in ADDRESSES[:12] if '"' not in address and "\n" not in address
    )
    return [
        *drawn,
        f"flowchart LR\n  a[x]\n{links}",
        "flowchart LR\n  a[x]\n  click a call xss()",
        f"flowchart LR\n  a[x]\n  style a fill:url(//{HOST}/a)\n  classDef b background:url(//{HOST}/b)\n  class a b",
        "%%{init: {'securityLevel': 'loose', 'htmlLabels': true, 'flowchart': {'htmlLabels': true}}}%%\n"
        + f'flowchart LR\n  a["<img src=//{HOST}/f onerror=xss()>"]',
        f"---\nconfig:\n  themeCSS: '*{{background:url(//{HOST}/g)}}'\n---\nflowchart LR\n  a[x]",
        f"%%{{init: {{'themeCSS': '*{{background:url(//{HOST}/c)}}'}}}}%%\nflowchart LR\n  a[x]",
        f"sequenceDiagram\n  A->>B: <img src=//{HOST}/d onerror=xss()>\n  link A: x @ javascript:xss()",
        'classDiagram\n  class A {\n    <script>xss()</script>\n  }\n  click A href "javascript:xss()"',
        f"gantt\n  section <svg onload=xss()>\n  <img src=//{HOST}/e> :a, 2020-01-01, 3d\n"
        + '  click a href "javascript:xss()"',
    ]


def in_texts() -> list[str]:
    return [" ".join(PAYLOADS[start : start + A_TEXT]) for start in range(0, len(PAYLOADS), A_TEXT)]


def plant_payloads(world: ReportWorld) -> dict[str, str]:
    """The pages of a run whose every word is hostile, by what the words stand in."""
    with tenant_context(world.person.tenant.pk):
        source = add_source(world.run, "hostile.txt", "\n\n".join(in_texts()), title=PAYLOADS[0])
        section = Section.objects.create(run=world.run, index=9, heading=PAYLOADS[2], status="cited")
        claims = Claim.objects.bulk_create(
            Claim(
                run=world.run, section=section, number=number, position=number, text=text, strength="limited",
                origins=1, confidence=0.5, verification_status="verified",
            )
            for number, text in enumerate(in_texts(), 100)
        )  # fmt: skip
        for claim in claims:
            cite(claim, source, claim.text)
        Source.objects.bulk_create(
            Source(
                run=world.run, content=source.content, canonical_url=f"library:{number}", title=PAYLOADS[number],
                url=ADDRESSES[number], domain=PAYLOADS[-number][:200], author=PAYLOADS[-number], status="processed",
                tier=2,
            )
            for number in range(1, len(ADDRESSES))
        )  # fmt: skip
        odd = Source.objects.filter(run=world.run, canonical_url="library:1").get()
    return {
        "elements of the report": f"/runs/{world.run.pk}/",
        "list of sources": f"/runs/{world.run.pk}/sources/",
        "frozen text": f"/sources/{source.pk}/",
        "attributes and addresses": f"/sources/{odd.pk}/",
        "popover": f"/runs/{world.run.pk}/claims/100/",
        "cells of the table of evidence": f"/runs/{world.run.pk}/evidence/",
    }


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_hostile_run_runs_loads_or_stays_as_markup(live_server, browser: Browser) -> None:  # type: ignore[no-untyped-def]
    world = make_report(join("ada"))
    pages = plant_payloads(world)
    with tenant_context(world.person.tenant.pk):
        for topic in in_texts()[:15]:
            Run.objects.create(owner=world.person.user, topic=topic, state="completed")
        Run.objects.filter(pk=world.run.pk).update(topic=in_texts()[0])
    client = Client()
    client.force_login(world.person.user)
    pages["titles and the list of runs"] = "/runs/"
    for is_shielded in (False, True):
        harm: dict[str, object] = {}
        for what, path in pages.items() if IS_FULL or not is_shielded else [*pages.items()][:1]:
            visit = Visit(browser, f"{live_server.url}{path}", client, is_shielded=is_shielded)
            assert "attacker" in visit.page.content() or "xss" in visit.page.content(), what
            refused = [complaint for complaint in visit.complaints if "Content Security Policy" in complaint]
            harm |= {what: found} if (found := visit.harm()) else {}
            assert not (is_shielded and refused), what
        assert harm == {}


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_nothing_of_popovers_shared_reports_code_or_diagrams_runs_or_loads(  # type: ignore[no-untyped-def]
    live_server, browser: Browser
) -> None:
    world = make_technical(join("ada"))
    plant_payloads(world)
    diagrams, texts = in_diagrams(), in_texts()
    with tenant_context(world.person.tenant.pk):
        outcome = dict(Run.objects.get(pk=world.run.pk).result or {})
        own = dict(outcome["own"])
        own["examples"] = [
            {**own["examples"][0], "code": text, "language": language, "description": text, "reason": text}
            for text, language in zip(
                texts, cycle(("html", "javascript", "python", "css", "sql", "")), strict=False
            )
        ]
        own["results"] = [{**own["results"][0], "snippet": text, "summary": text} for text in texts]
        own["diagrams"] = [
            {"title": PAYLOADS[0], "code": code, "source": str(world.trial.pk)} for code in diagrams
        ]
        own["follow_ups"] = [{"question": text, "type": "best-practices"} for text in texts[:9]]
        Run.objects.filter(pk=world.run.pk).update(result={**outcome, "own": own})
        _link, token = make_link(world.run, world.person.user, 3)
    client = Client()
    client.force_login(world.person.user)
    run = f"/runs/{world.run.pk}"
    pages = {
        "a shared report": f"/shared/{token}/",
        "code and results": f"{run}/report/",
        **{f"popover {n}": f"{run}/claims/{100 + n}/" for n in range(0, len(texts), 1 if IS_FULL else 5)},
        **{f"diagram {n}": f"{run}/diagrams/{n}/" for n in range(0, len(diagrams), 1 if IS_FULL else 3)},
    }
    harm: dict[str, object] = {}
    for what, path in pages.items():
        visit = Visit(browser, f"{live_server.url}{path}", client, is_shielded=False)
        if what.startswith("diagram"):
            visit.page.wait_for_function("document.readyState === 'complete' && window.drawn !== undefined")
        harm |= {what: found} if (found := visit.harm()) else {}
    assert harm == {}


@pytest.mark.browser
def test_nothing_of_a_file_that_holds_it_runs_or_loads(browser: Browser, tmp_path: Path) -> None:
    draft = Draft("scripts")
    for number, text in enumerate(in_texts()):
        source = draft.source(text, url=ADDRESSES[number % len(ADDRESSES)])
        draft.section(text, prose(draft.claim(text, source, quote=text)))
    document = draft.document(PAYLOADS[0], summary=PAYLOADS[:40])
    path = tmp_path / "report.html"
    path.write_bytes(WRITERS[Format.HTML].write(document, ExportOptions(), lambda _share: None))
    visit = Visit(browser, path.as_uri(), None, is_shielded=False)
    assert visit.harm() == {}


def test_the_list_is_as_long_as_the_threat_model_asks() -> None:
    assert len(set(PAYLOADS)) + len(set(ADDRESSES)) >= 500
