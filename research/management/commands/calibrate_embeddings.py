"""`calibrate_embeddings`: set the thresholds of the pair comparison on labelled pairs."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management.base import BaseCommand
from pydantic import TypeAdapter

from citations.contradiction.claim_comparison_measures import ComparedClaim, build_gates
from citations.contradiction.compare_claim_statements import compare_terms
from citations.contradiction.contradiction_probability import features
from citations.contradiction.contradiction_profiles import (
    CLASH,
    EMBEDDINGS,
    ClashCalibration,
    ClashFigures,
    ClashProfile,
    EmbeddingProfile,
)
from research.evaluation.evaluation_of_similarity import PairCase, in_batches
from research.evaluation.evaluation_pair_calibration import MeasuredPair, calibrate
from research.management.command_case_files import cases_in
from research.parsing.vectors.embed_texts import Embedder, builtin_embedder


class LabelledPair(PairCase):
    doc_id: str


class Command(BaseCommand):
    help = "Calibrate the similarity thresholds of the built-in embedding model and print their curves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--pairs", type=Path, required=True, metavar="FILE", help="labelled pairs, JSON lines"
        )
        parser.add_argument("--write", action="store_true", help="write the profiles as well")

    def handle(self, *args: object, **options: object) -> None:
        embedder = builtin_embedder()
        cases = cases_in(Path(str(options["pairs"])), LabelledPair)
        words, profile = calibrate(list(_measure_pairs(cases, embedder)), embedder.model_id.partition("/")[0])
        for setting in (words.setting, profile.setting):
            for line in _table(setting) if setting else ():
                self.stdout.write(line)
        if options["write"]:
            write_profiles(words, profile)
            self.stdout.write(f"written: {CLASH.name}, {EMBEDDINGS.name}/{profile.model_id}.json")


def _measure_pairs(cases: Iterable[LabelledPair], embedder: Embedder) -> Iterator[MeasuredPair]:
    for batch, cosines in in_batches(cases, embedder):
        for case, cosine in zip(batch, cosines, strict=True):
            found = compare_terms(case.a, case.b)
            gates = build_gates(ComparedClaim(case.a), ComparedClaim(case.b), cosine, found)
            yield MeasuredPair(case.label, case.doc_id, gates, features(found))


def _table(setting: ClashCalibration) -> Iterator[str]:
    yield f"{setting.pairs} pairs of {setting.documents} documents, {setting.folds} folds by document"
    yield f"on documents left out: {_line(setting.cross_validated)}"
    for name, points in setting.curves.items():
        yield f"\n{name}"
        yield from (f"  {point.at:.2f}  {_line(point.figures)}" for point in points)


def _line(figures: ClashFigures) -> str:
    return (
        f"macro-F1 {figures.macro_f1:6.1%}  false merges {figures.false_merges:6.1%}"
        f"  merge recall {figures.merge_recall:6.1%}  contradictions passed {figures.contradictions_passed:6.1%}"
    )


def write_profiles(words: ClashProfile, profile: EmbeddingProfile) -> None:
    EMBEDDINGS.mkdir(exist_ok=True)
    CLASH.write_bytes(TypeAdapter(ClashProfile).dump_json(words, indent=1) + b"\n")
    path = EMBEDDINGS / f"{profile.model_id}.json"
    path.write_bytes(TypeAdapter(EmbeddingProfile).dump_json(profile, indent=1) + b"\n")
