"""The authorship of a report, stage by stage, derived from the successful model calls."""

from dataclasses import dataclass

MODEL, RULES, BOTH = "model", "rules", "both"


@dataclass(frozen=True, slots=True)
class StageEntry:
    """A stage of the work that a model was asked to do. The counts are of steps."""

    name: str  # planned, read, wrote, checked
    by: str  # model, rules, both
    answered: int
    unanswered: int
    tokens: int


@dataclass(frozen=True, slots=True)
class AuthorshipEntry:
    """The authorship of a report.

    `cause` and `advice` say why a model did not answer; they are empty if it did all of its part.
    """

    stages: tuple[StageEntry, ...]
    cause_code: str = ""
    cause: str = ""
    advice: str = ""

    @property
    def is_without_model(self) -> bool:
        """Return True if no model call succeeded."""
        return not any(stage.answered for stage in self.stages)

    @property
    def wrote(self) -> str:
        """Return the author of the text: model, rules or both."""
        return next((stage.by for stage in self.stages if stage.name == "wrote"), RULES)

    @property
    def took_part_in(self) -> tuple[str, ...]:
        """Return the stages in which a model took part."""
        return tuple(stage.name for stage in self.stages if stage.by != RULES)
