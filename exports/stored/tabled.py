"""What tables store of themselves: why cells are empty, why rows failed, what the rows come to together."""

from django.utils.translation import gettext_noop as noop

from exports.stored.templates import Template

TABLED: tuple[Template, ...] = (
    # the request
    noop("%(count)s of the items stood there twice and are taken once."),
    noop("%(count)s of the items were longer than %(most)s characters and are left out."),
    noop("No columns were found: name what is wanted of each item, or add columns."),
    noop("No list was found: write the items one a line, or give a table."),
    noop("Only the first %(most)s of %(count)s columns are taken."),
    noop("Only the first %(most)s of %(count)s items are taken: a table has no more rows."),
    noop("The column “%(name)s” has a value in every row and is not asked for."),
    noop("“%(name)s” has %(size)s MB; a list may have %(most)s MB."),
    noop("“%(name)s” has no sheet with rows."),
    noop("“%(name)s” has more than %(most)s rows."),
    noop("“%(name)s” is no workbook that can be read."),
    noop("A table has at most %(most)s columns; here are %(count)s."),
    noop("A table needs at least one column."),
    noop("Two columns are named “%(name)s”."),
    noop("Change the rows and columns on the table's page."),
    noop("A table needs rows and columns: add them on its page."),
    # why a cell is empty
    noop("The passages that were read do not say it."),
    noop("The words that were given for it stand in no source."),
    noop("No source is about “%(item)s”: those that were found only mention it."),
    noop("No source on “%(item)s” was found."),
    noop("The sources give only a value that they call outdated."),
    noop("The sources on “%(item)s” say nothing of “%(column)s”."),
    noop("There is no value."),
    noop("A cell holds at most %(most)s values."),
    noop("A number is wanted."),
    noop("A text is wanted."),
    noop("A text of at most %(most)s characters is wanted."),
    noop("One value is wanted, not a list."),
    noop("“%(value)s” does not name the %(part)s."),
    noop("“%(value)s” has not the form that the column asks for."),
    noop("“%(value)s” is neither a file's name nor its address."),
    noop("“%(value)s” is no address of a web page."),
    noop("“%(value)s” is no date."),
    noop("“%(value)s” is no mail address."),
    noop("“%(value)s” is no number."),
    noop("“%(value)s” is no whole number."),
    noop("“%(value)s” says neither yes nor no."),
    # why a cell is trusted
    noop("A sentence of its source comes near to what the column asks for."),
    noop("A sentence of its source says so."),
    noop("Its source gives it under this name."),
    noop("A source also names %(value)s, and calls it outdated."),
    noop("Sources differ, and both are shown."),
    # why a row failed
    noop("It was not filled, and nothing says why."),
    noop("The time of the table was up before it was its turn."),
    noop("It took longer than an item may take (%(limit)s s)."),
    noop("None of its %(count)s sources could be read."),
    noop("No row needed it any more when the table was finished."),
    # the rows together
    noop("The table has %(rows)s rows; %(filled)s of %(cells)s cells have a value (%(share)s %%)."),
    noop("%(count)s of %(rows)s rows failed and can be tried again."),
    noop("%(column)s: from %(low)s (%(first)s) to %(high)s (%(last)s), over %(count)s rows."),
    noop("%(column)s: %(count)s row lies far from the others, %(names)s."),
    noop("%(column)s: %(count)s rows lie far from the others, first of all %(names)s."),
    noop("%(column)s: %(value)s in %(count)s of %(rows)s rows that have a value."),
    noop("%(column)s: no value was found for %(count)s of %(rows)s rows."),
    noop("%(column)s: sources differ in %(count)s of %(rows)s rows."),
    # what a table is doing
    noop("Planning the table"),
    noop("Looking for “%(item)s”"),
    noop("Asking about “%(item)s”"),
    noop("Row %(number)s: “%(item)s”"),
    noop("Summing up the rows"),
)
