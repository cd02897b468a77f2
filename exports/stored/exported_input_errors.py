"""Templates of messages about refused input: a message, a file, a table of studies, a cell of it."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template

REFUSED: tuple[Template, ...] = (
    # a message
    noop("The input has %(size)s MB; the limit is %(most)s MB."),
    noop("The input is empty."),
    noop("The input is JSON, but not an object."),
    noop("The input is not text in UTF-8."),
    noop("The input is nested too deeply."),
    noop("The input is not JSON: %(error)s."),
    # a table of studies
    noop("The input holds no study."),
    noop("A synthesis needs at least one study."),
    noop("There is no such report here."),
    noop("That report has read no academic source."),
    noop("“%(name)s” has %(size)s MB; the limit is %(most)s MB."),
    noop("“%(name)s” is not a text."),
    noop("“%(name)s” has no rows below its headers."),
    noop("“%(name)s” can't be read as RIS: no record is closed (ER)."),
    noop("“%(name)s” can't be read as RIS: %(error)s."),
    noop("“%(name)s” can't be read as BibTeX: %(error)s."),
    noop("“%(name)s” can't be read as a table: %(error)s."),
    noop("“%(name)s” holds no study."),
    noop("“%(name)s” has %(count)s rows; the limit is %(most)s studies."),
    noop("“%(name)s” has %(count)s columns; the limit is %(most)s."),
    noop("“%(name)s” has two columns called “%(column)s”."),
    noop("The table has %(count)s rows; the limit is %(most)s studies."),
    noop("No row has a title: there is no study in this table."),
    noop("There is no such field or column: %(names)s."),
    noop("No column says what the studies are called; there are: %(names)s."),
    # a row of it
    noop("Row %(row)d: an earlier row is about the same study."),
    noop("Row %(row)d, %(field)s: %(problem)s"),
    noop("it is empty, so the row is left out."),
    noop("“%(value)s” is not a valid year."),
    noop("“%(value)s” is not a valid DOI."),
    noop("“%(value)s” is not a valid sample size."),
    noop("“%(value)s” counts studies, not those who took part."),
    noop("“%(value)s” names no direction; the words of the finding decide."),
    noop("“%(value)s” is neither yes nor no."),
)
