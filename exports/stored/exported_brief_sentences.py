"""Templates of the sentences that briefs store: assessments, missing evidence, reasons for a review."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template, mark_plural

BRIEFED: tuple[Template, ...] = (
    # its sections
    noop("Key claims"),
    noop("What came in"),
    noop("Suggested prompt edits"),
    noop("Claim %(number)s says so."),
    noop("Each claim opens onto the words that it stands on."),
    noop("The task trusts its own result with %(share).2f."),
    mark_plural("%(count)s claim on 1 cited page.", "%(count)s claims on 1 cited page."),
    mark_plural("%(count)s claim on %(pages)d cited pages.", "%(count)s claims on %(pages)d cited pages."),
    # in place of claims
    noop("The task trusts its own result with %(share)s %%, less than 30 %%: no claims were taken from it."),
    noop("Nothing that the result cites is evidence for its answer: no claims were taken from it."),
    noop("Its answer and its reasoning are kept word for word, with %(count)s cited pages."),
    noop("Manual review recommended."),
    noop("Manual review recommended: look at the answer and its sources before you use them."),
    # reasons why a statement is not a claim
    noop("The words that were given for it stand in no excerpt of the result."),
    noop("No excerpt of the result supports it."),
    noop("The excerpts say it only in part: the claims are what they do say."),  # of older runs
    noop("A source says: “%(quote)s”"),
    noop("No excerpt says “%(words)s”: the claims are what they do say."),
    noop("It refers to a sentence that is left out."),
    noop("The claim says “%(claimed)s”, the source says “%(found)s”."),
    noop("No excerpt says it whole: its parts stand in several."),
    noop("Its own source says otherwise. The claim says “%(claimed)s”, the source says “%(found)s”."),
    noop("Its own source says otherwise."),
    noop("Its own source says otherwise: “%(quote)s”"),
    noop("The answer says “%(text)s” %(reason)s"),
    # edits of a prompt
    noop("Add (%(target)s): “%(value)s” – confidence %(share).2f, %(basis)s."),
    noop("Remove (%(target)s): “%(value)s” – confidence %(share).2f, %(basis)s."),
    noop("Replace (%(target)s): “%(value)s” – confidence %(share).2f, %(basis)s."),
    noop("base prompt"),
    noop("style modifier"),
    noop("negative prompt"),
    noop("regional constraint"),
    noop("claim %(number)s"),
    noop("claims %(numbers)s"),
    noop("your comment"),
    # the text that it is for
    noop("Your text"),
    noop("A text that the sources carry:"),
    noop("The prompt then reads:"),
    noop("Your text says “%(text)s” A source says so."),
    noop("Your text says “%(text)s” A source says otherwise: “%(quote)s”"),
    noop("Your text says “%(text)s” A source says: “%(quote)s”"),
    noop("Your text says “%(text)s” No source was found that says this."),
    noop("Your text says “%(text)s” This is wrong according to the sources: “%(words)s” is in none of them."),
    # its pages
    noop("These are excerpts as they were quoted in the task’s result; the page itself was not read."),
    noop("The words that are quoted from it do not stand in the copy of this page that the library holds."),
    noop("It was cited without any words of it."),
    noop("It has no address of a web page."),
    noop("What is quoted from it is too short, or has too little to do with the answer."),
    noop("“%(words)s” does not stand in the library’s copy of the page that it is quoted from."),
    noop("%(count)s of the cited pages were not read: whether their excerpts stand there is not known."),
    noop("Add the pages to the library, or check the quotes on the page of the source."),
    noop(
        "The model failed, and rules drafted the brief from the answer: every score is lessened by a fifth."
    ),
    noop("Ask again when the model is back."),
    # a task that is waited for
    noop("The workspace has no key for Parallel."),
    noop("This task belongs to nobody who is allowed to start runs here."),
    noop("The task has not ended within three days."),
    # activity of a brief
    noop("Processing the result"),
    noop("Writing the brief"),
    noop("Checking the claims"),
)
