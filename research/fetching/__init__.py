"""Fetching of web sources, through one guarded HTTP client and a sandboxed browser."""
