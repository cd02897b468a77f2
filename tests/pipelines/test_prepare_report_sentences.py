"""Sentences that were prepared while pages were read are those that the analysis would compute."""

from itertools import combinations

import pytest

from research.db.tenancy import tenant_context
from research.models import Content, Kind, Source, Step
from research.models.base_models import new_id
from research.pipelines.pipeline_in_foreground import ask
from research.pipelines.report.analyzing import prepare_report_sentences
from research.pipelines.report.analyzing.prepare_report_sentences import prepares_sentences
from research.pipelines.report.passages_found_for_report import (
    FoundPassage,
    find_unprepared,
    forget_sentences,
    prepare_sentences,
    sentences_in,
)
from research.pipelines.report.report_step_names import ReportStepName
from tests.pipelines.test_killed_sources import QUESTION, world  # noqa: F401 - a fixture

TEXT = """The ferry crosses the strait in forty minutes. It carries cars and lorries.

It runs in winter, too:

- from Monday to Friday at seven,
- on Saturdays at nine.

In 2019 the ferry made 3,120 crossings. That was a record. Nobody had expected it.

The port was closed for repairs in 2020. Fewer crossings were made in that year.
"""


def build_blocks(text):
    kinds = {"-": "list"}
    blocks, position = [], 0
    for number, piece in enumerate(text.split("\n\n")):
        start = text.index(piece, position)
        position = start + len(piece)
        kind = kinds.get(piece[:1], "paragraph")
        blocks.append(
            {"kind": kind, "start": start, "end": position, "section": f"Part {number // 2}", "page": None}
        )
    return blocks


@pytest.fixture
def source():
    content = Content(pk=new_id(), text=TEXT, blocks=build_blocks(TEXT), media_type="text/plain")
    return Source(pk=new_id(), library_document_id=new_id(), content=content)


@pytest.fixture
def passages(source):
    edges = [0, 60, 150, 260, len(TEXT)]
    return [
        FoundPassage(new_id(), source.library_document_id, start, end, 1 / (1 + place))
        for place, (start, end) in enumerate(zip(edges, edges[1:], strict=False))
    ]


def key_of(source):
    return str(source.library_document_id), source.content.pk


def test_sentences_of_any_passages_are_the_same_whether_prepared_or_not(source, passages):
    chosen = [list(some) for count in (1, 2, 3, 4) for some in combinations(passages, count)]
    computed = [sentences_in(source, some) for some in chosen]
    assert find_unprepared([key_of(source)]) == [key_of(source)]
    prepare_sentences(str(source.library_document_id), source.content, passages)
    assert find_unprepared([key_of(source)]) == []
    assert [sentences_in(source, some) for some in chosen] == computed
    assert any("3,120 crossings" in sentence.text for found in computed for sentence in found)


def test_passages_that_were_found_later_are_not_left_out(source, passages):
    computed = sentences_in(source, passages)
    prepare_sentences(str(source.library_document_id), source.content, passages[:2])
    assert sentences_in(source, passages) == computed


def test_what_was_ranked_is_forgotten(source, passages):
    prepare_sentences(str(source.library_document_id), source.content, passages)
    forget_sentences([source])
    assert find_unprepared([key_of(source)]) == [key_of(source)]


@pytest.mark.parametrize(
    ("pages", "numbers"), [(20, []), (59, []), (60, [40]), (200, [40, 80, 120, 160]), (0, [])]
)
def test_the_last_pages_are_left_to_the_analysis(pages, numbers):
    assert [number for number in range(1, pages + 1) if prepares_sentences(number, pages)] == numbers


@pytest.mark.usefixtures("world")
def test_a_report_says_the_same_whether_its_sentences_were_prepared_or_not(account, monkeypatch):
    config = {"sources": "web", "target_sources": 4}
    plain = ask(account, Kind.REPORT, QUESTION, config)
    monkeypatch.setattr(prepare_report_sentences, "PREPARED_TOGETHER", 2)
    prepared = ask(account, Kind.REPORT, QUESTION, config)
    with tenant_context(account.tenant_id):
        preparing = Step.objects.filter(handler=ReportStepName.PREPARE_SENTENCES)
        assert not preparing.filter(run=plain.run_id).exists()
        steps = list(preparing.filter(run=prepared.run_id))
    assert any(step.output.get("sources") for step in steps)
    assert {step.key.partition("/")[0] for step in steps} == {"analyzing"}

    def claims_of(report):
        return [[claim.text for claim in section.claims] for section in report.sections]

    assert claims_of(prepared) == claims_of(plain) != []
