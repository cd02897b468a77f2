"""Templates of the sentences stored with each try to send to another service or to query Parallel."""

from django.utils.translation import gettext_noop as noop

from exports.stored.exported_sentences import Template

HOOKED: tuple[Template, ...] = (
    # querying Parallel
    noop("Parallel does not accept the workspace’s key."),
    noop("Parallel has no task with this ID."),
    noop("Parallel received too many requests (429)."),
    noop("The task’s result is not ready yet (408)."),
    noop("Parallel returned an error (%(status)s)."),
    noop("Parallel answered %(status)s."),
    noop("Parallel did not answer in time."),
    noop("Parallel could not be reached."),
    noop("Parallel’s answer could not be read: it does not have the format of its API."),
    noop("Parallel’s answer is larger than %(most)s MB."),
    # sending to a receiver
    noop("The receiver answered with status %(status)s."),
    noop("There was no answer within %(seconds)s s."),
    noop("It could not be reached."),
    noop("The address is refused: %(reason)s."),
    noop("Its address cannot be used: %(reason)s."),
    noop("The address cannot be used: %(reason)s."),
    noop("The secret cannot be decrypted: %(reason)s."),
    noop("No address is set for this consumer any more."),
    noop("There is no secret to sign it with."),
)
