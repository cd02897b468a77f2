"""`manage.py calibrate_verification`: sets the weights and thresholds of verification from labelled claims."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

import citations
from citations.support import write_profile
from research.evaluation.cases import BadLine, read_cases
from research.evaluation.support_calibration import LabelledClaim, profile
from research.likeness import NearestSentence
from research.reading.embedding import builtin_embedder

PROFILE = Path(citations.__file__).parent / "profiles" / "verification.json"


class Command(BaseCommand):
    help = "Fit the profile of verification to labelled claims, print its curve, and write it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "cases", nargs="+", metavar="FILE", help="JSON lines: id, claim, evidence_text, label"
        )
        parser.add_argument(
            "--output", default=PROFILE, type=Path, help="the product's own profile by default"
        )

    def handle(self, *args: str, **options: str) -> None:
        cases = [case for name in options["cases"] for case in read_labelled(Path(name))]
        similarity = NearestSentence(builtin_embedder())
        similarity.prepare((case.claim for case in cases), (case.evidence_text for case in cases))
        found = profile(cases, similarity)
        for point in found.curve:
            self.stdout.write(
                f"{point.threshold:.2f}  supported ones kept {point.recall:6.1%}"
                f"  others let through {point.false_support:6.1%}"
                f"  balanced accuracy {point.balanced_accuracy:6.1%}"
            )
        self.stdout.write(f"threshold {found.accurate}, {found.cases} cases of {found.documents} documents")
        Path(options["output"]).write_text(write_profile(found))


def read_labelled(path: Path) -> list[LabelledClaim]:
    """Raises CommandError where the file is missing, has a bad line or no label."""
    try:
        with path.open() as lines:
            cases = list(read_cases(lines, LabelledClaim))
    except (OSError, BadLine) as error:
        raise CommandError(f"{path}: {error}") from error
    if not all(case.label for case in cases):
        raise CommandError(f"{path}: every case needs a label")
    return cases
