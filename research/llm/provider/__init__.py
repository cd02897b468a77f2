"""The client of an OpenAI-compatible server: its requests, its replies and its failures."""
