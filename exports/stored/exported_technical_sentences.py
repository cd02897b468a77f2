"""Templates of the sentences that technical answers store: empty cells, unchecked code, a run's activity."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template

SOUGHT: tuple[Template, ...] = (
    noop("not stated"),
    noop("What was found did not hold when it was checked."),
    noop("There is no parser for this language."),
    noop("It is too long to be checked."),
    noop("Its brackets are nested too deeply to be checked."),
    noop("It leaves parts out (“...”), so it cannot be checked as it stands."),
    noop("The %(language)s grammar at hand does not take it: a dialect, a placeholder or a fault. %(fault)s"),
    noop("Line %(line)d: the grammar does not know “%(words)s”."),
    noop("Line %(line)d: “%(sign)s” is missing."),
    noop("Line %(line)d: %(fault)s."),
    noop("Python cannot parse it: %(fault)s."),
    noop("It is nested too deeply."),
    noop("The parser for this language fails on it."),
    noop("The parser for this language takes too long on it."),
    noop("The process that checks code could not be started."),
    noop("Ranking %(count)s sources"),
    noop("Checking whether %(url)s is still online"),
)
