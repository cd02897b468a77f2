"""`calibrate_tables`: fit the weights for claims about tables to labelled claims."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from citations.table_claims.fit_table_claim_weights import CalibrationCase as TableCase
from citations.table_claims.fit_table_claim_weights import calibrate
from citations.table_claims.judge_table_claim import weigh
from citations.table_claims.parse_cited_tables import parse_table
from citations.table_claims.score_claim_readings import Ballot
from citations.table_claims.table_claim_weights import PROFILE, TableCalibration, TableFigures, write_profile
from research.evaluation.labelled_cases import Case
from research.management.command_case_files import cases_in


class LabelledTableClaim(Case):
    claim: str
    evidence_text: str
    doc_id: str


class Command(BaseCommand):
    help = "Calibrate the judgement of claims about tables and print its results on held-out documents."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--claims", type=Path, required=True, metavar="FILE", help="labelled claims, JSON lines"
        )
        parser.add_argument("--write", action="store_true", help="write the profile as well")

    def handle(self, *args: object, **options: object) -> None:
        claims = cases_in(Path(str(options["claims"])), LabelledTableClaim)
        cases, strangers = list(_weigh_claims(claims)), list(_strangers(claims))
        if len({case.is_carried for case in cases}) < 2:
            raise CommandError("There must be claims that tables carry and claims that they do not.")
        profile = calibrate(cases, strangers)
        for line in _report(profile.setting, profile.cut) if profile.setting else ():
            self.stdout.write(line)
        if options["write"]:
            write_profile(profile)
            self.stdout.write(f"written: {PROFILE.name}")


def _weigh_claims(claims: Sequence[LabelledTableClaim]) -> Iterator[TableCase]:
    """Yield a case for each claim whose evidence contains a table."""
    for each in claims:
        table = parse_table(each.evidence_text)
        if table is not None:
            yield TableCase(weigh(each.claim, table), each.label == "supported", each.doc_id)


def _strangers(claims: Sequence[LabelledTableClaim]) -> Iterator[Ballot]:
    """Pair each claim with the table of a claim half the file away, from another document."""
    for at, each in enumerate(claims):
        other = claims[(at + len(claims) // 2) % len(claims)]
        table = parse_table(other.evidence_text)
        if table is not None and other.doc_id != each.doc_id:
            yield weigh(each.claim, table)


def _report(setting: TableCalibration, cut: float) -> Iterator[str]:
    yield f"{setting.claims} claims of {setting.documents} documents, {setting.folds} folds by document"
    yield f"on documents left out, at {cut}: {_line(setting.cross_validated)}"
    yield f"false support at half recall {setting.false_support_at_half_recall:6.1%}"
    yield from (f"  {point.at:.2f}  {_line(point.figures)}" for point in setting.curve)
    yield "share of words that name something of the table: own claims, claims about other tables"
    yield from (f"  {point.at:.2f}  {point.own:6.1%}  {point.strange:6.1%}" for point in setting.linkage)


def _line(found: TableFigures) -> str:
    return (
        f"balanced accuracy {found.balanced_accuracy:6.1%}  recall {found.recall:6.1%}"
        f"  false support {found.false_support:6.1%}"
    )
