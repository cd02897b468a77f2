"""A tenant's own documents: folders, uploads, the sample library.

Nothing is imported here, because the web process needs folders' names but not the parsers and the embedder.
"""
