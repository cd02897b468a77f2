"""Templates of the sentences stored with each try to send to another service or to query Parallel."""

from django.utils.translation import gettext_noop as noop

from exports.stored.templates import Template

HOOKED: tuple[Template, ...] = (
    # querying Parallel
    noop("Parallel does not accept the workspace’s key."),
    noop("Parallel knows no task of this id."),
    noop("Parallel asks for a pause: too many requests (429)."),
    noop("The task’s result is not ready yet (408)."),
    noop("Parallel has a fault of its own (%(status)s)."),
    noop("Parallel answered %(status)s."),
    noop("Parallel did not answer in time."),
    noop("Parallel could not be reached (%(error)s)."),
    noop("Parallel’s answer could not be read: it is none of its interface."),
    noop("Parallel’s answer has more than %(most)s MB."),
    # sending to a receiver
    noop("It answered %(status)s."),
    noop("There was no answer within %(seconds)s s."),
    noop("It could not be reached (%(error)s)."),
    noop("The address is refused: %(reason)s."),
    noop("Its address is not dialled: %(reason)s."),
    noop("The address is not dialled: %(reason)s."),
    noop("The secret cannot be opened: %(reason)s."),
    noop("No address is set for this consumer any more."),
    noop("There is no secret to sign it with."),
)
