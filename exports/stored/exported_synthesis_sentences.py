"""Templates of the sentences that syntheses store: joint findings, limitations, missing data in a table."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template, mark_plural

# The direction of findings, in sentences about several of them.
DIRECTIONS: tuple[Template, ...] = (
    noop("a benefit"),
    noop("harm"),
    noop("higher values"),
    noop("lower values"),
    noop("a benefit or higher values"),
    noop("harm or lower values"),
    noop("a benefit when the exposure was missing or reduced"),
    noop("harm when the exposure was missing or reduced"),
    noop("higher values when the exposure was missing or reduced"),
    noop("lower values when the exposure was missing or reduced"),
    noop("the opposite when the exposure was missing or reduced"),
    noop("no effect"),
    noop("mixed results"),
    noop("a description"),
    noop("an unclear result"),
    noop("a positive result"),  # in syntheses of earlier versions, as the next three
    noop("a negative result"),
    noop("a benefit or a positive result"),
    noop("harm or a negative result"),
)
# Statements of our own about the studies of one outcome: no quotes.
COUNTED_STATEMENTS: tuple[str, ...] = (
    noop(
        "On %(outcome)s, %(count)s studies agree: they report %(direction)s"
        " (%(turned)s of them found %(found)s: “%(words)s”)."
    ),
    noop(
        "On %(outcome)s, %(count)s studies disagree: %(sides)s (%(turned)s of them found %(found)s: “%(words)s”)."
    ),
    noop(
        "On %(outcome)s, %(count)s studies looked at different exposures, so their findings are not compared:"
        " %(sides)s."
    ),
    # the next four in syntheses of earlier versions
    noop(
        "On %(outcome)s, %(count)s studies agree: they report %(direction)s"
        " (%(turned)s found the opposite when the exposure was missing or reduced)."
    ),
    noop(
        "On %(outcome)s, %(count)s studies disagree: %(sides)s"
        " (%(turned)s found the opposite when the exposure was missing or reduced)."
    ),
    noop(
        "On %(outcome)s, %(count)s studies agree: they report %(direction)s (%(turned)s by what doing without brings)."
    ),
    noop("On %(outcome)s, %(count)s studies disagree: %(sides)s (%(turned)s by what doing without brings)."),
    noop("On %(outcome)s, %(count)s studies agree: they report %(direction)s."),
    noop("On %(outcome)s, %(count)s studies disagree: %(sides)s."),
)
SYNTHESIZED: tuple[Template, ...] = (
    *DIRECTIONS,
    # its sections
    noop("Areas of agreement"),
    noop("Areas of disagreement"),
    noop("Findings on different exposures"),
    noop("Findings of single studies"),
    noop("Evidence table"),
    # effects that are drawn (exports.building.document_study_effects)
    noop("Effects and their intervals"),
    noop("Ratios, with their intervals"),
    noop("Study"),
    noop("Each line is the interval of one study, the dot its estimate; the scale is logarithmic."),
    noop("An interval that crosses the line at 1 is compatible with no effect."),
    noop("Whether less or more than 1 is better depends on the outcome. Nothing is pooled."),
    noop("Counted from the rows of the evidence table."),
    *COUNTED_STATEMENTS,
    mark_plural(
        "%(count)d reports %(direction)s (“%(titles)s”), %(others)s",
        "%(count)d report %(direction)s (“%(titles)s”), %(others)s",
    ),
    mark_plural(
        "%(count)d reports %(direction)s (“%(titles)s”)", "%(count)d report %(direction)s (“%(titles)s”)"
    ),
    mark_plural(
        "%(count)d reports %(direction)s, %(others)s",
        "%(count)d report %(direction)s, %(others)s",
    ),
    mark_plural("%(count)d reports %(direction)s", "%(count)d report %(direction)s"),
    noop("an outcome that the table does not name"),
    noop("The table has only one study, so there is nothing to compare."),
    noop("There is no outcome on which two or more studies all agree."),
    noop("No two studies report on the same outcome in one direction."),  # in syntheses of earlier versions
    noop("No two studies of one outcome and exposure point in different directions."),
    noop("No two studies of one outcome point in different directions."),  # of older runs
    # in syntheses of earlier versions
    noop("The titles of these studies name different things, which may explain the difference."),
    noop("%(rows)s rows of the table are about %(studies)s studies."),
    noop("(exposure missing or reduced)"),
    noop("The table does not say."),
    # what is left out
    noop("It names no study that is there."),
    noop("It was left empty in the table."),
    noop("Row %(row)d"),
    noop("It is about the same study as an earlier row, and was joined with it."),
    noop("It was joined with that row."),  # in syntheses of earlier versions
    # limitations
    mark_plural(
        "%(count)s of %(total)s studies (%(share)s %%) is a preprint without peer review.",
        "%(count)s of %(total)s studies (%(share)s %%) are preprints without peer review.",
    ),
    mark_plural(
        "%(count)s of %(total)s studies (%(share)s %%) has not been peer reviewed.",
        "%(count)s of %(total)s studies (%(share)s %%) have not been peer reviewed.",
    ),
    noop("The study has not been peer reviewed."),
    noop("The study is not a randomized trial."),
    noop("The study is not a meta-analysis."),
    noop("None of %(count)s studies is a randomized trial."),
    noop("Read what they find as associations, or look for trials."),
    noop("None of %(count)s studies is a meta-analysis."),
    noop("Look for a review that puts the studies together."),
    noop("All %(count)s studies come from one author."),
    noop("All %(count)s studies come from one journal."),
    noop("Look for studies by others."),
    noop("%(count)s of %(total)s studies of known size have a sample smaller than %(least)s."),
    noop(
        "%(count)s of %(total)s studies of known size have fewer than %(least)s participants."
    ),  # stored earlier
    noop("Give more weight to the larger ones."),
    noop("%(count)s of %(total)s studies do not say how many took part."),
    noop("Look the sizes up before weighing the studies."),
    noop("All studies that name a population looked at the same one: women."),
    noop("All studies that name a population looked at the same one: men."),
    noop("All studies that name a population looked at the same one: children."),
    noop("All studies that name a population looked at the same one: older people."),
    noop("All studies that name a population looked at the same one: students."),
    noop("All studies that name a population looked at the same one: %(group)s."),
    noop("Do not carry the findings over to other people."),
    noop("This text is of an older form: it names no studies, and nothing in it was checked."),
    # activity of a synthesis
    noop("Reading %(count)d studies"),
    noop("Writing the synthesis"),
)
