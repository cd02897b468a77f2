"""The sample library: real documents, extracted at set-up from pinned packages; none is in this repository."""
