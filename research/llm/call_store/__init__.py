"""The rows of model calls: stored answers, their cost, and the logged text."""
