"""The rows of model calls: answers that are kept, what they cost, and what the log knows of their words."""
