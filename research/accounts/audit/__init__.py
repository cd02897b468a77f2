"""The audit trail: an append-only record of the acts of people, programs and administrators."""
