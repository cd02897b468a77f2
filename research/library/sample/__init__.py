"""The sample library: real documents, extracted at set-up from pinned packages. None of them is in this repository."""
