"""Templates of the sentences that digests store: unread posts, what is left out as dangerous, thin evidence."""

from django.utils.translation import gettext_noop as noop

from exports.stored.templates import Template, mark_plural

# What a sentence on dangerous work names: the field, and who does such work.
FIELDS: tuple[Template, ...] = (
    noop("mains electricity"),
    noop("gas and heating appliances"),
    noop("load-bearing structures"),
    noop("safety-critical vehicle work"),
    noop("medical treatment"),
    noop("hazardous materials"),
    noop("dangerous machinery"),
    noop("a qualified electrician"),
    noop("a licensed gas or heating engineer"),
    noop("a structural engineer or builder"),
    noop("a qualified mechanic"),
    noop("a doctor or pharmacist"),
    noop("a licensed specialist"),
    noop("a qualified technician"),
)
DIGESTED: tuple[Template, ...] = (
    *FIELDS,
    # its sections, and labels in them
    noop("Summary"),
    noop("Highlights"),
    noop("Cautions"),
    noop("Risk:"),
    noop("People disagree:"),
    noop("Open:"),
    noop("Against that:"),
    # the discussion
    noop("Give the posts of a discussion, or the provider to fetch them from."),
    noop("The input has no “query”: what was searched for."),
    noop("The input has no list “posts”."),
    noop("The input has %(count)s comments; %(most)s can be taken."),
    noop("The discussion holds no post that can be read."),
    noop("Fetching failed: %(message)s."),
    noop("no reason was given"),
    noop("no reason was given (%(status)d)"),
    noop("Rate limited: the forum asked for a pause (429)."),
    noop("Rate limited: the forum asked for a pause of %(seconds)s s (429)."),
    noop("Fetch the discussion again later."),
    # why a post is not read
    noop("Other posts are more relevant to the question, and there is room for %(most)s."),
    noop("It was given twice."),
    noop("It repeats another post."),
    # why a sentence is left out
    noop("It tells how %(work)s is done."),
    noop("Such work is for %(who)s; the words stand in the saved post."),
    noop("It gives instructions step by step, which a digest does not repeat."),
    noop("It speaks to the program that reads it, not about the matter."),
    noop("Its letters are set apart, so that it cannot be checked."),
    noop("The model named a source that does not say so."),
    noop("The model named a post that is not in the discussion."),
    noop("The model quoted words that post %(post)s does not have."),
    noop("A sentence of the model (%(place)s) quotes no post of the discussion."),
    noop("summary %(number)d"),
    noop("highlight %(number)d"),
    noop("caution %(number)d"),
    noop("Nothing that was said in the discussion can be repeated here."),
    # what a reader has to know
    mark_plural(
        "This is thin evidence: %(count)s post with 1 comment.",
        "This is thin evidence: %(count)s posts with 1 comment.",
    ),
    mark_plural(
        "This is thin evidence: %(count)s post with %(comments)s comments.",
        "This is thin evidence: %(count)s posts with %(comments)s comments.",
    ),
    noop("Read it as what a few people say."),
    noop("Look for more discussions, or for a source that is not a forum."),
    noop("Instructions about %(work)s are left out here: that work needs %(who)s."),
    noop("Have such work done by who is qualified for it."),
    # what a digest is doing
    noop("Fetching the discussion"),
    noop("Reading %(count)d posts"),
    noop("Writing the digest"),
)
