"""Starting a digest from a discussion that is given, or from a question to a forum."""

from research.digests.starting import KIND, DigestInput, read_file, start_digest

__all__ = ["KIND", "DigestInput", "read_file", "start_digest"]
