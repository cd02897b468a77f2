"""What a run says of its own work: as it stands in the database."""

from django.utils.translation import gettext_noop as noop

from research.web.stored.templates import Template, counted

TOLD: tuple[Template, ...] = (
    # abstaining
    noop("No source speaks of %(names)s together."),
    noop("The library holds no passage on this."),
    noop("No source about ‘%(subject)s’ is of or mentions ‘%(mark)s’."),
    noop("No source mentions ‘%(name)s’."),
    noop("No passage gives %(kind)s for ‘%(subject)s’."),
    noop("No passage speaks of ‘%(subject)s’ together."),
    noop("The sources hold no passage on this."),
    noop("Nearest passage; it does not answer."),
    noop("Nothing that was found stands up to being checked against its source."),
    # why a sentence is not in the report
    noop("The run was told to have this section; no source on the question that it read speaks of it."),
    noop("It is not on the question."),
    noop("Its words stand in none of the run's sources."),
    noop("Its words are too short for a quote, or stand in a heading, a caption or a page's margin only."),
    noop("These words were named for “%(name)s”, which does not have them."),
    noop("Nothing that the model noted stands in the source."),
    noop("Its source does not say it."),
    noop("No source of this run was named for it."),
    noop("The report said more than its source does, and its source's words alone do not carry it."),
    noop("It cites nothing that stands in a source."),
    noop("It names an address that is no source's: %(address)s."),
    # what was given up
    noop("%(count)s of %(total)s claims did not hold when they were checked, and left the report."),
    noop("So many fell that what stays should be read with care."),
    noop("Too few sources were found: %(wanted)s are wanted now."),
    noop("Too few sources were found: %(wanted)s are wanted now, and the report does without %(parts)s."),
    noop("%(count)s of %(total)s sources could not be read and were skipped."),
    noop("Only %(count)s of %(total)s sources could be read: the report stands on much less."),
    noop(
        "What no source says was found in %(sections)s; rules wrote it again, in the sources' own sentences."
    ),
    noop("A model failed here, and rules did its work."),
    noop("Few tokens were left, so the search ended with fewer sources than planned."),
    noop("Few tokens were left, so the remaining sources were read less deeply."),
    noop(
        "Few tokens were left, so a model wrote only the first sections; rules arranged the "
        "claims of the others."
    ),
    noop("Too few tokens were left for a model's check: the claims were checked by rules alone."),
    # another plan
    noop("The search ended with far too few sources."),
    noop("Several subtopics found next to nothing of what was expected of them."),
    noop("What was read covers less than half of the subtopics."),
    noop("The plan was too narrow: it leaves out what the question names."),
    noop("The person who asked wants another plan."),
    # enough sources
    noop("%(count)s found, at least %(least)s wanted."),
    counted(
        "%(count)s of %(total)s subtopic has half of the sources wanted.",
        "%(count)s of %(total)s subtopics have half of the sources wanted.",
    ),
    noop("Thin: %(names)s."),
    noop("1 domain"),
    noop("%(count)s domains"),
    noop("%(domains)s, 1 kind of source."),
    noop("%(domains)s, %(count)s kinds of source."),
    noop("No date range was asked for."),
    noop("%(count)s of %(total)s published from %(first)s to %(last)s; %(undated)s with unknown date."),
    noop("%(count)s of %(total)s published from %(first)s; %(undated)s with unknown date."),
    noop("%(count)s of %(total)s published to %(last)s; %(undated)s with unknown date."),
    noop("%(count)s of %(total)s published from %(first)s to %(last)s."),
    noop("%(count)s of %(total)s published from %(first)s."),
    noop("%(count)s of %(total)s published to %(last)s."),
    noop("No source has been judged yet."),
    noop("Mean quality %(mean).2f, %(wanted).2f wanted."),
    noop("Measured from %(count)s sources on."),
    noop("Nothing is known of what the first sources say."),
    noop("The last %(count)s sources bring %(share)s%% as much new as the first %(first)s."),
    # what people are asked about, and their answers
    noop("You wished to see the plan before anything is spent."),
    noop("It would take %(share)d %% of your credits."),
    noop("It has %(count)d parts."),
    noop("It would read %(count)d sources."),
    noop("The planner is not sure of it (%(trust).2f)."),
    noop("Two sources differ, and neither is clearly the stronger one (margin %(margin).2f)."),
    noop("No source of this run has these words."),
    noop("Its source says otherwise."),
    noop("Limited: one independent source says so."),
    noop("%(name)s chose a side"),
    noop("%(name)s uses neither side"),
    noop("%(name)s has both sides presented"),
    noop("%(name)s chose the other side of a conflict."),
    noop("Whoever looked at the conflicts used neither side of any: no claim is left."),
    noop(
        "The report's claims are trusted little on the whole (%(mean).2f of 1), and nobody has "
        "looked at them."
    ),
    noop("Read its sources before you rely on it."),
    noop("Accepted by %(name)s"),
    noop("Dropped by %(name)s"),
    noop("The run ended before it came to this. Ask a follow-up question instead."),
    noop("It asks for nothing that is not so already."),
    noop("The search was over by then: it is looked for in what had been read."),
    counted(
        "%(count)d source was set aside.",
        "%(count)d sources were set aside.",
    ),
    noop("Nothing of %(sites)s is read or cited from now on."),
    counted(
        "%(new)d source is wanted now, not %(old)d.",
        "%(new)d sources are wanted now, not %(old)d.",
    ),
    noop("Only what was published from %(first)s to %(last)s counts from now on."),
    noop("Only what was published from %(first)s on counts from now on."),
    noop("Only what was published until %(last)s counts from now on."),
    noop("There will be a section on “%(name)s”, if the sources speak of it."),
    noop("“%(name)s” is looked for too."),
    noop("“%(name)s” is in the plan already."),
    # plans made by rules
    noop("The question as it was asked."),
    noop("One of the things the question asks."),
    noop("What is said about %(name)s."),
    noop("The state of %(year)s."),
    noop("A document that the question names."),
    noop("What the person who asked wants looked for."),
    # what a passage should give
    noop("a percentage or share"),
    noop("an amount of money"),
    noop("a length of time"),
    noop("a date or year"),
    noop("a version"),
    noop("a speed or rate"),
    noop("a number"),
    noop("a size or number"),
)
