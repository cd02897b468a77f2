"""Turn the studies of a run into sources: each row becomes a text in which its finding can be opened."""

from collections import Counter
from collections.abc import Mapping

from citations.anchoring import Span
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.extractive.question.question_translation import detect_language
from research.models import Run, Source, SourceType
from research.models.schemas import RunOutcome
from research.parsing.frozen_text_builder import TextBuilder
from research.parsing.parsed_document import BlockKind, ReadDocument
from research.pipelines.common.texts_given_to_pipeline import GivenText, keep_texts, prepare_text
from research.pipelines.synthesis.synthesis_config import SynthesisConfig
from research.pipelines.synthesis.synthesis_result import StudyRow, Synthesis
from research.pipelines.synthesis.synthesis_study_rows import Direction, Study, labels_of, separate_authors
from research.pipelines.synthesis.write_synthesis_sections import SourcedStudy
from research.pipelines.table.table_engine import resolve_engine

STUDY_TYPE = "text/x-study"
FINDING, OWN_WORDS = "Finding", "Its own words"


def gather(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
    config = SynthesisConfig.model_validate(run.config)
    texts = [
        (text, prepare_text(text))
        for text in map(build_given_text, range(1, len(config.studies) + 1), config.studies)
    ]
    engine = resolve_engine(config.engine, work.tenant_id).value
    own = Synthesis(form="text" if config.text else "studies", text=config.text)
    outcome = RunOutcome(engine=engine, own=own.model_dump(mode="json"))

    def save() -> None:
        keep_texts(work.run_id, texts)
        Run.objects.filter(pk=work.run_id).update(
            result=outcome.model_dump(mode="json"),
            total_sections=1,
            cost_usd=0 if engine == "extractive" else None,
        )

    return StepResult({"studies": len(texts)}, save=save, activity=f"Reading {len(texts)} studies")


def build_given_text(number: int, study: Study) -> GivenText:
    read, _finding = study_text(study)
    return GivenText(
        address=f"study:{number}",
        document=read,
        title=study.title,
        url=study.address if study.address.startswith(("https://", "http://")) else "",
        author=separate_authors(study.authors),
        publisher=study.journal,
        published=f"{study.year:04d}" if study.year else "",
        source_type=SourceType.ACADEMIC,
    )


# A row's text is frozen in the language of its finding, as it stands beside that in the evidence.
_GERMAN: Mapping[str, str] = {
    "Authors": "Autoren",
    "Year": "Jahr",
    "Journal": "Zeitschrift",
    "Design": "Studiendesign",
    "Population": "Population",
    "Sample size": "Stichprobe",
    "Outcome": "Zielgröße",
    "Direction": "Richtung",
    FINDING: "Ergebnis",
    OWN_WORDS: "Eigene Worte",
    "yes": "ja",
    "no": "nein",
    "Peer reviewed": "Begutachtet",
    "not stated": "nicht angegeben",
    Direction.BENEFIT.value: "Nutzen",
    Direction.HARM.value: "Schaden",
    Direction.HIGHER.value: "höher",
    Direction.LOWER.value: "niedriger",
    Direction.NULL.value: "keine Wirkung",
    Direction.MIXED.value: "uneinheitlich",
    Direction.DESCRIPTIVE.value: "beschreibend",
    Direction.UNCLEAR.value: "unklar",
}
_CODED = frozenset({"Sample size", "Direction", "Peer reviewed"})  # facts whose values are words of ours


def study_text(study: Study) -> tuple[ReadDocument, Span | None]:
    """Return a row as a text, with the span of its finding."""
    in_german: Mapping[str, str] = (
        _GERMAN if detect_language(f"{study.title} {study.finding}") == "de" else {}
    )
    builder = TextBuilder()
    builder.add_heading(study.title, 1)
    for name, words in _facts(study):
        given = in_german.get(words, words) if name in _CODED else words
        builder.add(BlockKind.PARAGRAPH, f"{in_german.get(name, name)}: {given}")
    builder.add_heading(in_german.get(FINDING, FINDING), 2)
    finding = builder.add(BlockKind.PARAGRAPH, study.finding)
    if study.evidence:
        builder.add_heading(in_german.get(OWN_WORDS, OWN_WORDS), 2)
        builder.add(BlockKind.PARAGRAPH, study.evidence)
    read = ReadDocument(
        text=builder.text, media_type=STUDY_TYPE, title=study.title, blocks=tuple(builder.blocks)
    )
    return read, Span(finding.start, finding.end) if finding else None


def _facts(study: Study) -> list[tuple[str, str]]:
    size = f"{study.sample_size:,}" if study.sample_size is not None else "not stated"
    given = [
        ("Authors", study.authors),
        ("Year", str(study.year or "")),
        ("Journal", study.journal),
        ("DOI", study.doi),
        ("Design", study.design),
        ("Population", study.population),
        ("Sample size", size),
        ("Outcome", study.outcome),
        ("Direction", study.direction.value),
        ("Peer reviewed", "no" if study.preprint else "yes" if study.reviewed else "not stated"),
    ]
    return [(name, words) for name, words in given if words]


def rows_of(run: Run, config: SynthesisConfig) -> list[SourcedStudy]:
    """Load the studies of a run with their sources. Needs the tenant set."""
    sources = dict(Source.objects.filter(run=run).values_list("canonical_url", "pk"))
    labels = labels_of(config.studies)
    return [
        SourcedStudy(study, label, sources[f"study:{number}"], study_text(study)[1])
        for number, (study, label) in enumerate(zip(config.studies, labels, strict=True), 1)
    ]


def study_rows(rows: list[SourcedStudy], claims: dict[str, list[int]]) -> list[StudyRow]:
    """Return the rows of the evidence table. `claims`: numbers by the id of the source."""
    return [
        StudyRow(
            number=number,
            label=row.label,
            address=row.study.address,
            source=str(row.source),
            claims=claims.get(str(row.source), []),
            **row.study.model_dump(mode="json", exclude={"evidence", "url", "journal"}),
        )
        for number, row in enumerate(rows, 1)
    ]


def designs(config: SynthesisConfig) -> dict[str, int]:
    return dict(Counter(study.design or "not stated" for study in config.studies).most_common())
