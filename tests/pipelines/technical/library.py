"""A small technical library: two things to compare, and notes on them that came from pages of a site."""

from collections.abc import Mapping
from pathlib import Path

NOTES = 16
QUESTION = "How do Annoy and Voyager compare in memory usage?"
THINGS = {
    "annoy.md": """# Annoy

Annoy is a library that searches for the nearest neighbours of points. Annoy uses little memory, since it maps static
files into memory and shares them between processes. Annoy cannot add items once its index was built.

Build the index with more trees for a higher recall:

```python
from annoy import AnnoyIndex

index = AnnoyIndex(40, "angular")
index.build(10)
```

t = AnnoyIndex(f, 'angular') for i in range(1000): t.add_item(i, memory[i])
""",
    "voyager.md": """# Voyager

Voyager is a library for approximate search of nearest neighbours. Voyager uses four times less memory than its
predecessor, since it stores vectors in eight bits. It is recommended to set the number of threads for Voyager.
""",
}


def note(number: int) -> str:
    return (
        f"# Note {number} on Annoy and Voyager\n\n"
        f"In test {number} Annoy and Voyager were compared in memory usage with {number}0 million vectors. "
        f"Annoy took {number + 3} GB of memory in test {number}, and Voyager took {number + 1} GB.\n"
    )


def lay_out(folder: Path, addresses: Mapping[int, str]) -> None:
    """Writes the library; each note has the address of its number."""
    for name, text in THINGS.items():
        (folder / name).write_text(text, encoding="utf-8")
    rows = ["file,title,url,author,published,licence"]
    for number in range(1, NOTES + 1):
        (folder / f"note-{number}.md").write_text(note(number), encoding="utf-8")
        rows.append(f"note-{number}.md,Note {number},{addresses[number]},A. Lind,2024-06,CC0-1.0")
    (folder / "manifest.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
