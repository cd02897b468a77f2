"""Diagrams of an answer as Mermaid source: those of its sources, unchanged, and one of the answer itself."""

from collections import Counter
from collections.abc import Iterator, Sequence

from research.pipelines.report.analyzing.store_report_analysis import ClaimFinding
from research.pipelines.technical.answer.technical_answer import StoredDiagram, StoredLink
from research.pipelines.technical.answer.technical_answer_material import TechnicalMaterial
from research.pipelines.technical.answer.technical_overview_diagram import OVERVIEW, render_flowchart
from research.pipelines.technical.code.detect_technical_code_language import language_of
from research.pipelines.technical.code.find_technical_code_examples import blocks_of_code
from research.pipelines.technical.technical_advice_kinds import Advice

MOST = 4


def diagrams_of(
    material: TechnicalMaterial, findings: Sequence[ClaimFinding], advice: Sequence[Advice]
) -> list[StoredDiagram]:
    """Return the diagrams of an answer; `advice` is the kind of each finding."""
    own = [_overview(material, findings, advice)] if findings else []
    return [*own, *_of_sources(material)][:MOST]


def _of_sources(material: TechnicalMaterial) -> Iterator[StoredDiagram]:
    for excerpt in blocks_of_code(material):
        if language_of(excerpt.code) == "mermaid":
            title = excerpt.heading or excerpt.read.source.title
            block = excerpt.block
            yield StoredDiagram(
                title=title,
                code=excerpt.code,
                source=excerpt.read.source.pk,
                start=block.start,
                end=block.end,
            )


def _overview(
    material: TechnicalMaterial, findings: Sequence[ClaimFinding], advice: Sequence[Advice]
) -> StoredDiagram:
    links = links_of(findings, advice)
    titles = {read_source.source.pk: str(read_source.source) for read_source in material.read}
    return StoredDiagram(
        title=OVERVIEW, code=render_flowchart(material.run.topic, links, titles), links=links
    )


def links_of(findings: Sequence[ClaimFinding], advice: Sequence[Advice]) -> list[StoredLink]:
    """Count the claims by kind of advice and by the source that states them best."""
    counts = Counter(
        (kind, finding.evidence[0].source) for finding, kind in zip(findings, advice, strict=True)
    )
    return [StoredLink(advice=kind.value, source=source, claims=n) for (kind, source), n in counts.items()]
