"""The sample library: real documents, taken at set-up out of pinned packages. None of them is in this repository."""
