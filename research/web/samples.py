"""Questions to try on the sample library. In English, as its documents are."""

SAMPLE_QUESTIONS = (
    "How many PBKDF2 iterations should protect stored passwords, "
    "and how has the recommended number changed over the years?",
    "Which password hashing algorithm should a new web application choose, "
    "and how has the advice changed since 2011?",
    "Which Argon2 variant should be used for passwords, and do the specification and the libraries agree?",
    "How many failed logins should be allowed before an account is locked, "
    "and for how long should it stay locked?",
    "Should passwords expire and follow composition rules, or is a minimum length enough?",
    "How long should login sessions and access tokens stay valid?",
)
