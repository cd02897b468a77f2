"""An OpenAI-compatible server: how it is asked, what it answers, and how it fails."""
