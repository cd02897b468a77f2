"""The API for programs: JSON under `/api/v1/`, authenticated by tokens instead of sessions."""
