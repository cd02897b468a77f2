"""Technical questions over pages in the shape of real documentation: the fact in the answer, things side by side."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from exports.building.build_document_tables import NOTHING_SAID
from research.accounts.people import PersonalAccount
from research.db.tenancy import tenant_context
from research.engine import pipeline_registry
from research.library.import_library_folder import import_folder
from research.models import Kind, Run
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.technical.answer.technical_answer import read_answer
from research.pipelines.technical.answer.technical_answer_text import format_answer
from research.pipelines.technical.answer.technical_answer_tree import TechnicalAnswer, answer_of
from research.pipelines.technical.technical_research_request import ResearchResponse, to_response

PAGES = {
    "https://docs.djangoproject.com/en/5.2/releases/5.2/": (
        "Django 5.2 release notes",
        "<p>These release notes cover the new features.</p><h2>Python compatibility</h2>"
        "<p>Django 5.2 supports Python 3.10, 3.11, 3.12, and 3.13. We highly recommend, and only officially support,"
        " the latest release of each series.</p>",
    ),
    "https://docs.djangoproject.com/en/4.2/releases/4.2/": (
        "Django 4.2 release notes",
        "<h2>Python compatibility</h2><p>Django 4.2 supports Python 3.8, 3.9, 3.10, 3.11, and 3.12.</p>",
    ),
    "https://blog.example.net/upgrade": (
        "Upgrading to Django 5.2",
        "<p>Thanks to everyone who read drafts of this post on Django 5.2 and Python.</p>"
        "<p>Figure 3-1 illustrates the order in which we upgraded Python and Django 5.2.</p>",
    ),
    "https://zustand.docs.pmnd.rs/getting-started/comparison": (
        "Comparison - Zustand",
        "<p>Zustand is one of many state management libraries for React.</p><h2>Redux</h2><p>Redux requires your app to"
        " be wrapped in context providers; Zustand does not.</p>",
    ),
    "https://github.com/pmndrs/zustand": (
        "pmndrs/zustand",
        "<p>Zustand has a minified size of about 1.2 kB.</p><p>Zustand doesn't wrap your app in context providers.</p>",
    ),
    "https://redux.js.org/introduction/getting-started": (
        "Getting Started with Redux",
        "<p>Redux is a JS library for predictable and maintainable global state management.</p><p>Redux itself is tiny"
        " (2kB, including dependencies).</p><p>Redux has a large ecosystem of middleware and add-ons.</p>",
    ),
    "https://react.dev/reference/react/useEffect": (
        "useEffect",
        "<p>Return a cleanup function to clear a timer before the effect runs again.</p>",
    ),
    "https://usehooks.com/usedebounce": (
        "useDebounce",
        "<p>The useDebounce hook delays an update of the state until the input has not changed for a while.</p>"
        "<p>The hook keeps the debounced value of the input in state:</p><pre><code>"
        'import { useEffect, useState } from "react";\n\n'
        "export function useDebounce&lt;T&gt;(value: T, delay: number): T {\n"
        "  const [debounced, setDebounced] = useState&lt;T&gt;(value);\n  useEffect(() =&gt; {\n"
        "    const timer = setTimeout(() =&gt; setDebounced(value), delay);\n    return () =&gt; clearTimeout(timer);\n"
        "  }, [value, delay]);\n  return debounced;\n}</code></pre>",
    ),
    "https://restic.readthedocs.io/en/stable/060_forget.html": (
        "Removing snapshots — restic documentation",
        "<p>All space is finite, so restic allows removing old snapshots.</p><p>It is advisable to run restic check "
        "after pruning, to be alerted if the repository is damaged.</p><p>You should keep a copy of the repository of "
        "restic at a second place.</p>",
    ),
    "https://v6.vite.dev/guide/migration": (
        "Migration from v5 | Vite",
        "<p>Vite 6 supports Node.js 18, 20, and 22+, similar to Vite 5.</p><p>The default value has changed.</p>",
    ),
    "https://vite.dev/blog/announcing-vite5": (
        "Vite 5.0 is out!",
        "<p>Vite no longer supports Node.js 14 / 16 / 17 / 19, which reached its EOL.</p>",
    ),
    "https://example.dev/python-timers": (
        "Timers in Python",
        "<p>A timer in Python can debounce an input:</p><pre><code>import threading\n\n"
        "timer = threading.Timer(0.5, callback)\ntimer.start()</code></pre>",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def real_recipe() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        known = {kind: one for kind, one in pipeline_registry._recipes.items() if kind != Kind.TECHNICAL}
        patch.setattr(pipeline_registry, "_recipes", known)
        yield


@pytest.fixture(scope="module")
def answer(
    account: PersonalAccount, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., TechnicalAnswer]:
    folder = tmp_path_factory.mktemp("pages")
    lay_out(folder)
    library = import_folder(account.tenant_id, folder).folder

    def act(question: str, **config: object) -> TechnicalAnswer:
        document = ask(account, Kind.TECHNICAL, question, {"folders": [library], **config})
        with tenant_context(account.tenant_id):
            return answer_of(document, read_answer(Run.objects.get(pk=document.run_id).outcome))

    return act


def lay_out(folder: Path) -> None:
    rows = [["file", "title", "url", "author", "published", "licence"]]
    for number, (url, (title, body)) in enumerate(PAGES.items()):
        page = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
        rows.append([f"{number}.html", title, url, "", "2025-03-01", "CC0-1.0"])
    with (folder / "manifest.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def list_statements(answer: TechnicalAnswer) -> list[str]:
    stated = (answer.key_findings, answer.best_practices, answer.recommendations, answer.warnings)
    return [statement.text for statements in stated for statement in statements]


@pytest.fixture(scope="module")
def requirement(answer: Callable[..., TechnicalAnswer]) -> TechnicalAnswer:
    return answer(
        "Which Python versions does Django 5.2 support?", type="dependency", technologies=["Django"]
    )


@pytest.fixture(scope="module")
def comparison(answer: Callable[..., TechnicalAnswer]) -> TechnicalAnswer:
    return answer("Zustand vs Redux", type="comparison")


def test_the_versions_that_are_supported_are_the_answer(requirement):
    assert list_statements(requirement)[0] == "Django 5.2 supports Python 3.10, 3.11, 3.12, and 3.13."
    assert not any("4.2" in text for text in list_statements(requirement))


def test_thanks_and_captions_are_no_findings(requirement):
    assert not any("Thanks" in text or "Figure" in text for text in list_statements(requirement))


def test_things_are_compared_side_by_side_in_the_same_aspects(comparison):
    table = comparison.synthesis.comparison
    assert [row.thing for row in table.rows] == ["Zustand", "Redux"]
    cells = {
        (row.thing, aspect): (cell.text if cell else reason)
        for row in table.rows
        for aspect, cell, reason in zip(table.aspects, row.cells, row.reasons, strict=True)
    }
    assert cells["Zustand", "Purpose"].startswith("Zustand is one of many")
    assert cells["Redux", "Purpose"].startswith("Redux is a JS library")
    assert cells["Zustand", "Size"].startswith("Zustand has a minified size")
    assert cells["Redux", "Size"].startswith("Redux itself is tiny")
    assert cells["Redux", "Ecosystem"].startswith("Redux has a large ecosystem")
    assert cells["Zustand", "Ecosystem"] == NOTHING_SAID


def test_the_comparison_leads_and_asks_on_what_is_not_stated(comparison):
    words = format_answer(comparison, "markdown")
    assert words.index("## Comparison") < words.index("## Results")
    assert "Which tools and extensions are there for Zustand?" in [
        one.question for one in comparison.follow_ups
    ]


def test_a_projects_own_pages_are_known_as_such(comparison):
    types = {result.url: result.type for result in comparison.results}
    assert types["https://zustand.docs.pmnd.rs/getting-started/comparison"] == "documentation"
    assert types["https://redux.js.org/introduction/getting-started"] == "documentation"
    assert types["https://github.com/pmndrs/zustand"] == "code"


def test_code_is_of_the_language_that_was_asked_for_and_bears_it(answer):
    found = answer(
        "How do I debounce an input in React with a custom hook?",
        type="code-examples",
        technologies=["React"],
    )
    assert found.status == "success"
    assert [example.language for example in found.code_examples] == ["typescript"]
    assert found.key_findings


def test_a_requirement_answers_though_no_source_has_the_version_that_is_asked_about(answer):
    found = answer(
        "Which Node.js version does Vite 6 need, and does it still run on Node 16?",
        type="dependency",
        technologies=["vite", "node.js"],
    )
    assert found.status == "success"
    assert list_statements(found) == [
        "Vite 6 supports Node.js 18, 20, and 22+, similar to Vite 5.",
        "Vite no longer supports Node.js 14 / 16 / 17 / 19, which reached its EOL.",
    ]


def test_good_practice_is_found_in_other_words_than_the_question(answer):
    found = answer(
        "Was sind bewährte Verfahren für Backups mit restic?", type="best-practices", technologies=["restic"]
    )
    assert found.status == "success"
    assert (
        "It is advisable to run restic check after pruning, to be alerted if the repository is damaged."
        in (list_statements(found))
    )


def test_a_response_keeps_to_its_schema(comparison, requirement):
    schema = ResearchResponse.model_json_schema(by_alias=True, mode="serialization")
    for given in (comparison, requirement):
        response = to_response(given)
        dumped = response.model_dump(mode="json", by_alias=True)
        jsonschema.validate(dumped, schema)
        assert ResearchResponse.model_validate(dumped) == response
