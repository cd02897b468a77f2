"""Whose turn it is at a web site."""
