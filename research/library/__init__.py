"""A tenant's own documents: folders, uploads, the sample library.

Nothing is imported here: the site needs the folders' names, not the parsers and the embedder that importing needs.
"""
