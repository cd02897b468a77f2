"""Starting a synthesis from a table of studies, from a report's academic sources, or from a text of the older form."""

from research.syntheses.starting import KIND, SynthesisInput, read_file, start_synthesis

__all__ = ["KIND", "SynthesisInput", "read_file", "start_synthesis"]
