"""`calibrate_verification`: set the weights and thresholds of verification from labelled claims."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

import citations
from citations.entailment.support_probability import write_profile
from research.evaluation.evaluation_support_calibration import LabelledClaim, profile
from research.library.retrieval.library_passage_similarity import NearestSentence
from research.management.command_case_files import cases_in
from research.parsing.vectors.embed_texts import builtin_embedder

PROFILE = Path(citations.__file__).parent / "profiles" / "verification.json"


class Command(BaseCommand):
    help = "Fit the profile of verification to labelled claims and print its curve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--claims",
            nargs="+",
            type=Path,
            required=True,
            metavar="FILE",
            help="labelled claims, JSON lines",
        )
        parser.add_argument("--write", action="store_true", help="write the profile as well")

    def handle(self, *args: object, claims: Sequence[Path], write: bool, **options: object) -> None:
        cases = [case for path in claims for case in cases_in(path, LabelledClaim)]
        labels = {case.label for case in cases}
        if "" in labels:
            raise CommandError("Every claim needs a label.")
        if not {"supported"} < labels:
            raise CommandError("There must be claims that are supported and claims that are not.")
        similarity = NearestSentence(builtin_embedder())
        similarity.prepare((case.claim for case in cases), (case.evidence_text for case in cases))
        fitted = profile(cases, similarity)
        for point in fitted.curve:
            self.stdout.write(
                f"{point.threshold:.2f}  supported ones kept {point.recall:6.1%}"
                f"  others let through {point.false_support:6.1%}"
                f"  balanced accuracy {point.balanced_accuracy:6.1%}"
            )
        self.stdout.write(
            f"threshold {fitted.accurate}, {fitted.cases} cases of {fitted.documents} documents"
        )
        if write:
            PROFILE.write_text(write_profile(fitted))
            self.stdout.write(f"written: {PROFILE.name}")
