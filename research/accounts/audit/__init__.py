"""Who did what: an append-only trail of the acts of people, programs and administrators."""
