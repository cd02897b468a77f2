"""Two reports on one question, to be compared: the second is the first asked again."""

from dataclasses import dataclass

from citations.models import Claim
from research.db.tenancy import tenant_context
from research.models import Run, Source
from tests.people import Person
from tests.worlds import ReportWorld, make_report


@dataclass(frozen=True)
class TwoReports:
    old: ReportWorld
    new: ReportWorld

    def change(self, place: int, /, **columns: object) -> Claim:
        """Another content for a claim of the new report, by the reader's number."""
        claim = self.new.claims[place - 1]
        with tenant_context(self.new.person.tenant.pk):
            Claim.objects.filter(pk=claim.pk).update(**columns)
            Run.objects.get(pk=self.new.run.pk).save(update_fields=["updated_at"])
        return claim

    def leave_out(self, number: int, reason: str = "") -> Claim:
        """Not in the new report's text; with a reason it stays as a row that tells why."""
        return self.change(number, section=None, number=None, verification_note=reason)

    def change_source(self, source: Source, **columns: object) -> None:
        with tenant_context(self.new.person.tenant.pk):
            Source.objects.filter(pk=source.pk).update(**columns)


def two_reports(person: Person, relation: str = "rerun") -> TwoReports:
    """The same twice, at first."""
    old, new = make_report(person), make_report(person)
    with tenant_context(person.tenant.pk):
        new.run.parent, new.run.relation = old.run, relation
        new.run.save()
    return TwoReports(old, new)
